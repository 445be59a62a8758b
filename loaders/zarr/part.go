package zarr

import (
	"context"
	"fmt"
	"iter"

	"lamella/lazy"
	"lamella/loaders"
)

// What lies in one file is finished, or missing, together: a chunk, or with sharding all chunks of a shard. Files are
// counted in storage order; a share is a run of them.

// past is what earlier runs left.
type past struct {
	finished []map[lazy.Index]bool // files of each level, by their first voxel
	left     []int                 // files of each level that are not finished
	first    int                   // of the files of the finest level that are this run's
	beyond   int
	sources  []lazy.Source // of the levels, to read what is finished; nil if nothing is
}

// lookBack finds out what earlier runs have finished.
func (w *writer) lookBack() error {
	units := w.levels[0].Meta.Shape.Whole().Cells(w.levels[0].shard())
	w.beyond = units
	if w.run.Way == loaders.Share {
		if w.run.Of < 1 || w.run.Share < 0 || w.run.Share >= w.run.Of {
			return fmt.Errorf("there is no share %d of %d: they are counted from 0", w.run.Share, w.run.Of)
		}
		w.first, w.beyond = units*w.run.Share/w.run.Of, units*(w.run.Share+1)/w.run.Of
	}
	var notes map[string]note
	if w.run.Way != loaders.Afresh {
		var err error
		if notes, err = w.folder.notes(); err != nil {
			return err
		}
	}
	for n, l := range w.levels {
		w.finished = append(w.finished, map[lazy.Index]bool{})
		w.left = append(w.left, 0)
		if len(notes) == 0 && w.run.Way != loaders.Share {
			w.left[n] = l.Meta.Shape.Whole().Cells(l.shard())
			continue
		}
		for unit := range w.units(n) {
			key := w.key(n, unit.Min)
			if note, ok := notes[key]; ok && w.folder.finished(key, note) {
				w.finished[n][unit.Min] = true
			} else {
				w.left[n]++
			}
		}
	}
	w.coarser.Wants = func(n int, cell lazy.Region) bool {
		unit := w.unit(n, cell)
		return !w.finished[n][unit.Min] && w.ours(n, unit)
	}
	if len(notes) > 0 {
		if err := w.openBack(); err != nil {
			return err
		}
	}
	if w.run.Way == loaders.Finish && w.left[0] > 0 {
		return fmt.Errorf("%d of %d files of voxels are missing: %s", w.left[0], units, w.folder.undone())
	}
	return nil
}

// openBack opens the part for reading.
func (w *writer) openBack() error {
	there, err := w.folder.back()
	if err != nil {
		return err
	}
	set, err := Driver{}.Open(context.Background(), loaders.Input{Path: w.path, Store: there})
	if err != nil {
		return err
	}
	for _, l := range set.Images[0].Levels {
		w.sources = append(w.sources, l.Array.Node().Source)
	}
	if len(w.sources) != len(w.levels) {
		return fmt.Errorf("the part has %d levels, not %d", len(w.sources), len(w.levels))
	}
	return nil
}

// unit is the voxels that lie in one file with a cell of a level.
func (w *writer) unit(n int, cell lazy.Region) lazy.Region {
	return lazy.Cell(cell.Min, w.levels[n].shard()).Intersect(w.levels[n].Meta.Shape.Whole())
}

// units are the files of a level that are this run's.
func (w *writer) units(n int) iter.Seq[lazy.Region] {
	return func(yield func(lazy.Region) bool) {
		for unit := range w.levels[n].Meta.Shape.Whole().Tiles(w.levels[n].shard()) {
			if unit = w.unit(n, unit); w.ours(n, unit) && !yield(unit) {
				return
			}
		}
	}
}

// ours reports whether a file of a level is made of files of the finest that are all this run's.
func (w *writer) ours(n int, unit lazy.Region) bool {
	if w.run.Way != loaders.Share {
		return true
	}
	first, last := w.span(n, unit)
	return first >= w.first && last < w.beyond
}

// span is the numbers of the first and the last file of the finest level that a file of a level is made of.
func (w *writer) span(n int, unit lazy.Region) (int, int) {
	var first, last lazy.Index
	for a := range lazy.Rank {
		f := w.levels[n].Factor[a]
		first[a], last[a] = unit.Min[a]*f, min(unit.Max[a]*f, w.meta.Shape[a])-1
	}
	return w.number(first), w.number(last)
}

