package stencil

import (
	"context"
	"strings"

	"lamella/lazy"
)

// Fused is some steps of a chain as one op, each a formula of the voxel itself: rescale, then clip, then cast.
// It goes through the block in strips that stay in the second-level cache, and in each strip from step to
// step, so what lies between the steps is never a block of its own. Every step reads and writes the type that it
// has alone, rounded and clamped as it is stored, so that no voxel differs.
//
// The rule of what is fused: a step whose kernel looks at one voxel of one array joins the step before it, if
// that does too and is cheap: at most cheapValues values, none of them exp, log or a power. The step before is
// then not remembered, and computed again when the step after it changes, as it does under a slider; cheap is
// what takes no longer than to read it from memory. Hence a filter that looks at neighbours is never fused
// with what follows, nor a gamma.
type Fused struct{ steps []Op }

// cheapValues is the most values of steps that are computed again rather than remembered.
const cheapValues = 16

// Fuse implements lazy.Fuser.
func (o Op) Fuse(before lazy.Op) (lazy.Op, bool) {
	var steps []Op
	switch b := before.(type) {
	case Op:
		steps = []Op{b}
	case Fused:
		steps = b.steps
	default:
		return nil, false
	}
	values := 0
	for _, s := range steps {
		n, cheap := s.Kernel.cost()
		if values += n; !cheap || values > cheapValues || !s.Kernel.pointwise() {
			return nil, false
		}
	}
	if !o.Kernel.pointwise() {
		return nil, false
	}
	return Fused{append(steps[:len(steps):len(steps)], o)}, true
}

// pointwise reports whether a voxel is a formula of the same voxel of one array.
func (k *Kernel) pointwise() bool { return k.Inputs() == 1 && k.Halo(0) == lazy.Halo{} }

// cost is how many values a kernel has, and whether each is made by one instruction of the processor or so.
func (k *Kernel) cost() (values int, cheap bool) {
	cheap = true
	for _, i := range k.instrs {
		cheap = cheap && i.Code != Exp && i.Code != Log && i.Code != Power
	}
	return len(k.instrs), cheap
}

// Steps are the ops that a Fused is made of, for executors that run them one by one.
func (f Fused) Steps() []Op { return f.steps }

// Name implements lazy.Op.
func (f Fused) Name() string {
	var names []string
	for _, s := range f.steps {
		names = append(names, s.Name())
	}
	return strings.Join(names, " | ")
}

// Key implements lazy.Op. The keys of results do not depend on it: see lazy.Fuser.
func (f Fused) Key() string {
	var keys []string
	for _, s := range f.steps {
		keys = append(keys, s.Key())
	}
	return "fused\n" + strings.Join(keys, "\n")
}

// Infer implements lazy.Op.
func (f Fused) Infer(in []lazy.Meta) (lazy.Meta, error) {
	for _, s := range f.steps {
		m, err := s.Infer(in)
		if err != nil {
			return lazy.Meta{}, err
		}
		in = []lazy.Meta{m}
	}
	return in[0], nil
}

// Need implements lazy.Op: the region itself.
func (f Fused) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region { return []lazy.Region{out} }

// Border implements lazy.Op. Nothing is looked at beyond the edge.
func (f Fused) Border() lazy.Border { return lazy.Border{} }

// stripVoxels is about how many voxels go through the steps at a time.
const stripVoxels = 1 << 15

// Compute implements lazy.Op.
func (f Fused) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	r := dst.Region
	strip := lazy.Shape{1, 1, 1, max(1, stripVoxels/r.Len(lazy.X)), r.Max[lazy.X]}
	memory := make([][]uint64, len(f.steps))
	for t := range r.Tiles(strip) {
		t = t.Intersect(r)
		from := src[0] // larger than the strip, which a kernel finds its way in
		for n, s := range f.steps {
			d := s.Out
			if d == 0 {
				d = from.DType
			}
			words := lazy.Words(t, d)
			if len(memory[n]) < words {
				memory[n] = make([]uint64, words)
			}
			to := lazy.NewBlockIn(memory[n][:words], t, d)
			if t == r && n == len(f.steps)-1 {
				to = dst
			}
			if err := s.Compute(ctx, to, []*lazy.Block{from}); err != nil {
				return err
			}
			from = to
		}
		if from != dst {
			lazy.CopyRegion(dst, from, t)
		}
	}
	return nil
}
