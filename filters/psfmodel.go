package filters

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"lamella/lazy"
)

// A PSF may be a formula in place of a file, for voxels of the image's size:
//
//	psf=gaussian(sigma=0.3um,0.1um,0.1um)
//	psf=born-wolf(na=1.4,wavelength=520nm,index=1.518)
//	psf=gibson-lanni(na=1.4,wavelength=520nm,index=1.518,specimen=1.38,depth=10um)
//
// size=z,y,x is its size in voxels, which is odd; without it what is farther out is less than some hundredths.
type psfModel struct {
	text   string
	size   [3]int
	step   [3]float64 // micrometres from voxel to voxel
	values func(m psfModel, dst []float32)

	sigma [3]float64 // in voxels
	optics
}

// modelParams are the words of each model.
var modelParams = map[string][]Param{
	"gaussian": {
		{Name: "sigma", Kind: Length, Default: "1", PerAxis: true, Min: 0, Max: 64},
		{Name: "size", Kind: Integer, Default: "0", PerAxis: true, Min: 0, Max: 1023},
	},
	"born-wolf": opticsParams,
	"gibson-lanni": append([]Param{
		{Name: "specimen", Kind: Number, Default: "1.33", Min: 1, Max: 4},
		{Name: "depth", Kind: Length, Default: "0um", Min: 0, Max: 0},
		{Name: "planes", Kind: Choice, Default: "deeper", Choices: []string{"deeper", "shallower"}},
	}, opticsParams...),
}

var opticsParams = []Param{
	{Name: "na", Kind: Number, Default: "", Min: 0.01, Max: 2},
	{Name: "wavelength", Kind: Length, Default: "", Min: 0, Max: 0},
	{Name: "index", Kind: Number, Default: "1.518", Min: 1, Max: 4},
	{Name: "size", Kind: Integer, Default: "0", PerAxis: true, Min: 0, Max: 1023},
}

// isModel reports whether a PSF is a formula and no file.
func isModel(name string) bool {
	if isBead(name) {
		return true
	}
	word, _, ok := strings.Cut(name, "(")
	_, known := modelParams[word]
	return ok && known && strings.HasSuffix(name, ")")
}

// unclosed says where a formula lacks its bracket; without it, it would be taken for the name of a file.
func unclosed(param, text string) error {
	word, rest, ok := strings.Cut(text, "(")
	if _, known := modelParams[word]; !ok || !known && word != bead || strings.HasSuffix(rest, ")") {
		return nil
	}
	open := utf8.RuneCountInString(param + "=" + word + "(")
	return fmt.Errorf("%s=%s: column %d: expected ) for the bracket at column %d", param, text, open+utf8.RuneCountInString(rest)+1, open)
}

// modelled is the PSF of a formula for an image.
func modelled(text string, image lazy.Meta) (lazy.Array, error) {
	name, rest, _ := strings.Cut(text, "(")
	v := values{spec: Spec{Name: name, Params: modelParams[name]}, text: map[string]string{}, meta: image}
	for _, p := range v.spec.Params {
		v.text[p.Name] = p.Default
	}
	if err := v.read(strings.TrimSuffix(rest, ")")); err != nil {
		return lazy.Array{}, fmt.Errorf("psf=%s: %w", text, err)
	}
	m := psfModel{text: text}
	for i, a := range space {
		m.step[i] = image.Calibrated().Scale[a]
	}
	var err error
	if m.size, err = v.triple("size"); err == nil {
		switch name {
		case "gaussian":
			err = m.gaussian(v)
		case "born-wolf":
			err = m.bornWolf(v)
		default:
			err = m.gibsonLanni(v)
		}
	}
	if err != nil {
		return lazy.Array{}, fmt.Errorf("psf=%s: %w", text, err)
	}
	for i, a := range space {
		if m.size[i] |= 1; image.Shape[a] == 1 {
			m.size[i] = 1
		}
	}
	return lazy.FromSource(m), nil
}

// read takes name=value pairs with commas between them; a value may have commas too.
func (v values) read(text string) error {
	name := ""
	for _, part := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case !ok && name != "":
			v.text[name] += "," + part
			continue
		case !ok && strings.TrimSpace(text) == "":
			continue
		}
		name = strings.TrimSpace(key)
		if _, known := v.spec.Param(name); !ok || !known {
			return fmt.Errorf("%q: expected %s with values", part, names(v.spec.Params))
		}
		v.text[name] = strings.TrimSpace(value)
	}
	for _, p := range v.spec.Params {
		if p.Name == "wavelength" || p.Name == "depth" { // lengths in the world, whose voxels do not matter
			continue
		}
		if err := p.check(v.text[p.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (m *psfModel) gaussian(v values) error {
	s, err := v.perAxis("sigma")
	if err != nil {
		return err
	}
	for i, a := range space {
		if m.sigma[i] = s[a]; m.size[i] == 0 {
			m.size[i] = 2*int(math.Ceil(4*s[a])) + 1
		}
	}
	m.values = psfModel.bell
	return nil
}

func (m psfModel) bell(dst []float32) {
	m.each(func(n int, d [3]int) {
		sum := 0.0
		for a, s := range m.sigma {
			if s > 0 {
				sum += float64(d[a]*d[a]) / (s * s)
			} else if d[a] != 0 {
				sum = math.Inf(1)
			}
		}
		dst[n] = float32(math.Exp(-sum / 2))
	})
}

// each visits the voxels with how far each is from the origin along z, y and x.
func (m psfModel) each(visit func(n int, d [3]int)) {
	n := 0
	for z := range m.size[0] {
		for y := range m.size[1] {
			for x := range m.size[2] {
				visit(n, [3]int{z - m.size[0]/2, y - m.size[1]/2, x - m.size[2]/2})
				n++
			}
		}
	}
}

// Meta implements lazy.Source.
func (m psfModel) Meta() lazy.Meta {
	s := lazy.Shape{1, m.size[0], 1, m.size[1], m.size[2]}
	meta := lazy.Meta{Shape: s, Chunk: s, DType: lazy.F32}
	for i, a := range space {
		meta.Scale[a], meta.Unit[a] = m.step[i], "um"
	}
	return meta
}

// ID implements lazy.Source.
func (m psfModel) ID() string {
	return fmt.Sprintf("psf %s size %v step %v sigma %v", m.text, m.size, m.step, m.sigma)
}

// Read implements lazy.Source.
func (m psfModel) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	m.values(m, lazy.View[float32](dst))
	return 0, ctx.Err()
}
