package stencil

// A step computes the rows of one value from those of others, by one loop or by a few.
type step[E scalar] struct {
	code    Code
	terms   []operand[E]
	weights []E
	by      E
	width   int
	loops   *table[E]
}

func newStep[E scalar](m *machine, v, width int) *step[E] {
	i := &m.instrs[v]
	s := &step[E]{code: i.Code, by: E(i.By), width: width, loops: tableOf[E]()}
	for n, t := range i.Terms {
		s.terms, s.weights = append(s.terms, operandOf[E](m, v, n)), append(s.weights, E(t.Weight))
	}
	return s
}

func (s *step[E]) term(n int) []E { return s.terms[n].row(s.width) }

// wide is the row of a term with the two columns after it, which loops that look at neighbours take.
func (s *step[E]) wide(n int) []E { return s.terms[n].row(s.width + 2) }

// row computes one row from the rows of the terms, in the order in which they are written.
func (s *step[E]) row(dst []E, _ int) {
	run := s.loops
	switch s.code {
	case Linear:
		s.linear(dst)
	case differenceOfTwo:
		run.difference(dst, s.term(0), s.term(1))
	case smoothOfThree:
		run.smooth(dst, s.term(0), s.term(1), s.term(2))
	case Sum:
		s.sum(dst)
	case Pairs:
		s.pairs(dst)
	case Divide:
		run.divide(dst, s.term(0), s.by)
	case RoundDiv:
		run.roundDiv(dst, s.term(0), s.by)
	case roundDivReal:
		roundDivBy(dst, s.term(0), s.by)
	case floorDivByNumber:
		run.floorDiv(dst, s.term(0), s.by)
	case fusedDivide:
		s.sumDivide(dst)
	case fusedFloorDiv:
		run.sumFloorDiv(dst, s.term(0), s.term(1), s.term(2), s.by)
	case fusedRoundDiv:
		run.sumRoundDiv(dst, s.term(0), s.term(1), s.term(2), s.by)
	case fusedBox:
		run.boxDivide(dst, s.wide(0), s.wide(3), s.wide(6), s.by)
	case fusedColumns:
		run.columnsDivide(dst, s.wide(0), s.wide(3), s.wide(6), s.by)
	case fusedEdge:
		run.edge2(dst, s.wide(0), s.wide(3), s.wide(6))
	case fusedSlope:
		if len(s.terms) == 5 {
			run.slope2(dst, s.wide(0), s.wide(3))
		} else {
			run.slope3(dst, s.wide(0), s.wide(3), s.wide(6))
		}
	case L1:
		run.magnitude(dst, s.term(0))
		for n := 1; n < len(s.terms); n++ {
			run.addMagnitude(dst, s.term(n))
		}
	case L2:
		s.norm(dst)
	case Whole, Real:
		fillRow(dst, s.by)
	default:
		s.pointwise(dst)
	}
}

func (s *step[E]) linear(dst []E) {
	run, n := s.loops, 2
	if len(s.terms) == 1 {
		run.scale(dst, s.term(0), s.weights[0])
		return
	}
	run.scale2(dst, s.term(0), s.term(1), s.weights[0], s.weights[1])
	for ; n+1 < len(s.terms); n += 2 {
		run.addScaled2(dst, s.term(n), s.term(n+1), s.weights[n], s.weights[n+1])
	}
	if n < len(s.terms) {
		run.addScaled(dst, s.term(n), s.weights[n])
	}
}

func (s *step[E]) sum(dst []E) { s.sumOf(dst, len(s.terms)) }

// sumOf is the sum of the first terms.
func (s *step[E]) sumOf(dst []E, terms int) {
	run, n := s.loops, 0
	switch {
	case terms >= 5 && terms%4 == 1:
		run.sum5(dst, s.term(0), s.term(1), s.term(2), s.term(3), s.term(4))
		n = 5
	case terms >= 3:
		run.sum3(dst, s.term(0), s.term(1), s.term(2))
		n = 3
	default:
		copy(dst, s.term(0))
		n = 1
	}
	for ; n+3 < terms; n += 4 {
		run.add4(dst, s.term(n), s.term(n+1), s.term(n+2), s.term(n+3))
	}
	if n+1 < terms {
		run.add2(dst, s.term(n), s.term(n+1))
		n += 2
	}
	if n < terms {
		run.add(dst, s.term(n))
	}
}

// sumDivide divides a sum of three terms or more, with the last of them if those are four.
func (s *step[E]) sumDivide(dst []E) {
	n := len(s.terms)
	switch {
	case n == 3:
		s.loops.sumDivide(dst, s.term(0), s.term(1), s.term(2), s.by)
	case n > 5 && n%2 == 1:
		s.sumOf(dst, n-4)
		s.loops.add4Divide(dst, s.term(n-4), s.term(n-3), s.term(n-2), s.term(n-1), s.by)
	default:
		s.sum(dst)
		s.loops.divide(dst, dst, s.by)
	}
}

// pairs adds pairs of terms to a term, two pairs at a time; with the term itself goes one of them, or two.
func (s *step[E]) pairs(dst []E) {
	run, w, n := s.loops, s.weights, len(s.terms)
	switch {
	case n == 1:
		run.scale(dst, s.term(0), w[0])
		return
	case n%4 == 3:
		run.scalePair(dst, s.term(0), s.term(1), s.term(2), w[0], w[1])
		n = 3
	default:
		run.scalePairs(dst, s.term(0), s.term(1), s.term(2), s.term(3), s.term(4), w[0], w[1], w[3])
		n = 5
	}
	for ; n+3 < len(s.terms); n += 4 {
		run.addPairs(dst, s.term(n), s.term(n+1), s.term(n+2), s.term(n+3), w[n], w[n+2])
	}
}

func (s *step[E]) norm(dst []E) {
	switch len(s.terms) {
	case 2:
		s.loops.norm2(dst, s.term(0), s.term(1))
	case 3:
		s.loops.norm3(dst, s.term(0), s.term(1), s.term(2))
	default:
		s.loops.square(dst, s.term(0))
		for n := 1; n < len(s.terms); n++ {
			s.loops.addSquare(dst, s.term(n))
		}
		s.loops.root(dst, dst)
	}
}
