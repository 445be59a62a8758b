package viewer

import (
	"lamella/filters"
	"lamella/lazy"
)

// An image without coarser levels gets one to stand in for a filtered plane that takes long: the filters on every
// thinBy-th row and column. It reads what the plane reads, and computes a sixteenth of it.
const (
	thinBy   = 4
	thinFrom = 256 // rows and columns, from which on it pays
)

// thin prepares that level, of which only previews are drawn.
func (sc *Scene) thin(chain filters.Chain) {
	raw := sc.Raw[0]
	if m := raw.Meta(); len(sc.Raw) > 1 || !sc.Filtered() || m.Shape[lazy.Y] < thinFrom || m.Shape[lazy.X] < thinFrom {
		return
	}
	var err error
	for _, a := range [...]lazy.Axis{lazy.Y, lazy.X} {
		if raw, err = lazy.Every(raw, a, thinBy); err != nil {
			return
		}
	}
	done, err := chain.Apply(raw)
	if err != nil || done.Meta().Shape != raw.Meta().Shape || sc.Meta().Shape != sc.Raw[0].Meta().Shape {
		return // filters that change the shape have no such level
	}
	sc.Raw, sc.Shown = append(sc.Raw[:1:1], raw), append(sc.Shown[:1:1], done)
	sc.thinned = 1
}

// levels is how many levels the image has of its own.
func (sc *Scene) levels() int {
	if sc.thinned > 0 {
		return sc.thinned
	}
	return len(sc.Shown)
}
