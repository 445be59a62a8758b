package stencil

import (
	"context"

	"lamella/lazy"
)

// A machine runs a kernel over one block. Each value has a ring of rows: as many as later rows look
// back at, so that a row is computed once however many rows use it.
//
// Rows run along x, as they lie in memory. A block that is thin along x, a plane of y and z, would make
// short rows of that; there they run along y, and the kernel's two axes change places. Each voxel is
// computed by the same steps either way.
type machine struct {
	instrs  []Instr
	types   []lazy.DType
	extents []extent
	src     []input
	width   int // of the output's rows

	i32 []ring[int32]
	i64 []ring[int64]
	f32 []ring[float32]
	f64 []ring[float64]

	plane int // counts planes, so that rows of one are never taken for rows of another
}

type input struct {
	block       *lazy.Block
	origin      int // offset of the voxel at the first column of the output, in row 0 of this plane
	z, row, col int // strides
}

type ring[E scalar] struct {
	tags []int
	rows [][]E
	own  [][]E // memory of the rows; unused where a row is the input's own memory
}

// rowsBetweenLooks is how many rows are computed between two looks at the context.
const rowsBetweenLooks = 32

// shortRow is the length under which rows run along y if that makes them longer.
const shortRow = 32

// run computes dst from src: of each input dst's region grown by its halo. limit bounds the magnitude
// of the values of the first.
func (k *Kernel) run(ctx context.Context, dst *lazy.Block, src []*lazy.Block, limit float64) error {
	along, across := lazy.X, lazy.Y
	if dst.Region.Len(lazy.X) < shortRow && dst.Region.Len(lazy.Y) > dst.Region.Len(lazy.X) {
		along, across = lazy.Y, lazy.X
		k = k.turned()
	}
	n := len(k.instrs)
	m := &machine{
		instrs: k.instrs, extents: k.extents(), width: dst.Region.Len(along),
		i32: make([]ring[int32], n), i64: make([]ring[int64], n), f32: make([]ring[float32], n), f64: make([]ring[float64], n),
	}
	var in []lazy.DType
	for _, b := range src {
		s := b.Strides()
		m.src = append(m.src, input{block: b, z: s[lazy.Z], row: s[across], col: s[along]})
		in = append(in, b.DType)
	}
	m.types = k.types(in, limit)
	r, out := dst.Region, dst.Strides()
	for t := r.Min[lazy.T]; t < r.Max[lazy.T]; t++ {
		for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
			for c := r.Min[lazy.C]; c < r.Max[lazy.C]; c++ {
				m.plane++
				for i := range m.src {
					m.src[i].origin = m.src[i].block.Offset(lazy.Index{t, z, c, r.Min[lazy.Y], r.Min[lazy.X]})
				}
				first := dst.Offset(lazy.Index{t, z, c, r.Min[lazy.Y], r.Min[lazy.X]})
				for y := range r.Len(across) {
					if y%rowsBetweenLooks == 0 && ctx.Err() != nil {
						return ctx.Err()
					}
					m.store(dst, first+y*out[across], out[along], y)
				}
			}
		}
	}
	return nil
}

// store computes row y of the plane and writes it to dst, from an offset on with a stride.
func (m *machine) store(dst *lazy.Block, at, stride, y int) {
	switch m.types[len(m.types)-1] {
	case lazy.I32:
		storeLast[int32](m, dst, at, stride, y)
	case lazy.I64:
		storeLast[int64](m, dst, at, stride, y)
	case lazy.F32:
		storeLast[float32](m, dst, at, stride, y)
	default:
		storeLast[float64](m, dst, at, stride, y)
	}
}

// storeLast computes the result in place where its type is that of dst.
func storeLast[E scalar](m *machine, dst *lazy.Block, at, stride, y int) {
	last := Value(len(m.types) - 1)
	if stride == 1 && dst.DType == lazy.TypeOf[E]() && m.instrs[last].Code != Load {
		compute(m, lazy.View[E](dst)[at:at+m.width], last, y)
		return
	}
	storeRow(dst, at, stride, row[E](m, last, y))
}

// rings is the rows of type E. It goes through a pointer, since a slice in an interface is allocated.
func rings[E scalar](m *machine) []ring[E] {
	var e E
	var r any
	switch any(e).(type) {
	case int32:
		r = &m.i32
	case int64:
		r = &m.i64
	case float32:
		r = &m.f32
	default:
		r = &m.f64
	}
	return *r.(*[]ring[E])
}

