package zarr

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// Create begins an OME-Zarr image at path, of version 0.4 (Zarr 2) or 0.5 (Zarr 3), with as many coarser levels as
// it takes until one is a chunk or two wide; they are made while the finest is written. Chunks are packed by
// blosc with zstd. From version 0.5 on they may lie together in shards.
//
// It grows in path with ".part" behind it and takes its name when it is closed; nothing in it depends on the
// time or the machine. A ".part" that an earlier run left is refused like an existing file, unless the description
// says that this run goes on with it. The writer is a loaders.Part.
func (Driver) Create(path string, d loaders.Description) (loaders.Writer, error) {
	if !store.IsAddress(path) {
		path = filepath.Clean(path)
	}
	w, err := create(path, d)
	path = store.Plain(path)
	if err != nil {
		return nil, fmt.Errorf("zarr: writing %s: %w", path, err)
	}
	return w, nil
}

func create(path string, d loaders.Description) (*writer, error) {
	m := d.Meta
	if !m.DType.Valid() {
		return nil, errors.New("the type of the voxels is not known")
	}
	for _, n := range m.Shape {
		if n < 1 {
			return nil, unsupported("shape %v", m.Shape)
		}
	}
	w := &writer{path: store.Plain(path), meta: m, grid: gridFor(m.Shape), run: d.Run, chunks: make(shelf, onShelf)}
	form, err := formFor(d.Layout, m.DType)
	if err != nil {
		return nil, err
	}
	w.pack = form.pack
	levels := loaders.AtMost(d.Layout.Levels, loaders.Levels(m, keepFor(w.grid), lazy.Z, lazy.Y, lazy.X))
	for n, l := range levels {
		layout, err := layoutFor(l.Meta.Shape, w.grid, d.Layout.Shard)
		if err != nil {
			return nil, err
		}
		w.levels = append(w.levels, level{strconv.Itoa(n), l, layout})
	}
	w.name = form.key
	objects, err := form.objects(d, w.levels)
	if err != nil {
		return nil, err
	}
	if w.folder, err = siteOf(path, d, objects); err != nil {
		return nil, err
	}
	if d.Agree != nil {
		if err := d.Agree(w.grid); err != nil {
			return nil, err
		}
	}
	err = w.folder.begin(requestOf(d, objects))
	if err == nil {
		w.coarser = loaders.NewPyramid(levels, w.grid, w.finish, w.folder.draft)
		if err = plain(w.lookBack()); err != nil {
			w.Abort()
		}
	}
	if err != nil {
		if w.folder.closed() { // by a run that was at work when this one began
			err = loaders.ErrComplete
		}
		return nil, err
	}
	return w, nil
}

// Chunks hold 16 x 256 x 256 voxels, or 1024 x 1024 of data that are hardly deep: few enough bytes to
// show one plane soon, few enough objects for a file system.
var (
	deepChunk = lazy.Shape{1, 16, 1, 256, 256}
	flatChunk = lazy.Shape{1, 1, 1, 1024, 1024}
)

const shallow = 8 // planes

func gridFor(s lazy.Shape) lazy.Shape {
	g := deepChunk
	if s[lazy.Z] < shallow {
		g = flatChunk
	}
	for a := range lazy.Rank {
		g[a] = min(g[a], s[a])
	}
	return g
}

// keepFor is how long the coarsest level may be: as wide as a chunk, and about as deep as it is wide.
func keepFor(grid lazy.Shape) lazy.Shape {
	grid[lazy.Z] = deepChunk[lazy.X]
	return grid
}

// A level is one array of the image.
type level struct {
	path string
	loaders.Reduced
	layout
}

// A layout is how an array is cut up: into chunks, and these, if there are shards, lie together in files of
// several.
type layout struct {
	chunk lazy.Shape
	cells lazy.Shape // chunks of a shard along each axis; 0 if there are none
}

