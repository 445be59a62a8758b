package stencil

import "lamella/lazy"

// Rows of narrow integers need not go through memory in a wider type before they are added, nor sums of such before they are
// divided and stored: the loops here widen, or narrow, what they hold in registers. The voxels are the same: a sum of integers
// is exact in the type that the program has chosen for it.

// findDirect notes the loads of narrow integers of which one sum of three alone looks at rows.
func (p *program) findDirect(in []lazy.DType) {
	p.direct = make([]bool, len(p.instrs))
	looks := make([]int, len(p.instrs))
	for v, i := range p.instrs {
		for _, t := range i.Terms {
			if p.extents[v].used {
				looks[t.Value]++
			}
		}
	}
	for v, i := range p.instrs {
		if i.Code != Sum || len(i.Terms) != 3 || !p.extents[v].used {
			continue
		}
		of := i.Terms[0].Value
		if load := p.instrs[of]; load.Code == Load && narrow(in[load.Input]) && in[load.Input] != p.types[v] && looks[of] == 3 &&
			i.Terms[1].Value == of && i.Terms[2].Value == of {
			p.direct[of] = true
		}
	}
}

func narrow(d lazy.DType) bool {
	return d == lazy.U8 || d == lazy.I8 || d == lazy.U16 || d == lazy.I16
}

// takenDirect reports whether a load has no line, since a sum takes its rows from where they are stored.
func (m *machine) takenDirect(v Value) bool {
	return m.direct != nil && m.direct[v] && m.src[m.instrs[v].Input].col == 1
}

// A summer adds three rows of an input of type S.
type summer[E scalar, S lazy.Number] struct {
	in     *input
	voxels []S
	dz     int
	at     [3]struct{ dy, dx int } // of the first voxel of each row
	add    func(dst []E, a, b, c []S)
}

// summerOf makes the rows of value v, a sum of three rows of narrow integers.
func summerOf[E scalar](m *machine, v int) maker[E] {
	switch m.src[m.instrs[m.instrs[v].Terms[0].Value].Input].block.DType {
	case lazy.U8:
		return newSummer[E, uint8](m, v)
	case lazy.I8:
		return newSummer[E, int8](m, v)
	case lazy.U16:
		return newSummer[E, uint16](m, v)
	default:
		return newSummer[E, int16](m, v)
	}
}

func newSummer[E scalar, S lazy.Number](m *machine, v int) maker[E] {
	load := &m.instrs[m.instrs[v].Terms[0].Value]
	in := &m.src[load.Input]
	s := &summer[E, S]{in: in, voxels: lazy.View[S](in.block), dz: load.DZ, add: summing[E, S]()}
	for n, t := range m.instrs[v].Terms {
		s.at[n].dy, s.at[n].dx = t.DY, m.extents[v].x0+t.DX
	}
	return s
}

func (s *summer[E, S]) row(own []E, y int) {
	rows := [3][]S{}
	for n, at := range s.at {
		from := s.in.at(s.dz, y+at.dy, at.dx)
		rows[n] = s.voxels[from : from+len(own)]
	}
	s.add(own, rows[0], rows[1], rows[2])
}

// summing is the loop that widens three rows and adds them.
func summing[D scalar, S lazy.Number]() func(dst []D, a, b, c []S) {
	first, ok := fast.summing[conversionKey{lazy.TypeOf[S](), lazy.TypeOf[D]()}].(func([]D, []S, []S, []S) int)
	if !ok {
		return sum3Of[D, S]
	}
	return func(dst []D, a, b, c []S) {
		n := first(dst, a, b, c)
		sum3Of(dst[n:], a[n:], b[n:], c[n:])
	}
}

func sum3Of[D scalar, S lazy.Number](dst []D, a, b, c []S) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = D(a[i]) + D(b[i]) + D(c[i])
	}
}

// A divider stores the quotients of sums of three terms without a row of them in between.
type divider[E scalar, D lazy.Number] struct {
	*storer[E, D]
	of     *step[E]
	divide func(dst []D, a, b, c []E, by E) int
}

// dividing is the loop that divides the sum that a step makes and stores it, nil if there is none.
func dividing[D lazy.Number, E scalar](from maker[E]) func(dst []D, a, b, c []E, by E) int {
	s, ok := from.(*step[E])
	if !ok || s.by < 2 {
		return nil
	}
	loops := fast.roundDividing
	switch s.code {
	case fusedFloorDiv:
		loops = fast.floorDividing
	case fusedRoundDiv:
	default:
		return nil
	}
	divide, _ := loops[conversionKey{lazy.TypeOf[E](), lazy.TypeOf[D]()}].(func([]D, []E, []E, []E, E) int)
	return divide
}

func (d *divider[E, D]) row(own []E, y int) {
	from := d.out.origin + y*d.out.row
	dst, s := d.voxels[from:from+len(own)], d.of
	a, b, c := s.term(0), s.term(1), s.term(2)
	n := d.divide(dst, a, b, c, s.by)
	if n < len(own) {
		rest := own[n:]
		if s.code == fusedFloorDiv {
			s.loops.sumFloorDiv(rest, a[n:], b[n:], c[n:], s.by)
		} else {
			s.loops.sumRoundDiv(rest, a[n:], b[n:], c[n:], s.by)
		}
		d.store(dst[n:], 1, rest)
	}
}