// row is row y of a value in type E, from the first column that anything looks at to the last. It is
// computed at its first use, and converted if its own type is another.
func row[E scalar](m *machine, v Value, y int) []E {
	r, e := &rings[E](m)[v], &m.extents[v]
	if r.tags == nil {
		n := e.y1 - e.y0 + 1
		r.tags, r.rows, r.own = make([]int, n), make([][]E, n), make([][]E, n)
	}
	slot := (y - e.y0 + len(r.tags)<<16) % len(r.tags)
	tag := m.plane<<40 + y + 1<<39
	if r.tags[slot] == tag {
		return r.rows[slot]
	}
	r.tags[slot] = tag
	i := &m.instrs[v]
	width := m.width + e.x1 - e.x0
	if i.Code == Load && m.types[v] == lazy.TypeOf[E]() {
		in := &m.src[i.Input]
		r.rows[slot] = loadRow(&r.own[slot], in.block, in.origin+i.DZ*in.z+y*in.row+e.x0*in.col, in.col, width)
		return r.rows[slot]
	}
	if r.own[slot] == nil {
		r.own[slot] = make([]E, width)
	}
	r.rows[slot] = r.own[slot]
	if m.types[v] == lazy.TypeOf[E]() {
		compute(m, r.own[slot], v, y)
	} else {
		convert(m, r.own[slot], v, y)
	}
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

// compute fills one row of a value from the rows of its terms, in the order in which they are written.
func compute[E scalar](m *machine, dst []E, v Value, y int) {
	i, run := &m.instrs[v], tableOf[E]()
	t := terms[E]{m, i.Terms, &m.extents[v], y}
	switch i.Code {
	case Linear:
		linear(run, dst, t)
	case Sum:
		sum(run, dst, t)
	case Pairs:
		run.scale(dst, t.row(0), t.weight(0))
		n := 1
		for ; n+3 < len(i.Terms); n += 4 {
			run.addPairs(dst, t.row(n), t.row(n+1), t.row(n+2), t.row(n+3), t.weight(n), t.weight(n+2))
		}
		if n < len(i.Terms) {
			run.addPair(dst, t.row(n), t.row(n+1), t.weight(n))
		}
	case Divide:
		run.divide(dst, t.row(0), E(i.By))
	case RoundDiv:
		roundRow(dst, t.row(0), i.By)
	case L1:
		magnitudes(dst, t.row(0))
		for n := 1; n < len(i.Terms); n++ {
			addMagnitude(dst, t.row(n))
		}
	case L2:
		norm(run, dst, t)
	case Whole, Real:
		fillRow(dst, E(i.By))
	default:
		pointwise(dst, i.Code, t)
	}
}

func sum[E scalar](run *table[E], dst []E, t terms[E]) {
	n := 1
	if len(t.list) >= 3 {
		run.sum3(dst, t.row(0), t.row(1), t.row(2))
		n = 3
	} else {
		copy(dst, t.row(0))
	}
	for ; n+3 < len(t.list); n += 4 {
		run.add4(dst, t.row(n), t.row(n+1), t.row(n+2), t.row(n+3))
	}
	if n+1 < len(t.list) {
		run.add2(dst, t.row(n), t.row(n+1))
		n += 2
	}
	if n < len(t.list) {
		run.add(dst, t.row(n))
	}
}

func linear[E scalar](run *table[E], dst []E, t terms[E]) {
	switch {
	case t.weights(-1, 1):
		run.difference(dst, t.row(0), t.row(1))
	case t.weights(1, 2, 1):
		run.smooth(dst, t.row(0), t.row(1), t.row(2))
	default:
		run.scale(dst, t.row(0), t.weight(0))
		for n := 1; n < len(t.list); n++ {
			run.addScaled(dst, t.row(n), t.weight(n))
		}
	}
}

func norm[E scalar](run *table[E], dst []E, t terms[E]) {
	switch len(t.list) {
	case 2:
		run.norm2(dst, t.row(0), t.row(1))
	case 3:
		run.norm3(dst, t.row(0), t.row(1), t.row(2))
	default:
		square(dst, t.row(0))
		for n := 1; n < len(t.list); n++ {
			addSquare(dst, t.row(n))
		}
		root(dst)
	}
}

// terms are what one row of a value is made of.
type terms[E scalar] struct {
	m    *machine
	list []Term
	to   *extent // of the value
	y    int
}

// row is the row of a term, in the columns that the value covers.
func (t terms[E]) row(n int) []E {
	term := &t.list[n]
	lo := t.to.x0 + term.DX - t.m.extents[term.Value].x0
	return row[E](t.m, term.Value, t.y+term.DY)[lo : lo+t.m.width+t.to.x1-t.to.x0]
}

func (t terms[E]) weight(n int) E { return E(t.list[n].Weight) }

func (t terms[E]) weights(w ...float64) bool {
	if len(w) != len(t.list) {
		return false
	}
	for i := range w {
		if t.list[i].Weight != w[i] {
			return false
		}
	}
	return true
}

// constant is the number that a term is, if it is one.
func (t terms[E]) constant(n int) (float64, bool) {
	i := &t.m.instrs[t.list[n].Value]
	return i.By, i.Code == Whole || i.Code == Real
}
