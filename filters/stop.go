package filters

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// Where the iterations end by a rule, they end at one number for the whole image, since blocks of different ones would not fit
// together. It is found once, from a part in the middle of every channel, of which the one that takes longest counts, and then
// stands in the chain (stopped).

// sampleOfStop is the part of an image from which the end is found, at most so long along z, y and x.
var sampleOfStop = [3]int{32, 128, 128}

// A stopRule ends iterations; each part is of no effect if 0.
type stopRule struct {
	change     float64 // the least Progress.Change
	divergence float64 // the least part by which Divergence falls
}

func (r stopRule) enough(so []Progress) bool {
	last := so[len(so)-1]
	if last.Change < r.change || last.Change == 0 { // nothing moves any more, as where all is 0
		return true
	}
	if len(so) < 2 {
		return false
	}
	before := so[len(so)-2].Divergence
	return r.divergence > 0 && before-last.Divergence < r.divergence*before
}

// asksStop is how the last iteration is found; nothing is asked without a rule.
func (v values) asksStop() statistic {
	rule := stopRule{v.number("stop"), v.number("stop-divergence")}
	if rule == (stopRule{}) {
		return statistic{}
	}
	return statistic{
		sets: []string{"stopped"},
		of:   func(s sample) ([]float64, error) { return s.sorted[len(s.sorted)-1:], nil },
		trial: func(a lazy.Array) (lazy.Array, lazy.Region, string, error) {
			v.text["stopped"] = "0"
			t, err := v.trial(a, middle(a.Meta(), sampleOfStop))
			if err != nil {
				return a, lazy.Region{}, "", err
			}
			for i, n := range lengths(t.psf.Meta()) {
				t.op.halo[i] = n / 2
			}
			t.stage = func(int) int { return 0 }
			out, err := lazy.Apply(stopping{t.pass(t.method.iterations), rule}, a, t.psf)
			at := lazy.At(lazy.Index{lazy.T: a.Meta().Shape[lazy.T] / 2}, lazy.Shape{1, 1, a.Meta().Shape[lazy.C], 1, 1})
			about := fmt.Sprintf("%d x %d x %d voxels in the middle", t.Box.Len(lazy.Z), t.Box.Len(lazy.Y), t.Box.Len(lazy.X))
			if n := a.Meta().Shape[lazy.T]; n > 1 {
				about += fmt.Sprintf(" of time point %d", n/2+1)
			}
			if n := a.Meta().Shape[lazy.C]; n > 1 {
				about += fmt.Sprintf(", the last of %d channels", n)
			}
			return out, at, about, err
		},
	}
}

// checkStopped refuses an iteration that no rule has found.
func (v values) checkStopped() error {
	if n := int(v.number("stopped")); n > 0 && v.number("stop") == 0 && v.number("stop-divergence") == 0 {
		return fmt.Errorf("stopped=%d: it is where a rule holds, and there is none: expected stop or stop-divergence beside it, or iterations=%d in its place", n, n)
	}
	return nil
}

// stopping is the iteration at which a rule holds, as an image of one voxel for each time point and channel.
type stopping struct {
	pass lucyPass
	rule stopRule
}

func (s stopping) Name() string { return "stop rule" }

func (s stopping) Key() string { return fmt.Sprintf("stop %g of %s", s.rule, s.pass.Key()) }

func (s stopping) Border() lazy.Border { return lazy.Border{} }

// Infer implements lazy.Op.
func (s stopping) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := lazy.Meta{Shape: lazy.Shape{in[0].Shape[lazy.T], 1, in[0].Shape[lazy.C], 1, 1}, Chunk: lazy.Shape{1, 1, 1, 1, 1}, DType: lazy.F32}
	return m, nil
}

// Tile implements lazy.Tiler.
func (s stopping) Tile(lazy.Meta) lazy.Shape { return lazy.Shape{1, 1, 1, 1, 1} }

// Need implements lazy.Op.
func (s stopping) Need(out lazy.Region, in []lazy.Meta) []lazy.Region { return s.pass.Need(out, in) }

// Scratch implements lazy.Scratcher.
func (s stopping) Scratch(out lazy.Region, in []lazy.Meta) int64 {
	return s.pass.Scratch(out, in) + 4*int64(s.pass.volumes()*size(s.pass.grid(s.pass.data(0, 0)).estimate))
}

// Compute implements lazy.Op.
func (s stopping) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	p := s.pass
	psf, err := newSpread(src[1])
	if err != nil {
		return p.ofPSF(err)
	}
	f := p.grid(src[0].Region)
	data, err := realRows(ctx, src[0])
	if err != nil {
		return err
	}
	l, err := p.begun(ctx, f, psf, data, p.edges)
	if err != nil {
		return err
	}
	l.course = newCourse(f, p.boxIn(f, src[0].Region))
	l.course.enough = s.rule.enough
	if err := l.run(p.to); err != nil {
		return err
	}
	lazy.View[float32](dst)[0] = float32(len(l.course.so))
	return nil
}
