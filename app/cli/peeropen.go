package cli

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// openCase times opening a stack and getting one plane of it, from a fresh open; as metrics, planes at random and row y
// of all planes.
func openCase(file string, z, y int) func(context.Context, *peer) (peerAnswer, error) {
	return func(ctx context.Context, p *peer) (peerAnswer, error) { return p.opening(ctx, file, z, y) }
}

func (p *peer) opening(ctx context.Context, file string, z, y int) (peerAnswer, error) {
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	var set lazy.Dataset
	var whole lazy.Region
	part := func(r lazy.Region) (*lazy.Block, error) {
		e.Clear()
		b, _, err := e.Get(ctx, set.Images[0].Levels[0].Array, r, engine.Priority{})
		return b, err
	}
	open := func() error {
		if set.Images != nil {
			set.Close()
		}
		var err error
		if set, err = formats.Open(ctx, filepath.Join(p.data, file), loaders.Options{}); err != nil {
			return err
		}
		whole = set.Images[0].Levels[0].Array.Meta().Shape.Whole()
		_, err = part(whole.With(lazy.Z, z, z+1))
		return err
	}
	times, err := timed(4, open)
	if err != nil {
		return peerAnswer{}, err
	}
	defer func() { set.Close() }()
	r := rand.New(rand.NewPCG(7, 7))
	planes, err := timed(40, func() error {
		at := r.IntN(whole.Len(lazy.Z))
		_, err := part(whole.With(lazy.Z, at, at+1))
		return err
	})
	if err != nil {
		return peerAnswer{}, err
	}
	slices.Sort(planes)
	var across *lazy.Block
	rows, err := timed(1, func() error {
		var err error
		across, err = part(whole.With(lazy.Y, y, y+1))
		return err
	})
	if err != nil {
		return peerAnswer{}, err
	}
	return peerAnswer{Times: times[1:], Metrics: map[string]float64{
		"random_plane_s": planes[len(planes)/2], "random_plane_p95_s": planes[len(planes)*95/100], "xz_plane_s": rows[0],
	}}, writeAnswer(p.answer, []int{across.Region.Len(lazy.Z), across.Region.Len(lazy.X)}, across)
}
