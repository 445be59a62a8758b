package dicom

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// A ref is one frame of an object, with the line that makes values of its samples.
type ref struct {
	object           *object
	frame            int
	slope, intercept float64
}

// source is frames in order of T, Z and the channels, each channel of as many voxels along C as a pixel
// has samples.
type source struct {
	refs   []ref
	format format
	meta   lazy.Meta
	scaled bool // samples become slope * sample + intercept
	rgb    bool // brightness and differences of colour become red, green and blue
	id     string
}

func (s *source) Meta() lazy.Meta { return s.meta }
func (s *source) ID() string      { return s.id }

// name makes the identity of the voxels: that of every file, and what is made of them.
func (s *source) name() {
	h := sha256.New()
	for _, r := range s.refs {
		fmt.Fprintf(h, "%q %d %v %v|", r.object.file.ID(), r.frame, r.slope, r.intercept)
	}
	s.id = fmt.Sprintf("%s|dicom %x|%v %v %v", s.refs[0].object.file.ID(), h.Sum(nil)[:16], s.meta.Shape, s.scaled, s.rgb)
}

// wholeFrames reports whether a frame can only be decoded whole.
func (s *source) wholeFrames() bool {
	for _, r := range s.refs {
		if r.object.packed != nil || r.object.syntax.deflated {
			return true
		}
	}
	return false
}

// byRows is a source of pixels that are stored as they are.
type byRows struct{ *source }

// Grain is the rows of r, whole, with all samples.
func (s byRows) Grain(r lazy.Region) lazy.Region {
	cell := lazy.Cell(r.Min, s.meta.Chunk).Intersect(s.meta.Shape.Whole())
	return r.With(lazy.X, cell.Min[lazy.X], cell.Max[lazy.X]).With(lazy.C, cell.Min[lazy.C], cell.Max[lazy.C])
}

func (s *source) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	r, n := dst.Region, s.format.samples
	total := int64(0)
	channels := s.meta.Shape[lazy.C] / n
	for t := r.Min[lazy.T]; t < r.Max[lazy.T]; t++ {
		for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
			for c := r.Min[lazy.C] / n; c < r.Max[lazy.C]/n; c++ {
				f := s.refs[(t*s.meta.Shape[lazy.Z]+z)*channels+c]
				stored, err := s.load(ctx, dst, f, lazy.Index{t, z, c * n, r.Min[lazy.Y], 0})
				if err != nil {
					return 0, s.fault(f, err)
				}
				total += stored
			}
		}
	}
	return total, nil
}

// load puts the rows of one frame into dst, from the voxel at on.
func (s *source) load(ctx context.Context, dst *lazy.Block, f ref, at lazy.Index) (int64, error) {
	y0, y1 := dst.Region.Min[lazy.Y], dst.Region.Max[lazy.Y]
	got, err := f.object.rows(ctx, f.frame, y0, y1)
	if err != nil {
		return 0, err
	}
	form, n := f.object.format, s.format.samples
	if s.rgb && !got.rgb && form.luminance() {
		if got.planar {
			got.bytes, got.planar = interleave(got.bytes, n), false
		}
		codec.YCbCrToRGB(got.bytes)
	}
	size := max(1, form.allocated/8)
	pixels := (y1 - y0) * form.columns
	for k := range n {
		from, step := k, n
		if got.planar {
			from, step = k*pixels, 1
		}
		at[lazy.C]++
		begin := dst.Offset(lazy.Index{at[0], at[1], at[2] - 1, y0, 0}) * dst.DType.Size()
		to := dst.Bytes()[begin : begin+pixels*dst.DType.Size()]
		if s.scaled {
			scale(to, dst.DType, got.bytes, form.dtype(), f)
			continue
		}
		switch size {
		case 1:
			pick(to, got.bytes, from, step)
		case 2:
			pick(view[uint16](to), view[uint16](got.bytes), from, step)
		case 4:
			pick(view[uint32](to), view[uint32](got.bytes), from, step)
		default:
			pick(view[uint64](to), view[uint64](got.bytes), from, step)
		}
	}
	return got.stored, nil
}

// pick takes every step-th value.
func pick[E any](to, from []E, at, step int) {
	if step == 1 {
		copy(to, from[at:])
		return
	}
	for i := range to {
		to[i] = from[at+i*step]
	}
}

// interleave puts the samples of a pixel side by side.
func interleave(p []byte, n int) []byte {
	out := make([]byte, len(p))
	pixels := len(p) / n
	for k := range n {
		for i, v := range p[k*pixels : (k+1)*pixels] {
			out[i*n+k] = v
		}
	}
	return out
}

// scale makes values of the samples in p, of type d, by the line of a frame.
func scale(to []byte, as lazy.DType, p []byte, d lazy.DType, f ref) {
	if as == lazy.F32 {
		scaleTo(view[float32](to), p, d, f)
	} else {
		scaleTo(view[float64](to), p, d, f)
	}
}

func scaleTo[F float32 | float64](to []F, p []byte, d lazy.DType, f ref) {
	switch d {
	case lazy.U8:
		line(to, p, f)
	case lazy.I8:
		line(to, view[int8](p), f)
	case lazy.U16:
		line(to, view[uint16](p), f)
	case lazy.I16:
		line(to, view[int16](p), f)
	case lazy.U32:
		line(to, view[uint32](p), f)
	case lazy.I32:
		line(to, view[int32](p), f)
	case lazy.U64:
		line(to, view[uint64](p), f)
	case lazy.I64:
		line(to, view[int64](p), f)
	case lazy.F32:
		line(to, view[float32](p), f)
	default:
		line(to, view[float64](p), f)
	}
}

func line[F float32 | float64, E lazy.Number](to []F, from []E, f ref) {
	for i, v := range from[:len(to)] {
		scaled := f.slope * float64(v) // two roundings: never fused
		to[i] = F(scaled + f.intercept)
	}
}

// fault names the file and the frame that an error is about.
func (s *source) fault(f ref, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("dicom: %s: frame %d: %w", path.Base(f.object.key), f.frame, err)
}

// array is the frames as an array. Cells are frames.
func (s *source) array() (lazy.Array, error) {
	m := &s.meta
	m.Chunk = lazy.Shape{1, 1, s.format.samples, m.Shape[lazy.Y], m.Shape[lazy.X]}
	if voxels := int64(m.Shape[0]) * int64(m.Shape[1]) * int64(m.Shape[2]); voxels > int64(len(s.refs)*s.format.samples) {
		return lazy.Array{}, fmt.Errorf("%d frames for a shape of %v: %w", len(s.refs), m.Shape, loaders.ErrDamaged)
	}
	s.name()
	if s.wholeFrames() {
		return lazy.FromSource(s), nil
	}
	return lazy.FromSource(byRows{s}), nil
}
