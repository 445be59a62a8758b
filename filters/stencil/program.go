package stencil

import (
	"context"
	"math"

	"lamella/lazy"
)

// A machine runs a kernel over one block. Each value has a ring of rows: as many as later rows look
// back at, so that a row is computed once however many rows use it.
type machine struct {
	kernel  *Kernel
	types   []lazy.DType
	extents []extent
	src     []input
	width   int // of the output

	i32 []ring[int32]
	i64 []ring[int64]
	f32 []ring[float32]
	f64 []ring[float64]

	plane int // counts planes, so that rows of one are never taken for rows of another
}

type input struct {
	block  *lazy.Block
	origin int // offset of the voxel at the first column of the output, in row 0 of this plane
	z, y   int // strides
}

type ring[E scalar] struct {
	tags []int
	rows [][]E
	own  [][]E // memory of the rows; unused where a row is the input's own memory
}

// rowsBetweenLooks is how many rows are computed between two looks at the context.
const rowsBetweenLooks = 32

// run computes dst from src: of each input dst's region grown by its halo. limit bounds the magnitude
// of the values of the first.
func (k *Kernel) run(ctx context.Context, dst *lazy.Block, src []*lazy.Block, limit float64) error {
	n := len(k.instrs)
	m := &machine{
		kernel: k, extents: k.extents(), width: dst.Region.Len(lazy.X),
		i32: make([]ring[int32], n), i64: make([]ring[int64], n), f32: make([]ring[float32], n), f64: make([]ring[float64], n),
	}
	var in []lazy.DType
	for _, b := range src {
		s := b.Strides()
		m.src = append(m.src, input{block: b, z: s[lazy.Z], y: s[lazy.Y]})
		in = append(in, b.DType)
	}
	m.types = k.types(in, limit)
	r, at := dst.Region, 0
	for t := r.Min[lazy.T]; t < r.Max[lazy.T]; t++ {
		for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
			for c := r.Min[lazy.C]; c < r.Max[lazy.C]; c++ {
				m.plane++
				for i := range m.src {
					m.src[i].origin = m.src[i].block.Offset(lazy.Index{t, z, c, r.Min[lazy.Y], r.Min[lazy.X]})
				}
				for y := range r.Len(lazy.Y) {
					if y%rowsBetweenLooks == 0 && ctx.Err() != nil {
						return ctx.Err()
					}
					m.store(dst, at, y)
					at += m.width
				}
			}
		}
	}
	return nil
}

// store computes row y of the plane and writes it to dst at an offset.
func (m *machine) store(dst *lazy.Block, at, y int) {
	last := Value(len(m.types) - 1)
	switch m.types[last] {
	case lazy.I32:
		storeRow(dst, at, row[int32](m, last, y))
	case lazy.I64:
		storeRow(dst, at, row[int64](m, last, y))
	case lazy.F32:
		storeRow(dst, at, row[float32](m, last, y))
	default:
		storeRow(dst, at, row[float64](m, last, y))
	}
}

func rings[E scalar](m *machine) []ring[E] {
	var e E
	var r any
	switch any(e).(type) {
	case int32:
		r = m.i32
	case int64:
		r = m.i64
	case float32:
		r = m.f32
	default:
		r = m.f64
	}
	return r.([]ring[E])
}

// row is row y of a value in type E, from the first column that anything looks at to the last. It is
// computed at its first use, and converted if its own type is another.
func row[E scalar](m *machine, v Value, y int) []E {
	r, e := &rings[E](m)[v], m.extents[v]
	if r.tags == nil {
		n := e.y1 - e.y0 + 1
		r.tags, r.rows, r.own = make([]int, n), make([][]E, n), make([][]E, n)
	}
	slot := (y - e.y0 + len(r.tags)<<16) % len(r.tags)
	tag := m.plane<<40 + y + 1<<39
	if r.tags[slot] == tag {
		return r.rows[slot]
	}
	dst := func() []E {
		if r.own[slot] == nil {
			r.own[slot] = make([]E, m.width+e.x1-e.x0)
		}
		return r.own[slot]
	}
	i := m.kernel.instrs[v]
	switch {
	case m.types[v] != lazy.TypeOf[E]():
		r.rows[slot] = dst()
		convert(m, r.rows[slot], v, y)
	case i.Code == Load:
		in := m.src[i.Input]
		from := in.origin + i.DZ*in.z + y*in.y + e.x0
		r.rows[slot] = loadRow(dst, in.block, from, m.width+e.x1-e.x0)
	default:
		r.rows[slot] = dst()
		compute(m, r.rows[slot], v, y)
	}
	r.tags[slot] = tag
	return r.rows[slot]
}

