package viewer

import (
	"fmt"
	"strings"

	"lamella/filters"
	"lamella/lazy"
)

// A Scene is what the image and the filter chain of a State amount to. Making one computes no
// voxel. It is never changed afterwards, so it may be read from many goroutines.
type Scene struct {
	Set   *lazy.Dataset
	Image lazy.Image
	Raw   []lazy.Array // the stored voxels of each level
	Shown []lazy.Array // the same after the chain
	Rows  []Row        // one for each step of the chain
	Fault *Fault       // why the chain cannot be done as it stands, nil if it can

	chain   string // the steps that take part, as text, in the form that files have
	kinds   string // the names of the filters that take part, and the texts of stencils
	image   int
	thinned int           // the level that the file does not hold but stands in for one; 0 is none
	steps   filters.Chain // all of the chain, with what was found
	part    lazy.Region   // what there is of Shown while a deconvolution is watched; empty for all of it
	result  *Scene        // that a difference shows, nil if this is none
	over    *Scene        // of the labels that lie over the picture; nil if none do
	slab    Slab
	slabs   [lazy.Rank][]lazy.Array // Shown in slabs along each axis of space; nil where planes are seen
}

// A Row is what a step of the chain says about itself for this image.
type Row struct {
	Effective string // its reach in voxels of the finest level: "1 x 4 x 4 voxels"; "" if there is nothing to say
	Err       error  // why it cannot be done; while there is such a step, nothing new is computed

	Formula *Formula // what its text amounts to, if it has one that can be read

	in lazy.Meta // what it acts on
}

// A Fault is the first filter of a chain that is switched on but cannot be done.
type Fault struct {
	Step   int    // of the chain
	Filter string // its name in the catalogue
	Err    error
}

// Error names the filter as the catalogue titles it, and the reason.
func (f *Fault) Error() string {
	title := f.Filter
	if spec, ok := filters.Lookup(f.Filter); ok {
		title = spec.Title
	}
	return "viewer: " + title + " is not applied: " + f.Reason()
}

// Reason is why, without the names of the package and the filter that say it.
func (f *Fault) Reason() string {
	return strings.TrimPrefix(strings.TrimPrefix(f.Err.Error(), "filters: "), f.Filter+": ")
}

// Unwrap is what the filter itself says.
func (f *Fault) Unwrap() error { return f.Err }

// NewScene builds the arrays for one image and chain. A dataset without images has no scene. With a
// step that cannot be done the scene has a Fault and shows the stored voxels: what is left of a chain
// is another chain, which nobody asked for.
func NewScene(set *lazy.Dataset, img int, chain filters.Chain) (*Scene, error) {
	return newScene(set, img, Sizes{}, chain, Slab{})
}

// newScene is NewScene with voxels as large as a person has said, seen in slabs.
func newScene(set *lazy.Dataset, img int, sizes Sizes, chain filters.Chain, slab Slab) (*Scene, error) {
	if img < 0 || img >= len(set.Images) || len(set.Images[img].Levels) == 0 {
		return nil, fmt.Errorf("viewer: showing %s: there is no image %d in it", set.Source, img)
	}
	sc := &Scene{Set: set, Image: set.Images[img], image: img}
	sc.Raw = restated(sc.Image.Levels, sizes)
	done, rows := apply(sc.Raw[0], chain)
	sc.Rows, sc.Fault = rows, fault(chain, rows)
	if sc.Fault != nil {
		sc.Shown = sc.Raw
		sc.thicken(slab)
		return sc, nil
	}
	sc.Shown = append(sc.Shown, done)
	var used filters.Chain
	for _, s := range chain {
		if !s.Off {
			used = append(used, s)
		}
	}
	sc.chain, sc.kinds, sc.steps = used.Canonical().String(), kindsOf(chain), chain
	if !used.Finest() {
		sc.coarsen(used)
	}
	sc.thicken(slab)
	return sc, nil
}

// coarsen applies the chain to the coarser levels.
func (sc *Scene) coarsen(chain filters.Chain) {
	for _, raw := range sc.Raw[1:] {
		a, err := chain.ApplyTo(raw, sc.Raw[0])
		if err != nil { // a level too small for the chain, and with it all that are coarser
			break
		}
		sc.Shown = append(sc.Shown, a)
	}
	sc.thin(chain)
}

