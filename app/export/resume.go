package export

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// Watched is a job that several runs do, with the state in which the files of its source are: what is begun with one is not gone on
// with in another, nor closed when it has changed on the way.
func (j Job) Watched(ctx context.Context) (Job, error) {
	var err error
	if j.stamp, err = loaders.Stamp(ctx, j.Array); err != nil {
		return j, fmt.Errorf("export: looking at the files of %s: %w", j.Recipe.Source, err)
	}
	return j, nil
}

// unchanged says whether the files of the source are in the state that they were in.
func (j Job) unchanged(ctx context.Context) error {
	now, err := j.Watched(ctx)
	if err == nil && now.stamp != j.stamp {
		err = fmt.Errorf("%s has changed while it was being read", j.Recipe.Source)
	}
	return err
}

// writeMissing writes the cells that no earlier run has finished, in the order of the part, each computed and packed
// by itself, and sees to the coarser levels of what is there.
func (j Job) writeMissing(ctx context.Context, e *engine.Engine, w loaders.Part, progress func(done, total int)) (engine.Stats, error) {
	began := time.Now()
	total := j.Description().Meta.Shape.Whole().Cells(w.Grid())
	cells, missing := w.Missing()
	there := total - missing
	if j.Way == loaders.Share {
		total, there = missing, 0
	}
	if progress != nil {
		progress(there, total)
	}
	if err := recall(ctx, w); err != nil {
		return engine.Stats{}, err
	}
	if missing == 0 {
		return engine.Stats{Device: "cpu", Seconds: time.Since(began).Seconds()}, nil
	}
	stats, err := e.WalkCells(ctx, j.Array, j.sources(cells),
		func(b *lazy.Block) (any, error) {
			if j.View == XY {
				return w.Pack(ctx, j.moved(b))
			}
			part := lazy.NewBlock(j.View.target(b.Region, j.Region.Min), b.DType)
			j.View.turn(part, b, j.Region.Min)
			return w.Pack(ctx, part)
		},
		func(made any) error { return w.Put(ctx, made) },
		func(done int) {
			if progress != nil {
				progress(there+done, total)
			}
		})
	stats.Seconds = time.Since(began).Seconds()
	return stats, err
}

// sources are the parts of the array that cells of the file hold.
func (j Job) sources(cells iter.Seq[lazy.Region]) iter.Seq[lazy.Region] {
	return func(yield func(lazy.Region) bool) {
		for cell := range cells {
			if !yield(j.View.source(cell, j.Region.Min)) {
				return
			}
		}
	}
}

// readers is how many cells are read again at once.
const readers = 4

// recall hands the writer the finished cells that its coarser levels still need.
func recall(ctx context.Context, w loaders.Part) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan loaders.Recalled)
	made := make(chan loaders.Packed)
	var readings sync.WaitGroup
	for range readers {
		readings.Go(func() {
			for c := range todo {
				p, err := w.Recall(ctx, c)
				if err != nil {
					cancel(err)
					return
				}
				select {
				case made <- p:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		defer func() {
			close(todo)
			readings.Wait()
			close(made)
		}()
		for _, c := range w.Recalls() {
			select {
			case todo <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	for p := range made {
		if ctx.Err() == nil {
			if err := w.Put(ctx, p); err != nil {
				cancel(err)
			}
		}
	}
	return context.Cause(ctx)
}
