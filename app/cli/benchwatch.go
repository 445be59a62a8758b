package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/viewer"
)

func newBenchWatch(s *session) *cobra.Command {
	var m machine
	var runs int
	var view, chain string
	cmd := &cobra.Command{
		Use:   "watch SOURCE",
		Short: "Watch a deconvolution of the plane on view, as the window does, and time it",
		Long: `Shows the middle plane of a source in the window's own model, without a window, and watches the chain's deconvolution on it. It
tells how long it took from asking for it until the first iteration and until the last was on view; then it lets more
iterations begin, pauses, and tells how long it took until no processor worked on them any more.`,
		Example: "  lamella bench watch 'sample:blobs?shape=64x512x512&dtype=uint16' --filter 'richardson-lucy psf=gaussian(sigma=3.2,5,5,size=21,33,33)'",
		Args:    oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			var w, h int
			if n, err := fmt.Sscanf(view, "%dx%d", &w, &h); n != 2 || err != nil || w < 1 || h < 1 {
				return usagef("--view %s: expected a size such as 512x512", view)
			}
			var out watchedTimes
			for range runs {
				if err := out.run(cmd.Context(), &m, args[0], chain, w, h); err != nil {
					return err
				}
			}
			out.First, out.All, out.Cancel = percentile(out.Firsts, 0.5), percentile(out.Alls, 0.5), slices.Max(out.Cancels)
			return writeJSON(s.stdout, out)
		},
	}
	cmd.Flags().StringVar(&view, "view", "512x512", "`SIZE` of the picture in pixels")
	cmd.Flags().StringVar(&chain, "filter", "richardson-lucy psf=gaussian(sigma=3.2,5,5,size=21,33,33)", "`CHAIN` whose last deconvolution is watched")
	runsFlag(cmd, &runs)
	m.deviceFlags(cmd)
	return cmd
}

// watchedTimes is the answer: for each run, and the median of them, of cancelling the longest.
type watchedTimes struct {
	Firsts  []float64 `json:"firsts_s"`
	Alls    []float64 `json:"alls_s"`
	Cancels []float64 `json:"cancels_s"`
	First   float64   `json:"first_s"`
	All     float64   `json:"all_s"`
	Cancel  float64   `json:"cancel_most_s"`

	Iterations int    `json:"iterations"`
	Box        [2]int `json:"box"`     // along y and x
	Support    [3]int `json:"support"` // of the PSF
	Padded     [3]int `json:"padded"`
}

// run watches once, with an engine of its own.
func (t *watchedTimes) run(ctx context.Context, m *machine, source, text string, wide, high int) error {
	e, err := m.engine(0)
	if err != nil {
		return err
	}
	defer e.Close()
	set, err := formats.Open(ctx, source, loaders.Options{})
	if err != nil {
		return err
	}
	chain, err := viewer.ParseChain(text)
	if err != nil {
		return err
	}
	step := -1
	for i, s := range chain {
		if viewer.CanWatch(s) {
			step = i
		}
	}
	if step < 0 {
		return usagef("--filter %s: there is no deconvolution with iterations in the chain", text)
	}
	posts, drawn := make(chan func(), 64), make(chan struct{}, 1)
	v, err := viewer.Open(&set, viewer.Options{
		Engine: e, Post: func(f func()) { posts <- f },
		OnFrame: func() {
			select {
			case drawn <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		return err
	}
	defer func() { v.Close(); <-v.Closed() }()
	until := func(so func() bool) error {
		for !so() {
			select {
			case f := <-posts:
				f()
			case <-drawn:
			case <-ctx.Done():
				return ctx.Err()
			}
			if w, _ := v.Watched(); w.Err != nil {
				return w.Err
			}
			if f := v.Scene().Fault; f != nil && !errors.Is(f, filters.ErrOpen) { // which is being found
				return f
			}
		}
		return nil
	}
	done := func() bool {
		f := v.Frame()
		return f != nil && !f.Stale && !f.Partial && f.State.Size == v.State().Size
	}
	v.Act(viewer.Resize(wide, high))
	v.Act(viewer.MoveTo(lazy.Z, v.Scene().Meta().Shape[lazy.Z]/2))
	if err := until(done); err != nil {
		return err
	}
	began := time.Now()
	v.Act(viewer.SetChain(chain))
	v.Act(viewer.Watch(step))
	// seen waits until so many stages are there and a picture is finished that was drawn after the last of them came.
	seen := func(enough func(w viewer.Watched) bool) error {
		if err := until(func() bool { w, ok := v.Watched(); return ok && len(w.Stages) > 0 && enough(w) }); err != nil {
			return err
		}
		before := 0
		if f := v.Frame(); f != nil {
			before = f.Number
		}
		return until(func() bool { return done() && v.Frame().Number > before })
	}
	if err := seen(func(viewer.Watched) bool { return true }); err != nil {
		return err
	}
	t.Firsts = append(t.Firsts, time.Since(began).Seconds())
	if err := seen(func(w viewer.Watched) bool { return len(w.Stages) == len(w.All) }); err != nil {
		return err
	}
	t.Alls = append(t.Alls, time.Since(began).Seconds())
	w, _ := v.Watched()
	t.Iterations, t.Support, t.Padded = w.Until, w.Support.Size, w.Padded
	t.Box = [2]int{w.Box.Len(lazy.Y), w.Box.Len(lazy.X)}
	return t.cancel(v, e, until, w.Seconds)
}

// cancel lets more iterations begin, pauses a little later, and waits until the engine's workers are idle.
func (t *watchedTimes) cancel(v *viewer.Session, e *engine.Engine, until func(func() bool) error, iteration float64) error {
	v.Act(viewer.GoOn())
	if err := until(func() bool { w, _ := v.Watched(); return w.Going > 0 }); err != nil {
		return err
	}
	// Somewhere within the first iterations, at another place in each run.
	part := math.Mod(0.37*float64(len(t.Alls)), 1)
	time.Sleep(time.Duration((0.5 + part) * iteration * float64(time.Second)))
	began := time.Now()
	v.Act(viewer.PauseTrial(true))
	e.Close() // which waits for them
	t.Cancels = append(t.Cancels, time.Since(began).Seconds())
	return nil
}