// layoutFor is the layout of a level. An axis that one cell of the grid covers has a chunk just as long, and
// shards of one chunk.
func layoutFor(s, grid, shard lazy.Shape) (layout, error) {
	var l layout
	for a := range lazy.Axis(lazy.Rank) {
		l.chunk[a] = min(grid[a], s[a])
		if shard == (lazy.Shape{}) {
			continue
		}
		l.cells[a] = 1
		if shard[a] > 0 && s[a] > grid[a] {
			if shard[a]%grid[a] != 0 {
				return l, unsupported("a shard of %d voxels along %v, where a chunk has %d and a shard holds whole chunks", shard[a], a, grid[a])
			}
			l.cells[a] = shard[a] / grid[a]
		}
	}
	if n := l.cells.Voxels(); n > maxIndex/16 {
		return l, unsupported("a shard of %d chunks, more than %d", n, maxIndex/16)
	}
	return l, nil
}

func (l layout) sharded() bool { return l.cells != (lazy.Shape{}) }

// shard is the voxels that one file holds.
func (l layout) shard() lazy.Shape {
	s := l.chunk
	for a := range lazy.Rank {
		if l.sharded() {
			s[a] *= l.cells[a]
		}
	}
	return s
}

// stored is the order in which OME-Zarr wants the axes.
var stored = loaders.Axes{lazy.T, lazy.C, lazy.Z, lazy.Y, lazy.X}

// writer takes the chunks of the finest level.
type writer struct {
	path    string
	meta    lazy.Meta
	grid    lazy.Shape
	levels  []level
	pack    func(dst, src []byte) ([]byte, error)
	name    func(index []int) string // of a chunk, below its array
	coarser *loaders.Pyramid
	folder  site
	ctx     context.Context // of the Put under way
	shards  shards
	chunks  shelf
	run     loaders.Run
	past
	done  int // chunks of the finest level written
	err   error
	ended bool
}

// Grid is the chunks.
func (w *writer) Grid() lazy.Shape { return w.grid }

// packed is a chunk and the part of the next coarser level that it makes.
type packed struct {
	level   int
	region  lazy.Region
	chunk   *[]byte // recycled by Put; nil if it is stored already
	reduced *lazy.Block
}

// Pack compresses a chunk of the finest level.
func (w *writer) Pack(ctx context.Context, b *lazy.Block) (loaders.Packed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if cell := lazy.Cell(b.Region.Min, w.grid); b.DType != w.meta.DType || b.Region != cell.Intersect(w.meta.Shape.Whole()) {
		return nil, fmt.Errorf("zarr: writing %s: a block of %v %v is no chunk of an array of %v %v", w.path, b.Region, b.DType, w.meta.Shape, w.meta.DType)
	}
	chunk, err := w.compress(0, b)
	if err != nil {
		return nil, fmt.Errorf("zarr: writing %s: %w", w.path, err)
	}
	return packed{0, b.Region, chunk, w.coarser.Reduce(b)}, nil
}

// compress makes the bytes of a chunk of a level, in a recycled buffer.
func (w *writer) compress(n int, b *lazy.Block) (*[]byte, error) {
	// A chunk is always whole; what lies beyond the shape is 0.
	voxels := b.Bytes()
	if cell := lazy.Cell(b.Region.Min, w.levels[n].chunk); b.Region != cell {
		buffer := buffers.Get().(*[]byte)
		defer buffers.Put(buffer)
		voxels = sized(buffer, cell.Voxels()*b.DType.Size())
		clear(voxels)
		loaders.Strided{Origin: cell.Min, Stride: stored.Strides(w.levels[n].chunk)}.Save(voxels, b, b.Region)
	}
	if size := b.DType.Size(); size > 1 && native != little {
		voxels = append([]byte(nil), voxels...)
		codec.Swap(voxels, size)
	}
	out := w.chunks.take()
	var err error
	*out, err = w.pack((*out)[:0], voxels)
	return out, err
}

