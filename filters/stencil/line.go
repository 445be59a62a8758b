package stencil

import (
	"lamella/lazy"
)

// A line makes the rows of one value, one after another.
type line interface {
	next(y int) // makes row y the newest; the one before it was y-1, or of another plane
}

// lineOf keeps the last rows of a value of type E, each from the first column that anything looks at to
// the last. The rows take turns in memory: each new one takes the place of the oldest.
type lineOf[E scalar] struct {
	memory []E
	at     []int // where each row begins
	oldest int   // which of them is furthest back
	width  int
	maker[E]
}

// A maker makes row y of a value, in a piece of memory, or finds it elsewhere.
type maker[E scalar] interface {
	row(own []E, y int)
}

func (l *lineOf[E]) next(y int) {
	at := l.at[l.oldest]
	if l.oldest++; l.oldest == len(l.at) {
		l.oldest = 0
	}
	l.row(l.memory[at:at+l.width:at+l.width], y)
}

// rowsInPlace are rows of an input as they lie in memory.
type rowsInPlace[E scalar] struct {
	*lineOf[E]
	in *input
	dz int
	dx int
}

func (l *rowsInPlace[E]) next(y int) {
	l.at[l.oldest] = l.in.at(l.dz, y, l.dx)
	if l.oldest++; l.oldest == len(l.at) {
		l.oldest = 0
	}
}

// addLine makes the line of value v, whose terms have theirs.
func addLine[E scalar](m *machine, v int, out *output) {
	i, e := &m.instrs[v], &m.extents[v]
	kept, width := e.y1-e.y0+1, m.width+e.x1-e.x0
	last := v == len(m.instrs)-1
	l := &lineOf[E]{at: make([]int, kept), width: width}
	m.lines[v] = l
	if (i.Code == Whole || i.Code == Real) && !last {
		l.memory = make([]E, width)
		fillRow(l.memory, E(i.By))
		return // every row is the one
	}
	m.order = append(m.order, v)
	switch {
	case i.Code == Sum && m.takenDirect(i.Terms[0].Value):
		l.maker = summerOf[E](m, v)
	case i.Code == Load:
		in := &m.src[i.Input]
		if in.inPlace(lazy.TypeOf[E]()) && !last {
			l.memory = lazy.View[E](in.block)
			m.lines[v] = &rowsInPlace[E]{l, in, i.DZ, e.x0}
			return
		}
		l.maker = loaderOf[E](in, i.DZ, e.x0)
	case i.Code == conversion:
		l.maker = converterOf[E](m, v, width)
	default:
		l.maker = newStep[E](m, v, width)
	}
	if last {
		l.maker = storerOf(out, l.maker)
	}
	l.memory = make([]E, kept*width)
	for n := range l.at {
		l.at[n] = n * width
	}
}

// converterOf converts rows of another type.
func converterOf[E scalar](m *machine, v, width int) maker[E] {
	switch m.types[m.instrs[v].Terms[0].Value] {
	case lazy.I16:
		return newConverter[E, int16](m, v, width)
	case lazy.I32:
		return newConverter[E, int32](m, v, width)
	case lazy.I64:
		return newConverter[E, int64](m, v, width)
	case lazy.F32:
		return newConverter[E, float32](m, v, width)
	default:
		return newConverter[E, float64](m, v, width)
	}
}

type converter[E, S scalar] struct {
	of    operand[S]
	width int
	widen func([]E, []S)
}

func newConverter[E, S scalar](m *machine, v, width int) maker[E] {
	return &converter[E, S]{operandOf[S](m, v, 0), width, widening[E, S]()}
}

func (c *converter[E, S]) row(own []E, _ int) { c.widen(own, c.of.row(c.width)) }

// An operand is a row that a step looks at.
type operand[E scalar] struct {
	of   *lineOf[E]
	line int // which of its rows when the step makes its newest, from the oldest on
	from int // its first column
}

// operandOf is term n of value v.
func operandOf[E scalar](m *machine, v, n int) operand[E] {
	term, to := m.instrs[v].Terms[n], &m.extents[v]
	of := &m.extents[term.Value]
	var l *lineOf[E]
	switch made := m.lines[term.Value].(type) {
	case *lineOf[E]:
		l = made
	case *rowsInPlace[E]:
		l = made.lineOf
	}
	return operand[E]{l, to.y1 + term.DY - of.y0, to.x0 + term.DX - of.x0}
}

func (o *operand[E]) row(width int) []E {
	l := o.of
	n := l.oldest + o.line
	if n >= len(l.at) {
		n -= len(l.at)
	}
	at := l.at[n] + o.from
	return l.memory[at : at+width]
}
