package n5

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"sync"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// source reads the blocks of one array.
type source struct {
	*array
	store store.Store
	axes  loaders.Axes
	meta  lazy.Meta
}

func (s *source) Meta() lazy.Meta { return s.meta }

func (s *source) ID() string {
	return fmt.Sprintf("%s|n5 %s|%s|%v", s.store.ID(), s.path, s.array.id, s.axes)
}

// Read decodes one block. Where none is stored the voxels are 0.
func (s *source) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	at := s.place(dst.Region.Min)
	f, err := s.store.Open(ctx, path.Join(s.path, at))
	if errors.Is(err, fs.ErrNotExist) {
		clear(dst.Bytes())
		return 0, s.still(ctx)
	}
	if err != nil {
		return 0, s.fault(at, err)
	}
	defer f.Close()
	n, err := s.read(ctx, dst, f)
	if err != nil {
		return 0, s.fault(at, err)
	}
	return n, nil
}

// place is the path of the block that holds a voxel: its position in the grid, fastest dimension first.
func (s *source) place(i lazy.Index) string {
	at := ""
	for d := len(s.block) - 1; d >= 0; d-- {
		at = path.Join(at, strconv.Itoa(i[s.axes[d]]/s.block[d]))
	}
	return at
}

// Modes of a block (specification, "Chunk format").
const (
	plainMode  = 0
	variedMode = 1
)

// maxHeader is that of a block of five dimensions and varied length.
const maxHeader = 4 + 4*lazy.Rank + 4

// read takes a block apart; its numbers are big-endian:
//
//	mode (2)  dimensions (2)  length along each (4), fastest first  [number of elements (4), in mode 1]  voxels
//
// The lengths are those of what is stored: at the edge of an array some writers cut a block, others do not.
func (s *source) read(ctx context.Context, dst *lazy.Block, f store.File) (int64, error) {
	rank := len(s.block)
	head := make([]byte, min(maxHeader, f.Size()))
	if err := f.ReadAt(ctx, head, 0); err != nil {
		return 0, err
	}
	end := 4 + 4*rank
	if len(head) < end {
		return 0, fmt.Errorf("%d bytes are no header: %w: %w", len(head), io.ErrUnexpectedEOF, loaders.ErrDamaged)
	}
	mode := binary.BigEndian.Uint16(head)
	if n := int(binary.BigEndian.Uint16(head[2:])); n != rank {
		return 0, fmt.Errorf("its header has %d dimensions instead of %d: %w", n, rank, loaders.ErrDamaged)
	}
	cell := lazy.Cell(dst.Region.Min, s.meta.Chunk)
	stored := lazy.Shape{1, 1, 1, 1, 1}
	voxels := 1
	for d := range rank {
		n := binary.BigEndian.Uint32(head[4+4*(rank-1-d):])
		a := s.axes[d]
		if uint64(n) > uint64(s.block[d]) || int(n) < dst.Region.Len(a) {
			return 0, fmt.Errorf("its header states %d voxels along %v, where it has from %d to %d: %w", n, a, dst.Region.Len(a), s.block[d], loaders.ErrDamaged)
		}
		stored[a] = int(n)
		voxels *= int(n)
	}
	switch {
	case mode == plainMode:
	case mode == variedMode && len(head) >= end+4 && int64(binary.BigEndian.Uint32(head[end:])) == int64(voxels):
		end += 4
	case mode == variedMode:
		return 0, unsupported("a block of varied length (mode 1), such as label multisets have")
	default:
		return 0, unsupported("a block of mode %d", mode)
	}
	size := f.Size() - int64(end)
	want := voxels * s.element.Size
	if size > int64(roomFor(want)) || s.unpack == nil && size < int64(want) {
		return 0, fmt.Errorf("%d bytes for %d voxels of %v: %w", size, voxels, s.element.DType, loaders.ErrDamaged)
	}
	packed := buffers.Get().(*[]byte)
	defer buffers.Put(packed)
	src := sized(packed, int(size))
	if err := f.ReadAt(ctx, src, int64(end)); err != nil {
		return 0, err
	}
	place := loaders.Strided{Origin: cell.Min, Stride: s.axes.Strides(stored)}
	if err := s.decode(dst, place, src, want); err != nil {
		return 0, fmt.Errorf("%w: %w", err, loaders.ErrDamaged)
	}
	return f.Size(), nil
}

// decode unpacks src, which gives want bytes, and puts the voxels of dst in their places.
func (s *source) decode(dst *lazy.Block, place loaders.Strided, src []byte, want int) error {
	direct := place.Dense(dst.Region) && want == len(dst.Bytes())
	p := dst.Bytes()
	if !direct {
		room := buffers.Get().(*[]byte)
		defer buffers.Put(room)
		p = sized(room, want)
	}
	if s.unpack == nil {
		copy(p, src)
	} else {
		n, err := s.unpack(p, src)
		if errors.Is(err, codec.ErrLong) {
			return fmt.Errorf("it holds more than its header states: %w", err)
		}
		if err != nil {
			return err
		}
		if n != want {
			return fmt.Errorf("%s gives %d bytes instead of %d", s.codec, n, want)
		}
	}
	s.element.Decode(p, p)
	if !direct {
		place.Load(dst, dst.Region, p)
	}
	return nil
}

// still says whether the array is there as it was when it was opened: only then is a block that is
// missing one that was never stored.
func (s *source) still(ctx context.Context) error {
	f, err := s.store.Open(ctx, s.key)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("n5: %s: the array is gone: %w", path.Join(s.store.Name(), s.path), err)
	}
	defer f.Close()
	if f.ID() != s.file {
		return fmt.Errorf("n5: %s: %s has changed since it was opened; reload it", s.store.Name(), s.key)
	}
	return nil
}

// fault names the array and the block that an error is about.
func (s *source) fault(at string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("n5: %s: block %s: %w", path.Join(s.store.Name(), s.path), at, err)
}

// roomFor is the most that n bytes may be packed into.
func roomFor(n int) int { return 2*n + 64<<10 }

// buffers recycles the memory of stored blocks and of those that have to be put in order.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// sized is the first n bytes of a buffer that is made larger when it is too short.
func sized(p *[]byte, n int) []byte {
	if cap(*p) < n {
		*p = make([]byte, n)
	}
	return (*p)[:n]
}
