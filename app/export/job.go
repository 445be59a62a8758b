package export

import (
	"context"
	"fmt"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// A Job is a region on its way into a file.
type Job struct {
	Array  lazy.Array
	Region lazy.Region // within the array
	View   View

	Channels []lazy.Channel // of the whole array; those of the region go into the file
	RGB      bool
	Name     string
	Recipe   loaders.Recipe
	Layout   loaders.Layout
	Flat     bool // one plane, whose file holds rows and columns alone where its format can
	Replace  bool // an existing file may be replaced

	Way       loaders.Way
	Share, Of int    // if Way is loaders.Share
	Place     string // of the array in its source, such as "image 0, level 0"
	stamp     string // of the files that the voxels are in; see Watched
	Verify    bool   // what was written is read and compared before the file has its name

	// Still says whether the source is what it was when the job was made. It is asked at the end, before the file
	// has its name, and may be nil.
	Still func(ctx context.Context) error
}

// Description is what the file of the job is to hold.
func (j Job) Description() loaders.Description {
	d := loaders.Description{
		Meta: j.View.meta(j.Array.Meta(), j.Region),
		Name: j.Name, Recipe: j.Recipe, Layout: j.Layout, Flat: j.Flat, Normal: lazy.Z, Overwrite: j.Replace, // the view has turned the normal to Z
		Run: loaders.Run{Way: j.Way, Share: j.Share, Of: j.Of, Part: j.part(), Voxels: fmt.Sprintf("%x%s", j.Array.Node().Origin, j.stamp)},
	}
	if all := j.Array.Meta().Shape[lazy.C]; len(j.Channels) == all {
		d.Channels = j.Channels[j.Region.Min[lazy.C]:j.Region.Max[lazy.C]]
		d.RGB = j.RGB && len(d.Channels) == all
	}
	return d
}

// For is the description of the file for a job that is run on an engine. Where the cells of the file are too large for the
// engine's memory it is refused before anything is made.
func (j Job) For(e *engine.Engine) loaders.Description {
	d := j.Description()
	d.Agree = func(grid lazy.Shape) error {
		_, budget := e.Memory()
		return j.enough(grid, 2, budget) // formats that ask pack their cells
	}
	return d
}

// part says in words which voxels of which array the file holds.
func (j Job) part() string {
	what := j.View.String() + " of " + j.Region.String()
	if j.Place != "" {
		what = j.Place + ", " + what
	}
	return what
}

// atOnce is the most bytes of a region that is computed in one request. Such a region is planned as
// a whole, and its voxels are held once more while they are written. Cells that are packed are computed each by itself, so that all
// processors pack.
const atOnce = 64 << 20

// Run computes the region and writes it to w, which it closes, or aborts if anything fails or ctx
// is cancelled. progress, which may be nil, is told how many parts of how many are done; it must
// return soon. A job that is not afresh computes what no earlier run has finished; that counts as done.
func Run(ctx context.Context, e *engine.Engine, j Job, w loaders.Writer, progress func(done, total int)) (engine.Stats, error) {
	var stats engine.Stats
	var err error
	_, budget := e.Memory()
	part, parted := w.(loaders.Part)
	copies := 1
	_, packs := w.(loaders.Packer)
	if packs {
		copies = 2
	}
	if err = j.enough(w.Grid(), copies, budget); err != nil {
		w.Abort()
		return stats, fmt.Errorf("export: %w", err)
	}
	if parted && j.Way != loaders.Afresh {
		stats, err = j.writeMissing(ctx, e, part, progress)
	} else if size := j.Region.Voxels() * j.Array.Meta().DType.Size(); size <= min(atOnce, int(budget/4)) && !(packs && j.inCells(w.Grid())) {
		stats, err = j.writeAtOnce(ctx, e, w, progress)
	} else {
		stats, err = j.writeInParts(ctx, e, w, progress)
	}
	if err == nil && j.Still != nil {
		err = j.Still(ctx)
	}
	if err == nil && j.stamp != "" && j.Way == loaders.Resume { // the shares that follow, and finish, look before they begin
		err = j.unchanged(ctx)
	}
	if err == nil && j.Verify && parted {
		err = part.Verify(ctx, progress)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		w.Abort()
		return stats, err
	}
	return stats, w.Close()
}

// enough says what is needed at least, before any work, when the cells of a grid, held so many times, leave too little of the
// budget to compute another from.
func (j Job) enough(grid lazy.Shape, copies int, budget int64) error {
	whole := j.Description().Meta.Shape.Whole()
	cell := lazy.At(lazy.Index{}, grid).Intersect(whole)
	size := int64(copies) * int64(cell.Voxels()) * int64(j.Array.Meta().DType.Size())
	least := size + size/2
	if budget >= least || int64(whole.Voxels())*int64(j.Array.Meta().DType.Size()) <= budget/4 {
		return nil
	}
	mib := func(n int64) float64 { return float64(n) / (1 << 20) }
	return fmt.Errorf("the file is made of cells of %v %v: at least %.1f MiB of memory are needed for one and what it is computed from, and %.1f are allowed", cell.Shape(), j.Array.Meta().DType, mib(least), mib(budget))
}

func (j Job) writeAtOnce(ctx context.Context, e *engine.Engine, w loaders.Writer, progress func(done, total int)) (engine.Stats, error) {
	began := time.Now()
	all := lazy.NewBlock(j.Region, j.Array.Meta().DType)
	keep := func(part *lazy.Block) error {
		lazy.CopyRegion(all, part, part.Region)
		return nil
	}
	stats, err := e.Stream(ctx, j.Array, j.Region, engine.Priority{Tier: engine.Background}, keep, progress)
	if err != nil {
		return stats, err
	}
	file := j.Description().Meta.Shape.Whole()
	for cell := range file.Tiles(w.Grid()) {
		part := lazy.NewBlock(cell.Intersect(file), all.DType)
		j.View.turn(part, all, j.Region.Min)
		if err := w.Write(ctx, part); err != nil {
			return stats, err
		}
	}
	stats.Seconds = time.Since(began).Seconds()
	return stats, nil
}

func (j Job) writeInParts(ctx context.Context, e *engine.Engine, w loaders.Writer, progress func(done, total int)) (engine.Stats, error) {
	grid := w.Grid()
	if j.inCells(grid) {
		p, ok := w.(loaders.Packer)
		if !ok {
			return e.Walk(ctx, j.Array, j.Region, grid, func(b *lazy.Block) error { return w.Write(ctx, j.moved(b)) }, progress)
		}
		return e.WalkPrepared(ctx, j.Array, j.Region, grid,
			func(b *lazy.Block) (any, error) { return p.Pack(ctx, j.moved(b)) },
			func(made any) error { return p.Put(ctx, made) }, progress)
	}
	// The cells of the file are not cells of a grid on the volume, so each is a request of its own.
	began := time.Now()
	sum := engine.Stats{Device: "cpu"}
	file := j.Description().Meta.Shape.Whole()
	done, total := 0, file.Cells(grid)
	for cell := range file.Tiles(grid) {
		part := lazy.NewBlock(cell.Intersect(file), j.Array.Meta().DType)
		b, stats, err := e.Get(ctx, j.Array, j.View.source(part.Region, j.Region.Min), engine.Priority{Tier: engine.Background})
		add(&sum, stats)
		if err != nil {
			return sum, err
		}
		j.View.turn(part, b, j.Region.Min)
		if err := w.Write(ctx, part); err != nil {
			return sum, err
		}
		if done++; progress != nil {
			progress(done, total)
		}
	}
	sum.VoxelsNeeded = lazy.Needed(j.Array, j.Region)
	sum.Seconds = time.Since(began).Seconds()
	return sum, nil
}

// moved is the same voxels, named by their place in the file.
func (j Job) moved(b *lazy.Block) *lazy.Block {
	m := *b
	for a := range lazy.Rank {
		m.Region.Min[a] -= j.Region.Min[a]
		m.Region.Max[a] -= j.Region.Min[a]
	}
	return &m
}

// add sums the work of requests that are parts of one.
func add(sum *engine.Stats, s engine.Stats) {
	sum.TasksTotal, sum.ChunksTotal = max(sum.TasksTotal, s.TasksTotal), max(sum.ChunksTotal, s.ChunksTotal)
	sum.PeakBytes = max(sum.PeakBytes, s.PeakBytes)
	sum.TasksPlanned += s.TasksPlanned
	sum.TasksRun += s.TasksRun
	sum.ChunksPlanned += s.ChunksPlanned
	sum.ChunksRead += s.ChunksRead
	sum.BytesRead += s.BytesRead
	sum.VoxelsOut += s.VoxelsOut
	sum.VoxelsComputed += s.VoxelsComputed
	sum.CacheHits += s.CacheHits
	sum.Device = s.Device
}

// inCells reports whether the cells of a grid over the file are those of one over the volume.
func (j Job) inCells(grid lazy.Shape) bool { return j.View == XY && j.fits(grid) }

// fits reports whether the cells of a grid over the file are cells of the same grid over the volume:
// on each axis the region begins at a cell's edge, or lies within one cell either way.
func (j Job) fits(grid lazy.Shape) bool {
	for a := range lazy.Rank {
		first, length := j.Region.Min[a], j.Region.Len(lazy.Axis(a))
		if first%grid[a] != 0 && (length > grid[a] || first%grid[a]+length > grid[a]) {
			return false
		}
	}
	return true
}
