package n5

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A geometry is where the levels of an image lie in the world. Slices are by dimension, slowest first,
// and nil where nothing is stated.
type geometry struct {
	names   []string    // of the dimensions
	units   []string    // of step
	step    []float64   // of level 0
	offset  []float64   // of level 0, in the units of step
	factors [][]float64 // of each level: voxels of level 0 along one of its own
	own     []*affine   // of each level: a transform of its own, which goes before all others
	known   bool        // dimensions are z, y, x by the rules of BigDataViewer
}

// An affine is COSEM's "transform" and OME's pair of transformations: lengths in C order.
type affine struct {
	Axes      []string  `json:"axes"`
	Units     []string  `json:"units"`
	Scale     []float64 `json:"scale"`
	Translate []float64 `json:"translate"`
}

// A multiscale is COSEM's and OME's list of levels.
type multiscale struct {
	Axes     []json.RawMessage `json:"axes"`
	Datasets []struct {
		Path       string  `json:"path"`
		Transform  *affine `json:"transform"`
		Transforms []struct {
			Type        string    `json:"type"`
			Scale       []float64 `json:"scale"`
			Translation []float64 `json:"translation"`
		} `json:"coordinateTransformations"`
	} `json:"datasets"`
}

// datasets are the paths of the levels that the multiscales of a group name.
func (n node) datasets() []string {
	var m []multiscale
	if !n.get("multiscales", &m) || len(m) == 0 {
		return nil
	}
	var out []string
	for _, d := range m[0].Datasets {
		out = append(out, d.Path)
	}
	return out
}

// state takes over what the attributes of one node say of lengths. These lists are in N5's order,
// fastest first: pixelResolution (N5-viewer), resolution with units or unit (neuroglancer, Paintera),
// offset (Paintera) and axes (neuroglancer).
func (g *geometry) state(n node) {
	turned := func(v []float64) []float64 {
		v = slices.Clone(v)
		slices.Reverse(v)
		return v
	}
	var pixel struct {
		Dimensions []float64 `json:"dimensions"`
		Unit       string    `json:"unit"`
	}
	var list []float64
	var words []string
	var word string
	switch {
	case g.step != nil:
	case n.get("pixelResolution", &pixel) && len(pixel.Dimensions) > 0:
		g.step = turned(pixel.Dimensions)
		for range pixel.Dimensions {
			g.units = append(g.units, pixel.Unit)
		}
	case n.get("pixelResolution", &list), n.get("resolution", &list):
		g.step = turned(list)
		if n.get("units", &words) {
			g.units = slices.Clone(words)
			slices.Reverse(g.units)
		} else if n.get("unit", &word) || n.get("units", &word) {
			for range list {
				g.units = append(g.units, word)
			}
		}
		var offset []float64
		if n.get("offset", &offset) {
			g.offset = turned(offset)
		}
	}
	if g.names == nil && n.get("axes", &words) {
		g.names = slices.Clone(words)
		slices.Reverse(g.names)
	}
}

// geometryOf gathers what a group and its levels say. levels is the array alone if there is no group.
func (o *opening) geometryOf(n node, levels []node, setup *viewSetup) *geometry {
	g := &geometry{own: make([]*affine, len(levels)), factors: make([][]float64, len(levels))}
	if setup != nil {
		g.known = true
		g.step, g.units = setup.lengths()
	}
	g.state(n)
	g.state(levels[0])
	var all [][]float64
	if !n.get("scales", &all) && !n.get("downsamplingFactors", &all) && setup != nil {
		all = setup.factors
	}
	var m []multiscale
	n.get("multiscales", &m)
	first := levels[0].array.shape
	for i, l := range levels {
		var f []float64
		switch {
		case l.get("downsamplingFactors", &f) && len(f) > 0:
		case i < len(all):
			f = slices.Clone(all[i])
		default:
			f = nil
		}
		slices.Reverse(f)
		if len(f) != len(first) || slices.ContainsFunc(f, func(v float64) bool { return !(v >= 1) || math.IsInf(v, 0) }) {
			// Levels without factors lie over the first by their shapes.
			f = nil
			for d, have := range l.array.shape {
				r := 1.0
				if d < len(first) && have > 0 {
					r = max(1, math.Round(float64(first[d])/float64(have)))
				}
				f = append(f, r)
			}
		}
		g.factors[i] = f
		var t affine
		if l.get("transform", &t) {
			g.own[i] = &t
		} else if len(m) > 0 && i < len(m[0].Datasets) {
			g.own[i] = m[0].affine(i)
		}
	}
	if t := g.own[0]; t != nil && len(t.Axes) > 0 {
		g.names = t.Axes
	}
	return g
}

