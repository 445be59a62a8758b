package filters

import (
	"fmt"
	"strings"

	"lamella/lazy"
)

// A PSF may be what the image shows of a bead that is small beside it:
//
//	psf=bead(at=12,200,310,size=21,33,33)
//
// at is a voxel of the bead, along z, y and x counted from 0, and size how much around it is taken; of the first time point, and of
// each channel its own. It is prepared like a PSF that was measured apart (preparation).
const bead = "bead"

// beadParams are the words of it.
var beadParams = []Param{
	{Name: "at", Kind: Integer, Default: "0", PerAxis: true, Min: 0, Max: 1 << 30},
	{Name: "size", Kind: Integer, Default: "15", PerAxis: true, Min: 3, Max: 1023},
}

// isBead reports whether a PSF is one of the image's own.
func isBead(name string) bool {
	return strings.HasPrefix(name, bead+"(") && strings.HasSuffix(name, ")")
}

// beadIn is the PSF that an image shows; an image of which nothing but metadata is there gives one like it.
func (v values) beadIn(image lazy.Meta) (lazy.Array, error) {
	text := v.text["psf"]
	w := values{spec: Spec{Name: bead, Params: beadParams}, text: map[string]string{}, meta: image}
	for _, p := range beadParams {
		w.text[p.Name] = p.Default
	}
	err := w.read(strings.TrimSuffix(strings.TrimPrefix(text, bead+"("), ")"))
	if err == nil && !strings.Contains(w.text["at"], ",") {
		err = fmt.Errorf("expected at=z,y,x, a voxel of the bead")
	}
	if err != nil {
		return lazy.Array{}, fmt.Errorf("psf=%s: %w", text, err)
	}
	at, err := w.triple("at")
	if err != nil {
		return lazy.Array{}, err
	}
	size, err := w.triple("size")
	if err != nil {
		return lazy.Array{}, err
	}
	r := image.Shape.Whole().With(lazy.T, 0, 1)
	for i, a := range space {
		n := size[i] | 1
		lo := at[i] - n/2
		if at[i] < 0 || at[i] >= image.Shape[a] {
			return lazy.Array{}, fmt.Errorf("psf=%s: %v=%d lies outside the image, which has %d voxels along it, counted from 0", text, a, at[i], image.Shape[a])
		}
		if image.Shape[a] == 1 {
			continue
		}
		if r = r.With(a, lo, lo+n); lo < 0 || r.Max[a] > image.Shape[a] {
			return lazy.Array{}, fmt.Errorf("psf=%s: %d voxels around %v=%d reach beyond the image, which has %d: give a smaller size, or another bead", text, n, a, at[i], image.Shape[a])
		}
	}
	of := v.image
	if !of.Valid() {
		of = lazy.FromSource(described{meta: image})
	}
	part, err := lazy.Crop(of, r)
	if err != nil {
		return lazy.Array{}, err
	}
	return lazy.Apply(newPreparation(image, part.Meta()), part)
}
