package engine

import (
	"context"
	"iter"
	"sync"
	"time"

	"lamella/lazy"
)

// Walk visits the cells of a grid over r in storage order, each cut to r, one at a time, on the calling
// goroutine. While visit works the next cells are computed, as many as fit in a share of the budget, so
// memory stays bounded whatever the size of r. progress is told how many cells of how many are done.
//
// Cells that are thinner along Z than the chunks beneath them are computed in slabs, so that a chunk is
// decoded once for all of its planes.
func (e *Engine) Walk(ctx context.Context, a lazy.Array, r lazy.Region, grid lazy.Shape, visit func(*lazy.Block) error, progress func(done, total int)) (Stats, error) {
	began := time.Now()
	sum := Stats{Device: "cpu"}
	as := func(made any) error { return visit(made.(*lazy.Block)) }
	err := e.walk(ctx, a, e.slabs(a, r, grid), &sum, nil, as, told(progress, r.Cells(grid)))
	return sum.end(began, a, r), err
}

// WalkPrepared is Walk for work on a cell that does not all depend on the cells before: prepare does what depends
// on the cell alone, such as compressing it. It is called for several cells at once, in any order, and keeps no
// block; visit gets what it made, in order. What it made counts in the budget as if it were as large as the cell.
func (e *Engine) WalkPrepared(ctx context.Context, a lazy.Array, r lazy.Region, grid lazy.Shape, prepare func(*lazy.Block) (any, error), visit func(made any) error, progress func(done, total int)) (Stats, error) {
	began := time.Now()
	sum := Stats{Device: "cpu"}
	err := e.walk(ctx, a, e.joined(a, e.slabs(a, r, grid)), &sum, prepare, visit, told(progress, r.Cells(grid)))
	return sum.end(began, a, r), err
}

// WalkCells is WalkPrepared over cells of the caller's own choice, in their order. progress is told how many are done.
func (e *Engine) WalkCells(ctx context.Context, a lazy.Array, cells iter.Seq[lazy.Region], prepare func(*lazy.Block) (any, error), visit func(made any) error, progress func(done int)) (Stats, error) {
	began := time.Now()
	sum := Stats{Device: "cpu"}
	out, needed := 0, 0
	slabs := func(yield func(slab) bool) {
		for cell := range cells {
			out, needed = out+cell.Voxels(), needed+lazy.Needed(a, cell)
			if !yield(slab{cell, []lazy.Region{cell}}) {
				return
			}
		}
	}
	err := e.walk(ctx, a, e.joined(a, slabs), &sum, prepare, visit, progress)
	sum.Seconds = time.Since(began).Seconds()
	sum.VoxelsOut, sum.VoxelsNeeded = out, needed
	return sum, err
}

func told(progress func(done, total int), total int) func(done int) {
	if progress == nil {
		return nil
	}
	return func(done int) { progress(done, total) }
}

// end completes the counters of a walk over r.
func (s Stats) end(began time.Time, a lazy.Array, r lazy.Region) Stats {
	s.Seconds = time.Since(began).Seconds()
	s.VoxelsOut, s.VoxelsNeeded = r.Voxels(), lazy.Needed(a, r)
	return s
}

// A slab is what a walk computes at a time: some cells, in one piece.
type slab struct {
	region lazy.Region
	cells  []lazy.Region
}

// A step is one slab of a walk, on its way from computing to visiting.
type step struct {
	slab
	block *lazy.Block
	made  []any // of each cell, by prepare; there is no block then
	stats Stats
	err   error
	done  chan struct{}
}

// cell is what is visited of the i-th cell of the slab.
func (s *step) cell(i int) any {
	if s.made != nil {
		return s.made[i]
	}
	return cut(s.block, s.cells[i])
}

func (e *Engine) walk(ctx context.Context, a lazy.Array, slabs iter.Seq[slab], sum *Stats, prepare func(*lazy.Block) (any, error), visit func(any) error, progress func(done int)) error {
	ctx, cancel := context.WithCancel(ctx)
	ahead := make(chan *step, max(0, e.workers-1)) // bounds how far computing runs ahead of visiting: one more than there are workers
	bytes := func(s *step) int64 {
		n := int64(s.region.Voxels()) * int64(a.Meta().DType.Size())
		if prepare != nil {
			n *= 2
		}
		return n
	}
	var wg sync.WaitGroup
	defer func() { // what was computed and not visited gives its memory back
		cancel()
		for s := range ahead {
			<-s.done
			e.free(bytes(s))
		}
		wg.Wait()
	}()
	var failed error // of the feeder, read after ahead is closed
	wg.Go(func() {
		defer close(ahead)
		for slab := range slabs {
			s := &step{slab: slab, done: make(chan struct{})}
			// Memory is held in order, so that the next slab to visit never waits for a later one.
			if failed = e.hold(ctx, bytes(s), Background); failed != nil {
				return
			}
			wg.Go(func() {
				defer close(s.done)
				if prepare == nil {
					s.block, s.stats, s.err = e.assemble(ctx, a, s.region, Priority{Tier: Background, Once: true}, newBlock)
					return
				}
				e.makeAndPrepare(ctx, a, s, prepare)
			})
			ahead <- s
		}
	})
	done := 0
	for s := range ahead {
		<-s.done
		sum.add(s.stats)
		err := s.err
		if err == nil {
			for i := range s.cells {
				if err = visit(s.cell(i)); err != nil {
					break
				}
				done++
				if progress != nil {
					progress(done)
				}
			}
		}
		e.free(bytes(s))
		if err != nil {
			return err
		}
	}
	return failed
}

