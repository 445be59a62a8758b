package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// sound reads the PSFs that the chain takes from files and says what is wrong with one, before anything is computed with it.
func (in *input) sound(ctx context.Context, m *machine) error {
	all, err := in.chain.Provisional().PSFs(in.level.Array)
	if err != nil {
		return err
	}
	for _, p := range all {
		if len(in.chain[p.Step:p.Step+1].Files()) == 0 { // a formula
			continue
		}
		e, err := m.engine(0)
		if err != nil {
			return err
		}
		defer e.Close()
		b, _, err := e.Get(ctx, p.Array, p.Array.Meta().Shape.Whole(), engine.Priority{})
		if err != nil {
			return fmt.Errorf("reading the PSF %s: %w", p.Name, err)
		}
		if _, err := p.Support(b); err != nil {
			return err
		}
	}
	return nil
}

// tellWork says what the deconvolutions of the chain take for a region of the image: blocks, memory, and how long at the pace of
// some iterations that it tries here.
func (in *input) tellWork(ctx context.Context, w io.Writer, m *machine, r lazy.Region) error {
	return in.tellMuch(ctx, w, m, r, 0)
}

// tellMuch is tellWork of those alone that compute so many times the voxels of the image.
func (in *input) tellMuch(ctx context.Context, w io.Writer, m *machine, r lazy.Region, times float64) error {
	of, all := "this region", in.level.Array.Meta().Shape.Whole()
	if in.array.Meta().Shape.Whole() != all { // another filter has changed the grid that the region is of
		r = all
	}
	if r == all {
		of = "the whole image"
	}
	for n, step := range in.chain {
		if step.Off || !step.Watchable() {
			continue
		}
		work, err := in.chain.Provisional().Work(in.level.Array, n)
		if err != nil {
			return err
		}
		work = work.Within(r)
		if work.Voxels < times*float64(step.Iterations())*voxels(in.level.Array.Meta().Shape) {
			continue
		}
		long := "how long cannot be told, since there is too little memory to try"
		switch pace, err := pace(ctx, m); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			long = lasting(work.Voxels * pace)
		case !errors.As(err, new(*engine.MemoryError)):
			return err
		}
		blocks := "one block"
		if work.Blocks > 1 {
			blocks = humanize.Comma(int64(work.Blocks)) + " blocks"
		}
		fmt.Fprintf(w, "lamella: %s of %s: %s of %s voxels, each computed as %s in %s, %s\n", step.Filter, of, blocks,
			lengths(work.Block), lengths(work.Padded), humanize.IBytes(uint64(work.Memory)), long)
	}
	return nil
}

// voxels is how many an image has.
func voxels(s lazy.Shape) float64 { return float64(s.Whole().Voxels()) }

func lengths(n [3]int) string { return fmt.Sprintf("%d x %d x %d", n[0], n[1], n[2]) }

// rough is a time to two digits.
func rough(d time.Duration) time.Duration {
	unit := time.Millisecond
	for d/unit >= 100 {
		unit *= 10
	}
	return d.Round(unit)
}

// lasting says how long so many seconds are.
func lasting(seconds float64) string {
	const year = 365 * 24 * 3600
	if seconds > 100*year {
		return "more than a hundred years"
	}
	return fmt.Sprint("about ", rough(time.Duration(seconds*float64(time.Second))))
}

// pace is the seconds that one voxel takes in one iteration: the better of two runs of as much as there is memory for.
func pace(ctx context.Context, m *machine) (best float64, err error) {
	e, err := m.engine(0)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	for _, side := range filters.PaceSides {
		if best, err = paceOf(ctx, e, side); !errors.As(err, new(*engine.MemoryError)) {
			break
		}
	}
	return best, err
}

func paceOf(ctx context.Context, e *engine.Engine, side int) (best float64, err error) {
	for range 2 {
		a, r, voxels, err := filters.Pace(4, side)
		if err != nil {
			return 0, err
		}
		e.Clear()
		began := time.Now()
		if _, _, err := e.Get(ctx, a, r, engine.Priority{}); err != nil {
			return 0, err
		}
		if p := time.Since(began).Seconds() / voxels; best == 0 || p < best {
			best = p
		}
	}
	return best, nil
}

// iterative is the last step of the chain that iterates, or -1.
func (in *input) iterative() int {
	n := len(in.chain) - 1
	for n >= 0 && (in.chain[n].Off || !in.chain[n].Watchable()) {
		n--
	}
	return n
}

// tellError says how far the last deconvolution of the chain, in its blocks, is from what all of the image gives in a region, or as
// much of it as a third of the memory holds. Of several channels it is the first.
func (in *input) tellError(ctx context.Context, w io.Writer, m *machine, r lazy.Region) error {
	n := in.iterative()
	e, err := m.engine(0)
	if err != nil {
		return err
	}
	defer e.Close()
	r = r.With(lazy.C, r.Min[lazy.C], r.Min[lazy.C]+1)
	_, memory := e.Memory()
	against, whole, err := in.chain.Against(in.level.Array, n, r.With(lazy.T, 0, 1).With(lazy.C, 0, 1), memory/3)
	if err != nil {
		return err
	}
	iterations := in.chain[n].Iterations()
	var blocks [2]*lazy.Block
	for i, of := range []func() (lazy.Array, error){
		func() (lazy.Array, error) { return in.chain[:n+1].Apply(in.level.Array) },
		func() (lazy.Array, error) { return against.At(iterations) },
	} {
		a, err := of()
		if err != nil {
			return err
		}
		if blocks[i], _, err = e.Get(ctx, a, r, engine.Priority{}); err != nil {
			return err
		}
	}
	apart := filters.Apart(blocks[0], blocks[1])
	than := "the whole image"
	if !whole {
		than = fmt.Sprintf("what reaches %s voxels around it", lengths(against.Halo()))
	}
	fmt.Fprintf(w, "lamella: after %d iterations %v in blocks differs from %s by at most %.3g %% of the brightest voxel, %.3g %% rms\n",
		iterations, r, than, 100*apart.Most, 100*apart.Mean)
	return nil
}
