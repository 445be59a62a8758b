package cli

import (
	"context"
	"path/filepath"

	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// box3 is the sum that the 3x3 mean of the benchmarks divides, as a user writes it.
const box3 = "(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1])"

// ridges is the stencil of the user's own: neither separable nor linear.
const ridges = `stencil border=blank text="
c2 = 2*x[0,0,0]
lap = .25*(x[-1,0,0] - c2 + x[1,0,0]) + (x[0,-1,0] - c2 + x[0,1,0]) + (x[0,0,-1] - c2 + x[0,0,1])
max(abs(lap), .5*abs(x[0,1,1] - x[0,-1,-1]))"`

// wholeCase times a filter over all of a file, from memory to memory.
func wholeCase(file, chain string) func(context.Context, *peer) (peerAnswer, error) {
	return func(ctx context.Context, p *peer) (peerAnswer, error) { return p.whole(ctx, file, chain) }
}

// planeCase times a filter on plane z of a file, with nothing remembered from run to run.
func planeCase(file, chain string, z int) func(context.Context, *peer) (peerAnswer, error) {
	return func(ctx context.Context, p *peer) (peerAnswer, error) { return p.plane(ctx, file, chain, z) }
}

func (p *peer) filtered(ctx context.Context, file, chain string) (lazy.Dataset, lazy.Array, error) {
	set, err := formats.Open(ctx, filepath.Join(p.data, file), loaders.Options{})
	if err != nil {
		return set, lazy.Array{}, err
	}
	c, err := filters.Parse(chain)
	if err != nil {
		return set, lazy.Array{}, err
	}
	a, err := c.Apply(set.Images[0].Levels[0].Array)
	return set, a, err
}

// whole fills an array that is there beforehand, as the other programs do. The file lies in the system's cache.
func (p *peer) whole(ctx context.Context, file, chain string) (peerAnswer, error) {
	set, a, err := p.filtered(ctx, file, chain)
	if err != nil {
		return peerAnswer{}, err
	}
	defer set.Close()
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	r := a.Meta().Shape.Whole()
	out := lazy.NewBlock(r, a.Meta().DType)
	clear(out.Memory()) // touched, as theirs is
	var stats engine.Stats
	times, err := timed(5, func() error {
		e.Clear()
		var err error
		stats, err = e.Fill(ctx, a, out, engine.Priority{Tier: engine.Background})
		return err
	})
	if err != nil {
		return peerAnswer{}, err
	}
	return peerAnswer{Times: times, Metrics: map[string]float64{"tasks_executed": float64(stats.TasksRun)}},
		writeAnswer(p.answer, []int{r.Len(lazy.Z), r.Len(lazy.Y), r.Len(lazy.X)}, out)
}

func (p *peer) plane(ctx context.Context, file, chain string, z int) (peerAnswer, error) {
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	var plane *lazy.Block
	var stats engine.Stats
	times, err := timed(7, func() error {
		set, a, err := p.filtered(ctx, file, chain)
		if err != nil {
			return err
		}
		defer set.Close()
		e.Clear()
		plane, stats, err = e.Get(ctx, a, a.Meta().Shape.Whole().With(lazy.Z, z, z+1), engine.Priority{})
		return err
	})
	if err != nil {
		return peerAnswer{}, err
	}
	return peerAnswer{Times: times, Metrics: map[string]float64{
		"chunks_decoded": float64(stats.ChunksRead), "tasks_executed": float64(stats.TasksRun),
	}}, writeAnswer(p.answer, []int{plane.Region.Len(lazy.Y), plane.Region.Len(lazy.X)}, plane)
}