// makeAndPrepare computes a slab and prepares its cells. A cell that is a tile is looked at where it lies, others are put
// together in memory that serves for the next.
func (e *Engine) makeAndPrepare(ctx context.Context, a lazy.Array, s *step, prepareNow func(*lazy.Block) (any, error)) {
	prepare := func(b *lazy.Block) (made any, err error) {
		e.inTurn(ctx, func() { made, err = prepareNow(b) })
		return made, err
	}
	s.made = make([]any, len(s.cells))
	together := make([]*lazy.Block, len(s.cells))
	s.stats, s.err = e.stream(ctx, a, s.region, Priority{Tier: Background, Once: true}, nil, func(tile *lazy.Block) (_ bool, err error) {
		for i, cell := range s.cells {
			both := tile.Region.Intersect(cell)
			if tile.Region == cell {
				s.made[i], err = prepare(tile)
				return false, err
			}
			if both.Empty() {
				continue
			}
			if together[i] == nil {
				together[i] = e.block(ctx, cell, tile.DType)
			}
			lazy.CopyRegion(together[i], tile, both)
		}
		return false, nil
	})
	for i, b := range together {
		if b == nil {
			continue
		}
		if s.err == nil {
			s.err = ctx.Err()
		}
		if s.err == nil {
			s.made[i], s.err = prepare(b)
		}
		e.recycle(b)
	}
}

// joined puts slabs that follow each other along X into one where they lie in the same tiles, as far as a sixteenth of the
// budget holds it: else each tile would wait in the cache for the next slab.
func (e *Engine) joined(a lazy.Array, slabs iter.Seq[slab]) iter.Seq[slab] {
	_, budget := e.Memory()
	most := int(budget) / 16 / a.Meta().DType.Size()
	return func(yield func(slab) bool) {
		var s slab
		for next := range slabs {
			width := lazy.LayoutFor(next.region).Grid(a.Node())[lazy.X]
			both := s.region
			both.Max[lazy.X] = next.region.Max[lazy.X]
			follows := next.region == both.With(lazy.X, s.region.Max[lazy.X], both.Max[lazy.X])
			if follows && both.Min[lazy.X]/width == (both.Max[lazy.X]-1)/width && both.Voxels() <= most {
				s.region, s.cells = both, append(s.cells, next.cells...)
				continue
			}
			if s.cells != nil && !yield(s) {
				return
			}
			s = next
		}
		if s.cells != nil {
			yield(s)
		}
	}
}

// slabs cuts r into slabs of cells of a grid.
func (e *Engine) slabs(a lazy.Array, r lazy.Region, grid lazy.Shape) iter.Seq[slab] {
	return func(yield func(slab) bool) {
		for at := range r.Tiles(e.slabGrid(a, r, grid)) {
			s := slab{region: at.Intersect(r)}
			for cell := range s.region.Tiles(grid) {
				s.cells = append(s.cells, cell.Intersect(s.region))
			}
			if !yield(s) {
				return
			}
		}
	}
}

// slabGrid is a multiple of the grid along Z that spans a chunk of the deepest-chunked source, or a tile of an op that has
// its own, as far as an
// eighth of the budget holds it. Slabs keep the storage order of the cells only where a cell is a whole
// plane, so other grids stay as they are.
func (e *Engine) slabGrid(a lazy.Array, r lazy.Region, grid lazy.Shape) lazy.Shape {
	if grid[lazy.T] != 1 || grid[lazy.C] < r.Len(lazy.C) || grid[lazy.Y] < r.Len(lazy.Y) || grid[lazy.X] < r.Len(lazy.X) {
		return grid
	}
	_, budget := e.Memory()
	plane := lazy.At(r.Min, grid).Intersect(r).Voxels() * a.Meta().DType.Size()
	k := min(chunkDepth(a.Node())/grid[lazy.Z], int(budget)/8/max(1, plane))
	grid[lazy.Z] *= max(1, k)
	return grid
}

func chunkDepth(n *lazy.Node) int {
	if n.Source != nil {
		return n.Meta.Chunk[lazy.Z]
	}
	d := 1
	if t, ok := n.Op.(lazy.Tiler); ok {
		d = t.Tile(n.Meta)[lazy.Z]
	}
	for _, in := range n.In {
		d = max(d, chunkDepth(in))
	}
	return d
}