// A shelf is buffers of packed chunks that have been written. The collector takes what lies in a sync.Pool; these are all
// about as long, and memory for new ones can take longer to get than a chunk to pack.
type shelf chan *[]byte

// onShelf is how many are kept: more than a walk has under way at a time.
const onShelf = 8

func (s shelf) take() *[]byte {
	select {
	case p := <-s:
		return p
	default:
		return new([]byte)
	}
}

func (s shelf) put(p *[]byte) {
	select {
	case s <- p:
	default:
	}
}

// Put stores a chunk that Pack made.
func (w *writer) Put(ctx context.Context, p loaders.Packed) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.ctx = ctx
	c, ok := p.(packed)
	if w.err == nil && !ok {
		w.err = fmt.Errorf("%T was made by another writer", p)
	}
	if w.err == nil && c.chunk != nil {
		w.done++
		w.err = w.store(0, c.region, c.chunk)
	}
	if w.err == nil {
		w.err = w.coarser.AddTo(c.level+1, c.reduced)
	}
	if w.err != nil {
		return w.failed("writing")
	}
	return nil
}

// failed is why the run ends, which wraps loaders.ErrComplete if the reason is that another has finished the file.
func (w *writer) failed(doing string) error {
	if !errors.Is(w.err, loaders.ErrComplete) && !errors.Is(w.err, context.Canceled) && w.folder.closed() {
		w.err = loaders.ErrComplete
	}
	return fmt.Errorf("zarr: %s %s: %w", doing, w.path, plain(w.err))
}

// Write is Pack and Put.
func (w *writer) Write(ctx context.Context, b *lazy.Block) error {
	p, err := w.Pack(ctx, b)
	if err != nil {
		if w.err == nil && ctx.Err() == nil {
			w.err = err
		}
		return err
	}
	return w.Put(ctx, p)
}

// finish stores a chunk of a coarser level.
func (w *writer) finish(n int, b *lazy.Block) error {
	chunk, err := w.compress(n, b)
	if err != nil {
		return err
	}
	return w.store(n, b.Region, chunk)
}

// store writes the bytes of the chunk of a region into its file.
func (w *writer) store(n int, r lazy.Region, chunk *[]byte) error {
	l := w.levels[n]
	after := func() { w.chunks.put(chunk) }
	if !l.sharded() {
		w.left[n]--
		return w.folder.chunk(w.ctx, w.key(n, r.Min), *chunk, after)
	}
	defer after()
	whole, err := w.shards.put(w.ctx, w.folder, w.key(n, r.Min), l, r, *chunk)
	if whole {
		w.left[n]--
	}
	return err
}

// key is the name of the file that holds a voxel of a level.
func (w *writer) key(n int, at lazy.Index) string {
	unit := w.levels[n].shard()
	index := make([]int, len(stored))
	for i, a := range stored {
		index[i] = at[a] / unit[a]
	}
	return w.levels[n].path + "/" + w.name(index)
}

// Close gives the folder its name, if every chunk has come. A share is marked as done instead.
func (w *writer) Close() error {
	if w.ended {
		return nil
	}
	if _, n := w.Missing(); w.err == nil && w.done != n {
		w.err = fmt.Errorf("%d of %d chunks were written", w.done, n)
	}
	if w.err == nil && w.run.Way == loaders.Share {
		if w.err = w.folder.mark(w.run); w.err == nil {
			w.Abort() // which leaves what is finished
			return nil
		}
	}
	for n, left := range w.left {
		if w.err == nil && left != 0 {
			w.err = fmt.Errorf("%d chunks of level %d are missing", left, n)
		}
	}
	if w.err == nil {
		w.coarser.Close()
		w.err = w.folder.end()
	}
	if w.err != nil {
		w.Abort()
		return w.failed("writing")
	}
	w.ended = true
	return nil
}

// Abort leaves nothing of what was begun afresh, and of a part that is gone on with what is finished.
func (w *writer) Abort() {
	if !w.ended {
		w.ended = true
		w.coarser.Close()
		w.folder.leave()
	}
}
