package stencil

import (
	"lamella/lazy"
)

// A program is a kernel made ready to run on inputs of given types: the type of each value is chosen, every
// value is made of values of its own type, sums over boxes are split along the axes, and values that one loop
// makes together are one.
//
// No voxel changes by it. A sum is split where its type holds integers, which may be added in any order;
// what is fused takes the same steps in the same order.
type program struct {
	instrs  []Instr
	types   []lazy.DType
	extents []extent
	whole   bool   // the result is a whole number
	direct  []bool // loads of which one sum alone takes the rows as they are stored (direct.go)
}

// These codes occur in programs alone.
const (
	fusedDivide      = Power + 1 + iota // Divide of the Sum of three terms or more
	fusedFloorDiv                       // FloorDiv of the Sum of three terms by the constant By
	fusedRoundDiv                       // RoundDiv of such a sum
	fusedBox                            // Divide of the Sum of the nine voxels around one, in reading order
	fusedColumns                        // Divide of the Sum along x of the Sum of three rows: those nine voxels, in reading order
	fusedEdge                           // fusedSlope of the difference of two rows and the smooth of three: those nine voxels, in reading order
	fusedSlope                          // L2 of smooths along x and of a difference at last; all their terms, one after another
	floorDivByNumber                    // FloorDiv of the one term by the constant By, which is above 0
	roundDivReal                        // RoundDiv of a real number
	differenceOfTwo                     // Linear with the weights -1 1, or 1 -1 with its terms changed over
	smoothOfThree                       // Linear with the weights 1 2 1
	conversion                          // the one term in another type
)

// A compiler writes a program, value by value.
type compiler struct {
	types []lazy.DType // of the kernel's values
	exact []bool       // those that are integers, whatever their type
	uses  []int        // how many terms look at each
	to    []Value      // where each is in the program

	instrs    []Instr
	made      []lazy.DType // of the program's values
	converted map[conversionOf]Value
}

type conversionOf struct {
	value Value
	to    lazy.DType
}

// compile is the kernel's program for inputs of the given types; see types for limit.
func (k *Kernel) compile(in []lazy.DType, limit float64) program {
	p := k.compileWith((*compiler).fused, in, limit)
	p.findDirect(in)
	return p
}

// compileUnfused is the program that makes one value after another as the kernel lists them, which is what
// compile is tested against.
func (k *Kernel) compileUnfused(in []lazy.DType, limit float64) program {
	return k.compileWith((*compiler).emit, in, limit)
}

func (k *Kernel) compileWith(translate func(*compiler, Instr, lazy.DType, bool) Value, in []lazy.DType, limit float64) program {
	c := &compiler{types: k.types(in, limit), uses: make([]int, len(k.instrs)), converted: map[conversionOf]Value{}}
	t, _ := k.infer(in, limit)
	used := k.extents()
	for v, i := range k.instrs {
		c.exact = append(c.exact, !t[v].Float())
		if used[v].used {
			for _, term := range i.Terms {
				c.uses[term.Value]++
			}
		}
	}
	for v, i := range k.instrs {
		if !used[v].used {
			c.to = append(c.to, -1)
			continue
		}
		i.Terms = c.moved(i.Terms, c.types[v])
		if i.Code == RoundDiv && !c.exact[v] {
			i.Code = roundDivReal
		}
		c.to = append(c.to, translate(c, i, c.types[v], c.exact[v]))
	}
	return program{instrs: c.instrs, types: c.made, extents: (&Kernel{instrs: c.instrs}).extents(), whole: c.exact[len(c.exact)-1]}
}

// moved is terms with their places in the program, converted to a type.
func (c *compiler) moved(terms []Term, t lazy.DType) []Term {
	moved := make([]Term, len(terms))
	for n, term := range terms {
		term.Value = c.as(c.to[term.Value], t)
		moved[n] = term
	}
	return moved
}

// as is a value of the program in a type.
func (c *compiler) as(v Value, t lazy.DType) Value {
	if c.made[v] == t {
		return v
	}
	key := conversionOf{v, t}
	if to, ok := c.converted[key]; ok {
		return to
	}
	to := c.emit(Instr{Code: conversion, Terms: []Term{{1, At(v)}}}, t, false)
	c.converted[key] = to
	return to
}

// emit adds a value as it is.
func (c *compiler) emit(i Instr, t lazy.DType, _ bool) Value {
	c.instrs, c.made = append(c.instrs, i), append(c.made, t)
	return Value(len(c.instrs) - 1)
}
