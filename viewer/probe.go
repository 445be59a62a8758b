package viewer

import (
	"context"
	"math"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// read finds what lies under the pointer in what is shown. Values come from the cuts where they
// hold that very voxel, else, and for the stored value behind a filtered one, from the engine. While
// another plane is under way the readout stays what it was; a picture that stands for a chain that
// cannot be done has none.
func (l *loop) read() {
	if l.probe != nil {
		l.probe()
		l.probe = nil
	}
	v := l.shown
	if v.scene == nil || l.pointer == nil || l.stands {
		l.report.Readout = Readout{}
		return
	}
	if l.job != nil && !l.same(l.job.wish) {
		return
	}
	g := v.scene.Geometry(v.state)
	a, d, ok := g.Voxel(l.pointer.x, l.pointer.y)
	if !ok {
		l.report.Readout = Readout{}
		return
	}
	r := Readout{Voxel: v.state.At, Valid: true}
	r.Voxel[g.Across], r.Voxel[g.Down] = a, d
	r.Label = v.labelAt(float64(a), float64(d))
	exact := true
	var shown []Value
	for _, c := range v.state.Shown() {
		cut := v.cuts[c]
		if cut == nil {
			continue
		}
		exact = exact && (cut.Level > 0 || cut.Step == [2]int{1, 1})
		if i, ok := cut.sample(float64(a), float64(d)); ok {
			shown = append(shown, Value{c, Text(cut.block, i)})
		}
	}
	switch {
	case !v.scene.derived():
		r.Raw = shown
	default:
		r.Shown = shown
		if was := l.report.Readout; was.Voxel == r.Voxel {
			r.Raw = was.Raw
		}
	}
	l.report.Readout = r
	if !exact || v.scene.derived() {
		l.startProbe(r, exact)
	}
}

// startProbe asks the engine for the values that the cuts do not hold.
func (l *loop) startProbe(r Readout, exact bool) {
	ctx, cancel := context.WithCancel(l.ctx)
	l.probe = cancel
	v := l.shown
	level, _ := level(v.cuts)
	m := v.scene.levelMap(level)
	channels := v.state.Shown()
	l.work.Go(func() {
		defer cancel()
		get := func(a lazy.Array) (values []Value) {
			for _, c := range channels {
				at := r.Voxel
				at[lazy.C] = c
				for k := range lazy.Rank {
					i := int(math.Round((float64(at[k]) - m.shift[k]) / m.scale[k]))
					at[k] = max(0, min(a.Meta().Shape[k]-1, i))
				}
				b, _, err := l.o.Engine.Get(ctx, a, lazy.At(at, lazy.Shape{1, 1, 1, 1, 1}), engine.Priority{Level: level, Near: at})
				if err != nil {
					return values // the picture tells what is wrong with the data
				}
				values = append(values, Value{c, Text(b, 0)})
			}
			return values
		}
		if v.scene.Raw[level].Meta().Shape == v.scene.Shown[level].Meta().Shape {
			r.Raw = get(v.scene.Raw[level])
		}
		if v.scene.derived() && !exact {
			r.Shown = get(v.scene.seen(v.state.Cut, level))
		}
		select {
		case l.readings <- r:
		case <-ctx.Done():
		}
	})
}