// kindsOf names the filters of a chain that take part, and the texts of stencils.
func kindsOf(chain filters.Chain) (kinds string) {
	for _, s := range chain {
		if !s.Off {
			kinds += s.Filter + s.Arg("text") + filters.WriteChannels(s.Channels()) + "|"
		}
	}
	return kinds
}

// fault is the first step that should take part but cannot.
func fault(chain filters.Chain, rows []Row) *Fault {
	for i, r := range rows {
		if r.Err != nil && !chain[i].Off {
			return &Fault{i, chain[i].Filter, r.Err}
		}
	}
	return nil
}

// standing is sc, which has a Fault, with the voxels of the scene before it, whose picture stands
// until the chain can be done again.
func (sc *Scene) standing(before *Scene) *Scene {
	sc.Shown, sc.chain, sc.kinds = before.Shown, before.chain, before.kinds
	sc.slab, sc.slabs, sc.steps = before.slab, before.slabs, before.steps
	if sc.thinned = before.thinned; sc.thinned > 0 {
		sc.Raw = append(sc.Raw[:1:1], before.Raw[1:]...)
	}
	return sc
}

// apply runs the steps one by one, so that each row says what it does or why it cannot.
func apply(a lazy.Array, chain filters.Chain) (lazy.Array, []Row) {
	rows := make([]Row, len(chain))
	for i, step := range chain {
		rows[i].in = a.Meta()
		if f, err := step.Formula(a.Meta()); err == nil {
			rows[i].Formula = &f
		}
		rows[i].Err = step.Check(a.Meta())
		if rows[i].Err != nil {
			continue
		}
		rows[i].Effective = step.Effective(a.Meta())
		if step.Off {
			continue
		}
		next, err := filters.Chain{step}.Apply(a)
		if err != nil {
			rows[i].Err = err
			continue
		}
		a = next
	}
	return a, rows
}

// Meta describes what is on view at the finest level. Sizes are in micrometres and seconds, or 0 where that is not known.
func (sc *Scene) Meta() lazy.Meta { return sc.Shown[0].Meta().Calibrated() }

// Filtered reports whether any filter takes part in the picture.
func (sc *Scene) Filtered() bool { return sc.chain != "" }

// Chain is the text of the filters that take part in the picture.
func (sc *Scene) Chain() string { return sc.chain }

// Calibrated reports whether the size of a voxel along an axis is known.
func (sc *Scene) Calibrated(a lazy.Axis) bool { return sc.Meta().Scale[a] > 0 }

// World is the position of a voxel centre in micrometres (seconds for T), and whether it is known.
func (sc *Scene) World(a lazy.Axis, voxel float64) (float64, bool) {
	m := sc.Meta()
	return m.Origin[a] + m.Scale[a]*voxel, m.Scale[a] > 0
}

// aspect is how much longer a voxel is along a than along X, in whatever unit.
func (sc *Scene) aspect(a lazy.Axis) float64 {
	m := sc.Shown[0].Meta()
	if m.Scale[a] > 0 && m.Scale[lazy.X] > 0 {
		return m.Scale[a] / m.Scale[lazy.X]
	}
	return 1
}

// A levelMap places the voxels of a level on the finest one: position = shift + scale·index.
type levelMap struct{ scale, shift [lazy.Rank]float64 }

// levelMap is by the levels' own scales and origins, which name voxel centres. Where a scale is not
// known, both levels are taken to cover the same space.
func (sc *Scene) levelMap(level int) levelMap {
	if level > 0 && level == sc.thinned {
		return levelMap{scale: [lazy.Rank]float64{1, 1, 1, thinBy, thinBy}}
	}
	return levelMapOf(sc.Meta(), sc.Shown[level].Meta())
}

func levelMapOf(f, l lazy.Meta) levelMap {
	var m levelMap
	for a := range lazy.Rank {
		if f.Scale[a] > 0 && l.Scale[a] > 0 {
			m.scale[a] = l.Scale[a] / f.Scale[a]
			m.shift[a] = (l.Origin[a] - f.Origin[a]) / f.Scale[a]
			continue
		}
		m.scale[a] = float64(f.Shape[a]) / float64(l.Shape[a])
		m.shift[a] = (m.scale[a] - 1) / 2
	}
	return m
}
