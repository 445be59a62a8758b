package cli

import (
	"context"
	"slices"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// sobelFull times all of a volume from its zarr to a new one of one level, in blosc-lz4; and, as metrics, with its coarser levels,
// with these in zstd, and from memory to memory.
func (p *peer) sobelFull(ctx context.Context) (peerAnswer, error) {
	set, edges, err := p.filtered(ctx, "mid_lz4.zarr", "sobel")
	if err != nil {
		return peerAnswer{}, err
	}
	defer set.Close()
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	j := export.Job{Array: edges, Region: edges.Meta().Shape.Whole(), Layout: loaders.Layout{Compression: "lz4", Levels: 1}}
	var answer *lazy.Block
	read := func(path string) error {
		written, err := formats.Open(ctx, path, loaders.Options{})
		if err != nil {
			return err
		}
		defer written.Close()
		answer, _, err = e.Get(ctx, written.Images[0].Levels[0].Array, j.Region, engine.Priority{})
		return err
	}
	if _, err := exported(ctx, e, j, nil, read); err != nil {
		return peerAnswer{}, err
	}
	once := func() error {
		e.Clear()
		_, err := exported(ctx, e, j, nil, nil)
		return err
	}
	times, err := timed(3, once)
	if err != nil {
		return peerAnswer{}, err
	}
	j.Layout.Levels = 0
	pyramid, err := timed(2, once)
	if err != nil {
		return peerAnswer{}, err
	}
	j.Layout.Compression = "zstd"
	zstd, err := timed(2, once)
	if err != nil {
		return peerAnswer{}, err
	}
	memory, err := p.sobelInMemory(ctx, e)
	if err != nil {
		return peerAnswer{}, err
	}
	r := j.Region
	return peerAnswer{Times: times, Metrics: map[string]float64{"pyramid_s": slices.Min(pyramid), "zstd_s": slices.Min(zstd), "memory_s": slices.Min(memory)}},
		writeAnswer(p.answer, []int{r.Len(lazy.Z), r.Len(lazy.Y), r.Len(lazy.X)}, answer)
}

// sobelInMemory times the same from a plain file, which lies in the system's cache, to an array that is there.
func (p *peer) sobelInMemory(ctx context.Context, e *engine.Engine) ([]float64, error) {
	set, edges, err := p.filtered(ctx, "mid_u16.npy", "sobel")
	if err != nil {
		return nil, err
	}
	defer set.Close()
	out := lazy.NewBlock(edges.Meta().Shape.Whole(), edges.Meta().DType)
	clear(out.Memory()) // touched, as theirs is
	return timed(4, func() error {
		e.Clear()
		_, err := e.Fill(ctx, edges, out, engine.Priority{Tier: engine.Background})
		return err
	})
}
