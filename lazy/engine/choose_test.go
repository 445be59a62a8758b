package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A priced desk says what it takes, by the names of ops.
type priced struct {
	*desk
	ns       map[string]float64
	up, back float64
}

func (p priced) Price(n *lazy.Node) (float64, bool) {
	ns, known := p.ns[n.Op.Name()]
	return ns, known
}

func (p priced) Carriage() (up, back float64) { return p.up, p.back }

// A named op is a box sum with a price on the processor: it sets the clock forward.
type named struct {
	lazytest.BoxSum
	name  string
	ns    int64 // a voxel
	clock *atomic.Int64
}

func (n named) Name() string { return n.name }
func (n named) Key() string  { return n.name + n.BoxSum.Key() }
func (n named) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	n.clock.Add(n.ns * int64(dst.Len()))
	return n.BoxSum.Compute(ctx, dst, src)
}

// A plane of the chain is 240 voxels, whose uint8 chunks of two planes are 480 bytes and whose float64 result
// is 1920.
func TestTheExecutorIsChosenByWhatAFragmentTakes(t *testing.T) {
	for _, c := range []struct {
		name     string
		cpu      []int64 // ns a voxel of each op of the chain on the processor
		gpu      float64 // of each on the device; negative if it has never run there
		up, back float64 // ns a byte
		takes    func(name string) bool
		want     string
	}{
		{"a device that is faster", []int64{100, 100}, 1, 1, 1, nil, "gpu"},
		{"one that is slower", []int64{1, 1}, 100, 0, 0, nil, "cpu"},
		{"as fast, but the way there costs", []int64{10, 10}, 5, 10, 0, nil, "cpu"},
		{"as fast, but the way back costs", []int64{10, 10}, 5, 0, 2, nil, "cpu"},
		{"a long chain pays for the way", []int64{10, 10, 10, 10, 10, 10}, 5, 3, 1, nil, "gpu"},
		{"a short one does not", []int64{10}, 5, 3, 1, nil, "cpu"},
		{"what was never tried is tried", []int64{1, 1}, -1, 1000, 1000, nil, "gpu"},
		{"two fragments are chosen each for itself", []int64{1000, 1, 1}, 10, 1, 1, func(name string) bool { return name != "op 1" }, "mixed"},
	} {
		var clock atomic.Int64
		a := lazytest.Array(chainMeta, ramp)
		d := priced{newDesk(64 << 20), map[string]float64{}, c.up, c.back}
		for i, ns := range c.cpu {
			op := named{lazytest.BoxSum{}, "op " + string(rune('0'+i)), ns, &clock}
			if c.gpu >= 0 {
				d.ns[op.name] = c.gpu
			}
			a = apply(t, op, a)
		}
		if c.takes != nil {
			d.takes = func(n *lazy.Node) bool { return c.takes(n.Op.Name()) }
		}
		e := engine.New(engine.Options{Workers: 1, Device: engine.Cheaper(d)})
		e.SetClock(func() time.Time { return time.Unix(0, clock.Load()) })
		plane := func(z int) lazy.Region { return chainMeta.Shape.Whole().With(lazy.Z, z, z+1) }
		if _, s, err := e.Get(context.Background(), a, plane(0), engine.Priority{}); err != nil || s.Device != "cpu" {
			t.Errorf("%s: what was never measured ran on %q, %v", c.name, s.Device, err)
		}
		got, s, err := e.Get(context.Background(), a, plane(2), engine.Priority{})
		if err != nil || s.Device != c.want {
			t.Errorf("%s: ran on %q, %v, want %q", c.name, s.Device, err, c.want)
		}
		sameBlock(t, got, plain(t, a, plane(2)))
		d.closed(t, e)
	}
}
