// Package lazytest has small sources and ops for tests of what runs on package lazy.
//
//	a := lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 64, 1, 512, 512}, lazy.Shape{1, 64, 1, 64, 64}),
//		func(i lazy.Index) float64 { return float64(i[lazy.X]) })
package lazytest

import (
	"context"
	"fmt"
	"sync/atomic"

	"lamella/lazy"
)

// Meta describes an array with voxels of 1 um.
func Meta(d lazy.DType, shape, chunk lazy.Shape) lazy.Meta {
	m := lazy.Meta{Shape: shape, Chunk: chunk, DType: d}
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		m.Scale[a], m.Unit[a] = 1, "um"
	}
	return m
}

// A Source computes its voxels from their index and counts what is read of it.
type Source struct {
	About lazy.Meta
	Name  string
	Value func(lazy.Index) float64
	Wait  func(ctx context.Context) error // called at the start of each Read, if not nil

	Reads  atomic.Int64
	Voxels atomic.Int64 // in all reads together
}

var sources atomic.Int64

// New is a source with a name of its own.
func New(m lazy.Meta, value func(lazy.Index) float64) *Source {
	return &Source{About: m, Name: fmt.Sprint("test source ", sources.Add(1)), Value: value}
}

// Array is an array of a new source.
func Array(m lazy.Meta, value func(lazy.Index) float64) lazy.Array {
	return lazy.FromSource(New(m, value))
}

// Meta implements lazy.Source.
func (s *Source) Meta() lazy.Meta { return s.About }

// ID implements lazy.Source.
func (s *Source) ID() string { return s.Name }

// Read implements lazy.Source.
func (s *Source) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	s.Reads.Add(1)
	s.Voxels.Add(int64(dst.Len()))
	if s.Wait != nil {
		if err := s.Wait(ctx); err != nil {
			return 0, err
		}
	}
	Set(dst, s.Value)
	return int64(len(dst.Bytes())), ctx.Err()
}

// An Exact is a Source that makes any region by itself: what is not asked for is not read.
type Exact struct{ *Source }

// Grain implements lazy.Grainer.
func (e Exact) Grain(r lazy.Region) lazy.Region { return r }

// Set fills a block with a function of the index, converted as lazy.Convert does.
func Set(b *lazy.Block, value func(lazy.Index) float64) {
	n := 0
	Each(b.Region, func(i lazy.Index) {
		set(b, n, value(i))
		n++
	})
}

// Each visits the voxels of a region in storage order.
func Each(r lazy.Region, visit func(lazy.Index)) {
	one := lazy.Shape{1, 1, 1, 1, 1}
	for v := range r.Tiles(one) {
		visit(v.Min)
	}
}

func set(b *lazy.Block, n int, v float64) {
	switch b.DType {
	case lazy.U8:
		lazy.View[uint8](b)[n] = lazy.Convert[uint8](v)
	case lazy.I8:
		lazy.View[int8](b)[n] = lazy.Convert[int8](v)
	case lazy.U16:
		lazy.View[uint16](b)[n] = lazy.Convert[uint16](v)
	case lazy.I16:
		lazy.View[int16](b)[n] = lazy.Convert[int16](v)
	case lazy.U32:
		lazy.View[uint32](b)[n] = lazy.Convert[uint32](v)
	case lazy.I32:
		lazy.View[int32](b)[n] = lazy.Convert[int32](v)
	case lazy.U64:
		lazy.View[uint64](b)[n] = lazy.Convert[uint64](v)
	case lazy.I64:
		lazy.View[int64](b)[n] = lazy.Convert[int64](v)
	case lazy.F32:
		lazy.View[float32](b)[n] = float32(v)
	default:
		lazy.View[float64](b)[n] = v
	}
}

// A BoxSum is an op that sums a neighbourhood in float64, one voxel at a time: slow and plain.
type BoxSum struct {
	Halo lazy.Halo
	Edge lazy.Border
	Wait func(ctx context.Context) error // called at the start of each Compute, if not nil
}

// Name implements lazy.Op.
func (s BoxSum) Name() string { return "box sum" }

// Key implements lazy.Op.
func (s BoxSum) Key() string { return fmt.Sprint("box sum ", s.Halo, s.Edge) }

// Infer implements lazy.Op.
func (s BoxSum) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := in[0]
	m.DType = lazy.F64
	return m, nil
}

// Need implements lazy.Op.
func (s BoxSum) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{out.Grow(s.Halo)}
}

// Border implements lazy.Op.
func (s BoxSum) Border() lazy.Border { return s.Edge }

// Compute implements lazy.Op.
func (s BoxSum) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	if s.Wait != nil {
		if err := s.Wait(ctx); err != nil {
			return err
		}
	}
	out, n := lazy.View[float64](dst), 0
	Each(dst.Region, func(i lazy.Index) {
		sum := 0.0
		Each((lazy.Region{Min: i, Max: i}).Grow(lazy.Halo{After: lazy.Index{1, 1, 1, 1, 1}}).Grow(s.Halo), func(k lazy.Index) { sum += src[0].Value(k) })
		out[n] = sum
		n++
	})
	return ctx.Err()
}

// Values is the voxels of a block as float64s, in storage order.
func Values(b *lazy.Block) []float64 {
	v := make([]float64, 0, b.Len())
	Each(b.Region, func(i lazy.Index) { v = append(v, b.Value(i)) })
	return v
}
