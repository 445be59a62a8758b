package zarr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// source reads the chunks of one array. With sharding these are the innermost ones, each read alone.
type source struct {
	*array
	store  store.Store
	name   string // for messages
	axes   loaders.Axes
	meta   lazy.Meta
	stride lazy.Index // of a voxel within a chunk
	voxels int        // in a chunk
	byRows bool
}

func (s *source) Meta() lazy.Meta { return s.meta }

func (s *source) ID() string {
	return fmt.Sprintf("%s|zarr %s|%s|%v", s.store.ID(), s.path, s.array.id, s.axes)
}

// Read decodes one chunk, straight into dst where both hold the same voxels in the same order. Where
// no chunk is stored dst gets the fill value.
func (s *source) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	f, at, ok, err := s.locate(ctx, dst.Region.Min)
	if err != nil {
		return 0, err
	}
	if !ok {
		fillWith(dst.Bytes(), s.fill)
		return 0, nil
	}
	defer f.Close()
	n := s.voxels * s.element.Size
	if s.steps.raw() && at.size != int64(n) || at.size > int64(roomFor(n)) {
		return 0, s.fault(dst.Region.Min, fmt.Errorf("%d bytes, its voxels take %d: %w", at.size, n, loaders.ErrDamaged))
	}
	packed := buffers.Get().(*[]byte)
	defer buffers.Put(packed)
	src := sized(packed, int(at.size))
	if err := f.ReadAt(ctx, src, at.at); err != nil {
		return 0, s.fault(dst.Region.Min, err)
	}
	if err := s.decode(dst, src); err != nil {
		return 0, s.fault(dst.Region.Min, fmt.Errorf("%w: %w", err, loaders.ErrDamaged))
	}
	return at.size, nil
}

// decode turns the bytes of a chunk into the voxels of dst, which is that chunk cut to the shape.
func (s *source) decode(dst *lazy.Block, src []byte) error {
	cell := lazy.Cell(dst.Region.Min, s.meta.Chunk)
	place := loaders.Strided{Origin: cell.Min, Stride: s.stride}
	if dst.Region == cell && place.Dense(cell) && s.element.Size == dst.DType.Size() {
		p := dst.Bytes()
		if err := s.steps.run(p, src); err != nil {
			return err
		}
		if !s.element.Plain() {
			s.element.Decode(p, p)
		}
		return nil
	}
	stored := buffers.Get().(*[]byte)
	defer buffers.Put(stored)
	p := sized(stored, s.voxels*s.element.Size)
	if err := s.steps.run(p, src); err != nil {
		return err
	}
	if !s.element.Plain() {
		to := p
		if s.element.Size != dst.DType.Size() {
			wide := buffers.Get().(*[]byte)
			defer buffers.Put(wide)
			to = sized(wide, s.voxels*dst.DType.Size())
		}
		s.element.Decode(to, p)
		p = to
	}
	place.Load(dst, dst.Region, p)
	return nil
}

// locate opens the object that holds the chunk of a voxel and says where in it the chunk lies. It
// gives false when the chunk is not stored.
func (s *source) locate(ctx context.Context, i lazy.Index) (store.File, span, bool, error) {
	object := make([]int, len(s.outer))
	within := make([]int, len(s.outer)) // voxels from the object's corner
	for d, n := range s.outer {
		v := i[s.axes[d]]
		object[d], within[d] = v/n, v%n
	}
	f, err := s.store.Open(ctx, path.Join(s.path, s.key.name(object)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, span{}, false, s.still(ctx)
	}
	if err != nil {
		return nil, span{}, false, s.fault(i, err)
	}
	at := span{0, f.Size()}
	size := append([]int(nil), s.outer...)
	for _, level := range s.shards {
		cell := make([]int, len(size))
		for d := range cell {
			size[d] /= level.cells[d]
			cell[d], within[d] = within[d]/size[d], within[d]%size[d]
		}
		var ok bool
		at, ok, err = level.find(ctx, f, at, cell)
		if err != nil || !ok {
			f.Close()
			if err != nil {
				err = s.fault(i, err)
			}
			return nil, span{}, false, err
		}
	}
	return f, at, true, nil
}

// still says whether the array is there as it was when it was opened: only then is a chunk that is
// missing one that was never stored. Where the store is a folder it costs one look at the metadata.
func (s *source) still(ctx context.Context) error {
	for _, o := range s.from {
		f, err := s.store.Open(ctx, o.key)
		switch {
		case err == nil:
			now := f.ID()
			f.Close()
			if now != o.id {
				return fmt.Errorf("zarr: %s: %s has changed since it was opened; reload it", s.name, o.key)
			}
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("zarr: %s: the array is gone: %w", s.name, err)
		case ctx.Err() != nil:
			return err
		default:
			return fmt.Errorf("zarr: %s: the array cannot be found any more: %w", s.name, err)
		}
	}
	return nil
}

// fault names the array and the chunk that an error is about.
func (s *source) fault(i lazy.Index, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	index := make([]int, len(s.inner))
	for d, n := range s.inner {
		index[d] = i[s.axes[d]] / n
	}
	kind := "chunk"
	if len(s.shards) > 0 {
		kind = "inner chunk"
	}
	return fmt.Errorf("zarr: %s: %s %s: %w", s.name, kind, keys{separator: "/"}.name(index), err)
}

// rows is a source of chunks that are stored as they are: any of their rows can be read alone.
type rows struct{ *source }

// Grain is the rows of r, whole.
func (s rows) Grain(r lazy.Region) lazy.Region {
	cell := lazy.Cell(r.Min, s.meta.Chunk).Intersect(s.meta.Shape.Whole())
	return r.With(lazy.X, cell.Min[lazy.X], cell.Max[lazy.X])
}

// Read reads the runs of bytes that dst needs.
func (s rows) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	r := dst.Region
	f, at, ok, err := s.locate(ctx, r.Min)
	if err != nil {
		return 0, err
	}
	if !ok {
		fillWith(dst.Bytes(), s.fill)
		return 0, nil
	}
	defer f.Close()
	size := dst.DType.Size()
	if n := int64(s.voxels) * int64(size); at.size != n {
		return 0, s.fault(r.Min, fmt.Errorf("%d bytes, its voxels take %d: %w", at.size, n, loaders.ErrDamaged))
	}
	cell := lazy.Cell(r.Min, s.meta.Chunk)
	n := loaders.Strided{Origin: cell.Min, Stride: s.stride}.Run(r)
	for piece := range loaders.Pieces(r, n) {
		from := 0
		for a := range lazy.Rank {
			from += (piece.Min[a] - cell.Min[a]) * s.stride[a]
		}
		to := dst.Offset(piece.Min) * size
		if err := f.ReadAt(ctx, dst.Bytes()[to:to+piece.Voxels()*size], at.at+int64(from)*int64(size)); err != nil {
			return 0, s.fault(r.Min, err)
		}
	}
	return int64(dst.Len() * size), nil
}
