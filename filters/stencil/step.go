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
		run.scale(dst, s.term(0), s.weights[0])
		for n := 1; n < len(s.terms); n++ {
			run.addScaled(dst, s.term(n), s.weights[n])
		}
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
		run.sumDivide(dst, s.term(0), s.term(1), s.term(2), s.by)
	case fusedFloorDiv:
		run.sumFloorDiv(dst, s.term(0), s.term(1), s.term(2), s.by)
	case fusedRoundDiv:
		run.sumRoundDiv(dst, s.term(0), s.term(1), s.term(2), s.by)
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

func (s *step[E]) sum(dst []E) {
	run, n := s.loops, 1
	if len(s.terms) >= 3 {
		run.sum3(dst, s.term(0), s.term(1), s.term(2))
		n = 3
	} else {
		copy(dst, s.term(0))
	}
	for ; n+3 < len(s.terms); n += 4 {
		run.add4(dst, s.term(n), s.term(n+1), s.term(n+2), s.term(n+3))
	}
	if n+1 < len(s.terms) {
		run.add2(dst, s.term(n), s.term(n+1))
		n += 2
	}
	if n < len(s.terms) {
		run.add(dst, s.term(n))
	}
}

func (s *step[E]) pairs(dst []E) {
	s.loops.scale(dst, s.term(0), s.weights[0])
	n := 1
	for ; n+3 < len(s.terms); n += 4 {
		s.loops.addPairs(dst, s.term(n), s.term(n+1), s.term(n+2), s.term(n+3), s.weights[n], s.weights[n+2])
	}
	if n < len(s.terms) {
		s.loops.addPair(dst, s.term(n), s.term(n+1), s.weights[n])
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
