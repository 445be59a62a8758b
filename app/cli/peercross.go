package cli

import (
	"context"
	"slices"

	"lamella/app/formats"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// crossSource is 100,000 x 100,000 random numbers in chunks of 1000 x 1000, 80 GB that no file holds.
const crossSource = "sample:random?shape=100000x100000&chunk=1000x1000&dtype=float64"

// cross times x[5000,:] + x[:,5000]ᵀ of a square of random numbers: by single lines, which the source can be asked
// for, and afterwards, as a metric, by the whole chunks that the lines touch: 1.6 GB.
func (p *peer) cross(ctx context.Context) (peerAnswer, error) {
	set, err := formats.Open(ctx, crossSource, loaders.Options{})
	if err != nil {
		return peerAnswer{}, err
	}
	defer set.Close()
	source := set.Images[0].Levels[0].Array.Node().Source
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	var line *lazy.Block
	var stats engine.Stats
	once := func(s lazy.Source) func() error {
		return func() error {
			e.Clear()
			sum, err := crossOf(lazy.FromSource(s))
			if err == nil {
				line, stats, err = e.Get(ctx, sum, sum.Meta().Shape.Whole(), engine.Priority{})
			}
			return err
		}
	}
	times, err := timed(7, once(anyRegion{source}))
	if err != nil {
		return peerAnswer{}, err
	}
	peak, lines := peakMB(), stats
	chunks, err := timed(3, once(source))
	if err != nil {
		return peerAnswer{}, err
	}
	return peerAnswer{Times: times, Metrics: map[string]float64{
		"peak_rss_mb": peak, "chunks_s": slices.Min(chunks), "chunks_decoded": float64(lines.ChunksRead), "tasks_before": float64(lines.TasksTotal),
		"tasks_after": float64(lines.TasksPlanned), "tasks_executed": float64(lines.TasksRun),
	}}, writeAnswer(p.answer, []int{line.Len()}, line)
}

// crossOf is the sum of a row of an array and of a column, as a row of float32.
func crossOf(x lazy.Array) (lazy.Array, error) {
	row, err := lazy.Take(x, lazy.Y, 5000)
	if err != nil {
		return lazy.Array{}, err
	}
	column, err := lazy.Take(x, lazy.X, 5000)
	if err != nil {
		return lazy.Array{}, err
	}
	sum, err := stencil.Map("x + y", row, lazy.SwapAxes(column, lazy.Y, lazy.X))
	if err != nil {
		return lazy.Array{}, err
	}
	return stencil.Cast(sum, lazy.F32)
}

// anyRegion is a source that is computed and so can be asked for any region of it.
type anyRegion struct{ lazy.Source }

// Grain implements lazy.Grainer.
func (anyRegion) Grain(r lazy.Region) lazy.Region { return r }

// ID tells its blocks from those that are whole chunks.
func (a anyRegion) ID() string { return a.Source.ID() + " by any region" }