// shared reports whether one of the shares could make a file of a level.
func (w *writer) shared(n int, unit lazy.Region) bool {
	if w.run.Of < 1 {
		return false
	}
	units := w.levels[0].Meta.Shape.Whole().Cells(w.levels[0].shard())
	first, last := w.span(n, unit)
	share := func(number int) int { return ((number+1)*w.run.Of - 1) / units } // begins at units*share/of
	return share(first) == share(last)
}

// number is that of the file in which a voxel of the finest level lies.
func (w *writer) number(at lazy.Index) int {
	n, unit := 0, w.levels[0].shard()
	for a := range lazy.Rank {
		n = n*((w.meta.Shape[a]+unit[a]-1)/unit[a]) + at[a]/unit[a]
	}
	return n
}

// Missing is the chunks of the finest level in files that are this run's and not finished, file by file.
func (w *writer) Missing() (iter.Seq[lazy.Region], int) {
	cells := func(yield func(lazy.Region) bool) {
		for unit := range w.units(0) {
			if w.finished[0][unit.Min] {
				continue
			}
			for cell := range unit.Tiles(w.grid) {
				if !yield(cell.Intersect(unit)) {
					return
				}
			}
		}
	}
	if len(w.finished[0]) == 0 && w.run.Way != loaders.Share {
		return cells, w.meta.Shape.Whole().Cells(w.grid)
	}
	n := 0
	for range cells {
		n++
	}
	return cells, n
}

// Recalls is the finished cells of each level that a file of the next that is not finished is made of.
func (w *writer) Recalls() []loaders.Recalled {
	var all []loaders.Recalled
	for n := 1; n < len(w.levels); n++ {
		if len(w.finished[n-1]) == 0 {
			continue
		}
		step := w.coarser.Step(n)
		finer := w.levels[n-1].Meta.Shape.Whole()
		for unit := range w.units(n) {
			if w.finished[n][unit.Min] {
				continue
			}
			for a := range lazy.Rank {
				unit.Min[a], unit.Max[a] = unit.Min[a]*step[a], unit.Max[a]*step[a]
			}
			for cell := range unit.Intersect(finer).Tiles(w.levels[n-1].chunk) {
				if cell = cell.Intersect(finer); w.finished[n-1][w.unit(n-1, cell).Min] {
					all = append(all, loaders.Recalled{Level: n - 1, Cell: cell})
				}
			}
		}
	}
	return all
}

// Recall reads a chunk of a level again.
func (w *writer) Recall(ctx context.Context, c loaders.Recalled) (loaders.Packed, error) {
	b := lazy.NewBlock(c.Cell, w.meta.DType)
	if _, err := w.sources[c.Level].Read(ctx, b); err != nil {
		return nil, fmt.Errorf("zarr: going on with %s: %w", w.path, err)
	}
	return packed{level: c.Level, region: c.Cell, reduced: w.coarser.ReduceFrom(c.Level, b)}, nil
}

// Verify reads every file of voxels that is this run's, but for those that shares have verified.
func (w *writer) Verify(ctx context.Context, progress func(done, total int)) error {
	notes, err := w.folder.notes()
	if err != nil {
		w.err = plain(err)
		return w.failed("verifying")
	}
	checked := func(n int, unit lazy.Region) bool { return w.run.Way == loaders.Finish && w.shared(n, unit) }
	done, total, bad := 0, 0, 0
	for n := range w.levels {
		for unit := range w.units(n) {
			if !checked(n, unit) {
				total++
			}
		}
	}
	for n := range w.levels {
		for unit := range w.units(n) {
			if checked(n, unit) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			key := w.key(n, unit.Min)
			note, ok := notes[key]
			if !ok {
				w.err = fmt.Errorf("no journal names %s", key)
				return w.failed("verifying")
			}
			if good, err := w.folder.verified(ctx, key, note); err != nil {
				w.err = fmt.Errorf("%s: %w", key, plain(err))
				return w.failed("verifying")
			} else if !good {
				if bad++; bad == 1 {
					w.err = fmt.Errorf("%s reads back other bytes than were written", key)
				}
			}
			if done++; progress != nil {
				progress(done, total)
			}
		}
	}
	if bad > 0 {
		w.err = fmt.Errorf("%w, %d of %d files in all: the disk or the memory is at fault", w.err, bad, total)
		if w.run.Way != loaders.Afresh {
			w.err = fmt.Errorf("%w; they were taken away, and --resume writes them again", w.err)
		}
		return fmt.Errorf("zarr: verifying %s: %w", w.path, w.err)
	}
	return nil
}
