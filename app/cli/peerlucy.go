package cli

import (
	"context"
	"path/filepath"
	"slices"

	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// lucyIterations is how many the benchmark does.
const lucyIterations = 10

// lucy times a deconvolution of a small volume, its transform of the PSF and all its memory included.
func (p *peer) lucy(ctx context.Context) (peerAnswer, error) {
	image, err := formats.Open(ctx, filepath.Join(p.data, "rl_image.npy"), loaders.Options{})
	if err != nil {
		return peerAnswer{}, err
	}
	defer image.Close()
	psf, err := formats.Open(ctx, filepath.Join(p.data, "rl_psf.npy"), loaders.Options{})
	if err != nil {
		return peerAnswer{}, err
	}
	defer psf.Close()
	a, err := deconvolved(image.Images[0].Levels[0].Array, psf.Images[0].Levels[0].Array)
	if err != nil {
		return peerAnswer{}, err
	}
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	r := a.Meta().Shape.Whole()
	out := lazy.NewBlock(r, a.Meta().DType)
	clear(out.Memory())
	var stats engine.Stats
	times, err := timed(3, func() error {
		e.Clear()
		var err error
		stats, err = e.Fill(ctx, a, out, engine.Priority{Tier: engine.Background})
		return err
	})
	if err != nil {
		return peerAnswer{}, err
	}
	return peerAnswer{Times: times, Metrics: map[string]float64{
		"per_iteration_s": slices.Min(times) / lucyIterations, "tasks_executed": float64(stats.TasksRun), "peak_mb": float64(e.Counters().PeakBytes) / 1e6,
	}}, writeAnswer(p.answer, []int{r.Len(lazy.Z), r.Len(lazy.Y), r.Len(lazy.X)}, out)
}

// deconvolved is scikit-image's Richardson-Lucy of an image.
func deconvolved(image, psf lazy.Array) (lazy.Array, error) {
	c, err := filters.Parse("richardson-lucy psf=psf iterations=10 start=0.5 edges=zero")
	if err == nil {
		c, err = c.Open(func(string) (lazy.Array, error) { return psf, nil })
	}
	if err == nil {
		c, err = c.Settle(image, nil)
	}
	if err != nil {
		return lazy.Array{}, err
	}
	return c.Apply(image)
}