// affine is the transform of a level that the list of levels states, nil if it states none.
func (m multiscale) affine(i int) *affine {
	d := m.Datasets[i]
	if d.Transform != nil {
		return d.Transform
	}
	var t affine
	for _, text := range m.Axes {
		var a struct{ Name, Unit string }
		if json.Unmarshal(text, &a.Name) != nil && json.Unmarshal(text, &a) != nil {
			return nil
		}
		t.Axes, t.Units = append(t.Axes, a.Name), append(t.Units, a.Unit)
	}
	for _, c := range d.Transforms {
		switch c.Type {
		case "scale":
			t.Scale = c.Scale
		case "translation":
			t.Translate = c.Translation
		}
	}
	if t.Scale == nil {
		return nil
	}
	return &t
}

// axesOf says which axis each of n dimensions is: by the user's word, else by its name, else by the
// rule for dimensions without names, whose result is then assumed.
func (g *geometry) axesOf(n int, user string) (axes loaders.Axes, assumed string, err error) {
	if user != "" {
		axes, err = loaders.ParseAxes(user, n)
		return axes, "", err
	}
	if len(g.names) == n {
		var letters string
		for _, name := range g.names {
			letters += strings.ToLower(name)
		}
		if axes, err := loaders.ParseAxes(letters, n); err == nil {
			return axes, "", nil
		}
	}
	axes, err = loaders.AssumeAxes(n)
	if g.known && n == 3 {
		return axes, "", err
	}
	return axes, axes.String(), err
}

// place is where a level lies. The mean of f voxels lies (f-1)/2 voxels behind the first of them. What
// is left out is said.
func (g *geometry) place(level int, axes loaders.Axes) (p placement, left []string) {
	n := len(axes)
	step, offset, units := make([]float64, n), make([]float64, n), make([]string, n)
	if t := g.own[level]; t != nil {
		if !sound(t.Scale, n, true) {
			return p, []string{"a transform that does not fit its dimensions was left out"}
		}
		copy(step, t.Scale)
		copy(units, t.Units)
		if sound(t.Translate, n, false) {
			copy(offset, t.Translate)
		}
	} else {
		if g.step == nil {
			return p, nil
		}
		if !sound(g.step, n, true) {
			return p, []string{"a resolution that does not fit its dimensions was left out"}
		}
		copy(units, g.units)
		if sound(g.offset, n, false) {
			copy(offset, g.offset)
		}
		for d, f := range g.factors[level] {
			step[d] = g.step[d] * f
			offset[d] += g.step[d] * (f - 1) / 2
		}
	}
	for d, a := range axes {
		if a == lazy.C {
			continue
		}
		factor, unit, ok := unitOf(a, units[d])
		if !ok {
			left = append(left, "the unit "+units[d]+" is none of axis "+a.String()+"; its length was left out")
			continue
		}
		p.scale[a], p.origin[a], p.unit[a] = step[d]*factor, offset[d]*factor, unit
	}
	return p, left
}

// sound reports whether v has a usable number for each of n dimensions.
func sound(v []float64, n int, positive bool) bool {
	return len(v) == n && !slices.ContainsFunc(v, func(x float64) bool {
		return math.IsNaN(x) || math.IsInf(x, 0) || positive && x <= 0
	})
}