func convert[E scalar](m *machine, dst []E, v Value, y int) {
	switch m.types[v] {
	case lazy.I32:
		convertRow(dst, row[int32](m, v, y))
	case lazy.I64:
		convertRow(dst, row[int64](m, v, y))
	case lazy.F32:
		convertRow(dst, row[float32](m, v, y))
	default:
		convertRow(dst, row[float64](m, v, y))
	}
}

// term is the row of a term as the columns of value v see it.
func term[E scalar](m *machine, v Value, t Term, y int) []E {
	e, from := m.extents[v], m.extents[t.Value]
	lo := e.x0 + t.DX - from.x0
	return row[E](m, t.Value, y+t.DY)[lo : lo+m.width+e.x1-e.x0]
}

// compute fills one row of a value from the rows of its terms, in the order in which they are written.
func compute[E scalar](m *machine, dst []E, v Value, y int) {
	i := m.kernel.instrs[v]
	at := func(n int) []E { return term[E](m, v, i.Terms[n], y) }
	switch i.Code {
	case Linear:
		linear(dst, i.Terms, at)
	case Sum:
		copy(dst, at(0))
		n := 1
		for ; n+1 < len(i.Terms); n += 2 {
			add2(dst, at(n), at(n+1))
		}
		if n < len(i.Terms) {
			add(dst, at(n))
		}
	case Pairs:
		scale(dst, at(0), E(i.Terms[0].Weight))
		n := 1
		for ; n+3 < len(i.Terms); n += 4 {
			addPairs2(dst, at(n), at(n+1), at(n+2), at(n+3), E(i.Terms[n].Weight), E(i.Terms[n+2].Weight))
		}
		if n < len(i.Terms) {
			addPair(dst, at(n), at(n+1), E(i.Terms[n].Weight))
		}
	case Divide:
		divide(dst, at(0), E(i.By))
	case RoundDiv:
		roundRow(dst, at(0), i.By)
	case L1:
		magnitudes(dst, at(0))
		for n := 1; n < len(i.Terms); n++ {
			addMagnitude(dst, at(n))
		}
	case L2:
		square(dst, at(0))
		for n := 1; n < len(i.Terms); n++ {
			addSquare(dst, at(n))
		}
		root(dst)
	}
}

func linear[E scalar](dst []E, terms []Term, at func(int) []E) {
	w := func(n int) float64 { return terms[n].Weight }
	switch {
	case len(terms) == 2 && w(0) == -1 && w(1) == 1:
		difference(dst, at(0), at(1))
	case len(terms) == 3 && w(0) == 1 && w(1) == 2 && w(2) == 1:
		smooth121(dst, at(0), at(1), at(2))
	default:
		scale(dst, at(0), E(w(0)))
		for n := 1; n < len(terms); n++ {
			addScaled(dst, at(n), E(w(n)))
		}
	}
}

func root[E scalar](dst []E) {
	switch d := any(dst).(type) {
	case []float32:
		root32(d)
	case []float64:
		root64(d)
	}
}

func roundRow[E scalar](dst, a []E, by float64) {
	switch d := any(dst).(type) {
	case []int32:
		roundDiv(d, any(a).([]int32), int32(by))
	case []int64:
		roundDiv(d, any(a).([]int64), int64(by))
	default:
		for i := range dst {
			dst[i] = E(math.Round(float64(a[i]) / by))
		}
	}
}
