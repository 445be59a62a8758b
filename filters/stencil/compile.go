package stencil

import (
	"slices"

	"lamella/lazy"
)

// fused adds a value in the form that runs fastest.
func (c *compiler) fused(i Instr, t lazy.DType, exact bool) Value {
	switch i.Code {
	case Linear, Sum:
		if exact && t != lazy.F64 {
			return c.sum(i, t)
		}
		i = weighted(i.Terms)
	case Divide:
		i = c.quotientOfSum(i, fusedDivide)
	case RoundDiv:
		i = c.quotientOfSum(i, fusedRoundDiv)
	case FloorDiv:
		if by := c.instrs[i.Terms[1].Value]; (by.Code == Whole || by.Code == Real) && by.By > 0 {
			i = c.quotientOfSum(Instr{Code: floorDivByNumber, Terms: i.Terms[:1], By: by.By}, fusedFloorDiv)
		}
	case L2:
		if terms, ok := c.slopes(i.Terms, t); ok {
			i = Instr{Code: fusedSlope, Terms: terms}
			if rows, ok := c.edge(terms); ok {
				i = Instr{Code: fusedEdge, Terms: rows}
			}
		}
	}
	return c.emit(i, t, exact)
}

// sum adds a sum of integers: along y and then along x if it can be split so, else as it is.
func (c *compiler) sum(i Instr, t lazy.DType) Value {
	b, ok := boxOf(i.Terms)
	if !ok || len(b.rows)+len(b.cols) >= len(i.Terms) {
		return c.emit(weighted(i.Terms), t, true)
	}
	var down, across []Term
	for n, dy := range b.rows {
		down = append(down, W(b.down[n], b.value, dy, 0))
	}
	column := c.emit(weighted(down), t, true)
	for n, dx := range b.cols {
		across = append(across, W(b.across[n], column, 0, dx))
	}
	return c.emit(weighted(across), t, true)
}

// weighted is the sum of terms by the loop for their weights.
func weighted(terms []Term) Instr {
	has := func(weights ...float64) bool {
		return slices.EqualFunc(terms, weights, func(t Term, w float64) bool { return t.Weight == w })
	}
	switch {
	case has(-1, 1):
		return Instr{Code: differenceOfTwo, Terms: terms}
	case has(1, -1):
		return Instr{Code: differenceOfTwo, Terms: []Term{terms[1], terms[0]}}
	case has(1, 2, 1):
		return Instr{Code: smoothOfThree, Terms: terms}
	case !slices.ContainsFunc(terms, func(t Term) bool { return t.Weight != 1 }):
		return Instr{Code: Sum, Terms: terms}
	}
	return Instr{Code: Linear, Terms: terms}
}

// quotientOfSum is a division as one code with the sum that it divides, if it does: of three terms, or of any more where the
// quotient is real.
func (c *compiler) quotientOfSum(i Instr, fused Code) Instr {
	of := i.Terms[0]
	sum := c.instrs[of.Value]
	if sum.Code != Sum || !c.usedOnce(of.Value) || !(len(sum.Terms) == 3 || fused == fusedDivide && len(sum.Terms) > 3) {
		return i
	}
	terms := seenFrom(of, sum.Terms)
	if fused == fusedDivide {
		if nine(terms) {
			fused = fusedBox
		} else if all, ok := c.columns(terms); ok {
			fused, terms = fusedColumns, all
		}
	}
	return Instr{Code: fused, Terms: terms, By: i.By}
}

// columns is the nine voxels that are added in three columns and then along x, if terms are such sums.
func (c *compiler) columns(terms []Term) ([]Term, bool) {
	column := c.instrs[terms[0].Value]
	if len(terms) != 3 || !alongX(terms) || column.Code != Sum || len(column.Terms) != 3 {
		return nil, false
	}
	return threeOfEach(seenFrom(terms[0], column.Terms))
}

// threeOfEach is the voxels of three rows and the two after each, if they are nine in reading order.
func threeOfEach(rows []Term) ([]Term, bool) {
	var all []Term
	for _, t := range rows {
		for range 3 {
			all = append(all, t)
			t.DX++
		}
	}
	return all, nine(all)
}

// nine reports whether terms are three voxels side by side of each of three rows, in reading order.
func nine(terms []Term) bool {
	if len(terms) != 9 {
		return false
	}
	for n, t := range terms {
		if first := terms[0]; t.Value != first.Value || t.DY != first.DY+n/3 || t.DX != first.DX+n%3 {
			return false
		}
	}
	return true
}

// slopes is the terms of the values whose magnitude is taken, if they are smooths along x, and at last a
// difference along x.
func (c *compiler) slopes(terms []Term, t lazy.DType) ([]Term, bool) {
	if t != lazy.F32 || len(terms) < 2 || len(terms) > 3 {
		return nil, false
	}
	var all []Term
	for n, of := range terms {
		code := smoothOfThree
		if n == len(terms)-1 {
			code = differenceOfTwo
		}
		part := c.instrs[of.Value]
		if part.Code != code || !c.usedOnce(of.Value) || !alongX(part.Terms) {
			return nil, false
		}
		all = append(all, seenFrom(of, part.Terms)...)
	}
	return all, true
}

// edge is the nine voxels that the terms of a slope are made of, if the smooth is of the difference of the outer two of three
// rows, and the difference of the smooth of the three.
func (c *compiler) edge(slope []Term) ([]Term, bool) {
	if len(slope) != 5 {
		return nil, false
	}
	over, along := c.instrs[slope[0].Value], c.instrs[slope[3].Value]
	if over.Code != differenceOfTwo || along.Code != smoothOfThree || slope[0].DX != slope[3].DX {
		return nil, false
	}
	outer, rows := seenFrom(slope[0], over.Terms), seenFrom(slope[3], along.Terms)
	if !sameVoxel(outer[0], rows[0]) || !sameVoxel(outer[1], rows[2]) {
		return nil, false
	}
	return threeOfEach(rows)
}

func sameVoxel(a, b Term) bool { return a.Value == b.Value && a.DY == b.DY && a.DX == b.DX }

// alongX reports whether terms are the voxels of one row before, at and after a column, or before and
// after it.
func alongX(terms []Term) bool {
	step := 2 / (len(terms) - 1)
	for n, t := range terms {
		if t.Value != terms[0].Value || t.DY != terms[0].DY || t.DX != terms[0].DX+n*step {
			return false
		}
	}
	return true
}

// seenFrom is the terms of a value as they lie around the voxel that looks at the value.
func seenFrom(of Term, terms []Term) []Term {
	seen := make([]Term, len(terms))
	for n, t := range terms {
		t.DY, t.DX = t.DY+of.DY, t.DX+of.DX
		seen[n] = t
	}
	return seen
}

// usedOnce reports whether one value of the kernel alone looks at a value of the program, and looks once.
func (c *compiler) usedOnce(made Value) bool {
	n := 0
	for v, to := range c.to {
		if to == made {
			n += c.uses[v]
		}
	}
	return n == 1
}
