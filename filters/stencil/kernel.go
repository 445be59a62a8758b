package stencil

import (
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
)

// A Value names one value of a Kernel, by its place in the list.
type Value int

// A Ref is a value seen from the output voxel: the value at (y+DY, x+DX).
type Ref struct {
	Value  Value
	DY, DX int
}

// A Term is a weighted Ref.
type Term struct {
	Weight float64
	Ref
}

// A Code says what a value is made of.
type Code uint8

const (
	Load      Code = iota // an input at (z+DZ, y, x)
	Linear                // the sum of weighted terms, added from the first to the last
	Sum                   // the sum of the terms, whose weights are all 1
	Pairs                 // w0*t0 + w1*(t1+t2) + w2*(t3+t4) + ...: a symmetric kernel
	Divide                // the one term divided by the constant By
	RoundDiv              // the one term, an integer, divided by the integer By, to nearest, halves away from zero
	L2                    // the square root of the sum of the squares of the terms
	L1                    // the sum of the magnitudes of the terms
	Whole                 // the integer By
	Real                  // the real number By
	Product               // t0 * t1
	Quotient              // t0 / t1, a real number
	FloorDiv              // the largest integer that is not above t0 / t1; 0 for integers divided by 0
	Modulo                // t0 - t1 * FloorDiv, which has the sign of t1; 0 for integers divided by 0
	Minimum               // the lesser of t0 and t1
	Maximum               // the greater
	Less                  // 1 if t0 < t1, else 0
	LessEqual             // 1 if t0 <= t1, else 0
	Equal                 // 1 if t0 == t1, else 0
	Select                // t1 where t0 is not 0, else t2
	Root                  // the square root of t0
	Exp                   // e to the power of t0
	Log                   // the natural logarithm of t0
	Power                 // t0 to the power of t1
)

var codeNames = [...]string{
	"load", "linear", "sum", "pairs", "divide", "rounddiv", "l2", "l1", "whole", "real", "product", "quotient", "floordiv", "modulo",
	"minimum", "maximum", "less", "lessequal", "equal", "select", "root", "exp", "log", "power",
}

// An Instr makes one value from earlier ones.
type Instr struct {
	Code  Code
	Input int     // of Load: which of the kernel's arrays
	DZ    int     // of Load
	Terms []Term  // of everything else
	By    float64 // of Divide, RoundDiv, Whole and Real
}

// A Kernel computes one voxel from its neighbours in z, y and x. It is a list of values in which each
// is made of earlier ones; the last is the result. Kernels are immutable.
//
// A value may be looked at from neighbouring rows and columns (Ref), so a separable kernel is written
// as it is thought: once along z, then along y, then along x. Only the input is seen along z.
type Kernel struct {
	name   string
	instrs []Instr
	halos  []lazy.Halo // of each input
}

// Name is what the kernel was called when it was built.
func (k *Kernel) Name() string { return k.name }

// A Builder puts a kernel together.
type Builder struct{ instrs []Instr }

func (b *Builder) add(i Instr) Value {
	b.instrs = append(b.instrs, i)
	return Value(len(b.instrs) - 1)
}

// Load is the first input at z+dz.
func (b *Builder) Load(dz int) Value { return b.LoadOf(0, dz) }

// LoadOf is one of several inputs at z+dz.
func (b *Builder) LoadOf(input, dz int) Value { return b.add(Instr{Code: Load, Input: input, DZ: dz}) }

// Linear is the sum of weighted terms.
func (b *Builder) Linear(terms ...Term) Value { return b.add(Instr{Code: Linear, Terms: terms}) }

// Sum is the sum of terms.
func (b *Builder) Sum(terms ...Ref) Value { return b.add(Instr{Code: Sum, Terms: unweighted(terms)}) }

// Pairs is weights[0]*terms[0] + weights[1]*(terms[1]+terms[2]) + ...
func (b *Builder) Pairs(weights []float64, terms []Ref) Value {
	t := unweighted(terms)
	for i := range t {
		t[i].Weight = weights[(i+1)/2]
	}
	return b.add(Instr{Code: Pairs, Terms: t})
}

// Divide is v/by, a real number.
func (b *Builder) Divide(v Value, by float64) Value {
	return b.add(Instr{Code: Divide, Terms: []Term{{1, At(v)}}, By: by})
}

// RoundDiv is v/by as an integer, to nearest, halves away from zero.
func (b *Builder) RoundDiv(v Value, by int) Value {
	return b.add(Instr{Code: RoundDiv, Terms: []Term{{1, At(v)}}, By: float64(by)})
}

// L2 is the root of the sum of squares.
func (b *Builder) L2(v ...Value) Value { return b.add(Instr{Code: L2, Terms: here(v)}) }

// L1 is the sum of magnitudes.
func (b *Builder) L1(v ...Value) Value { return b.add(Instr{Code: L1, Terms: here(v)}) }

// Constant is a number, the same everywhere: an integer, or a real number even if it has no fraction.
func (b *Builder) Constant(v float64, whole bool) Value {
	if whole {
		return b.add(Instr{Code: Whole, By: v})
	}
	return b.add(Instr{Code: Real, By: v})
}

// Apply is a value made by one of the codes from Product on.
func (b *Builder) Apply(code Code, terms ...Ref) Value {
	return b.add(Instr{Code: code, Terms: unweighted(terms)})
}

// At is a value at the output voxel itself.
func At(v Value) Ref { return Ref{Value: v} }

// W is a weighted term at (y+dy, x+dx).
func W(weight float64, v Value, dy, dx int) Term { return Term{weight, Ref{v, dy, dx}} }

func unweighted(refs []Ref) []Term {
	t := make([]Term, len(refs))
	for i, r := range refs {
		t[i] = Term{1, r}
	}
	return t
}

func here(v []Value) []Term {
	t := make([]Term, len(v))
	for i := range v {
		t[i] = Term{1, At(v[i])}
	}
	return t
}

// Build makes a kernel whose result is the value that make returns. It panics when a value is used
// before it is made, which no text or file can cause.
func Build(name string, make func(b *Builder) Value) *Kernel {
	var b Builder
	last := make(&b)
	k := &Kernel{name: name, instrs: b.instrs[:last+1]}
	for v, i := range k.instrs {
		if constant := i.Code == Whole || i.Code == Real; i.Code != Load && !constant && len(i.Terms) == 0 {
			panic(fmt.Sprintf("stencil: %s: value %d has no terms", name, v))
		}
		for _, t := range i.Terms {
			if t.Value < 0 || int(t.Value) >= v {
				panic(fmt.Sprintf("stencil: %s: value %d uses value %d", name, v, t.Value))
			}
		}
	}
	for n := range k.Inputs() {
		k.halos = append(k.halos, k.halo(n))
	}
	return k
}

// Halo is how far the kernel reads beyond its output in one of its inputs.
func (k *Kernel) Halo(input int) lazy.Halo { return k.halos[input] }

// turned is the kernel with y and x changing places.
func (k *Kernel) turned() *Kernel {
	t := &Kernel{name: k.name}
	for _, i := range k.instrs {
		terms := make([]Term, len(i.Terms))
		for n, term := range i.Terms {
			term.DY, term.DX = term.DX, term.DY
			terms[n] = term
		}
		i.Terms = terms
		t.instrs = append(t.instrs, i)
	}
	return t
}

// Inputs is how many arrays the kernel reads.
func (k *Kernel) Inputs() int {
	n := 0
	for _, i := range k.instrs {
		if i.Code == Load {
			n = max(n, i.Input+1)
		}
	}
	return n
}

// halo is how far the kernel reads beyond its output in one of its inputs.
func (k *Kernel) halo(input int) lazy.Halo {
	var h lazy.Halo
	grow := func(a lazy.Axis, lo, hi int) {
		h.Before[a], h.After[a] = max(h.Before[a], -lo), max(h.After[a], hi)
	}
	for v, e := range k.extents() {
		if i := k.instrs[v]; i.Code == Load && i.Input == input && e.used {
			grow(lazy.Z, i.DZ, i.DZ)
			grow(lazy.Y, e.y0, e.y1)
			grow(lazy.X, e.x0, e.x1)
		}
	}
	return h
}

// An extent is from where a value is looked at: rows y0..y1 and columns x0..x1 around the output voxel.
type extent struct {
	used           bool
	y0, y1, x0, x1 int
}

func (k *Kernel) extents() []extent {
	e := make([]extent, len(k.instrs))
	e[len(e)-1].used = true
	for v := len(e) - 1; v >= 0; v-- {
		if !e[v].used {
			continue
		}
		for _, t := range k.instrs[v].Terms {
			from, at := e[v], &e[t.Value]
			if !at.used {
				*at = extent{true, from.y0 + t.DY, from.y1 + t.DY, from.x0 + t.DX, from.x1 + t.DX}
				continue
			}
			at.y0, at.y1 = min(at.y0, from.y0+t.DY), max(at.y1, from.y1+t.DY)
			at.x0, at.x1 = min(at.x0, from.x0+t.DX), max(at.x1, from.x1+t.DX)
		}
	}
	return e
}

// String is the kernel as text, one value a line. It is part of the key of every result, and what the
// golden files show.
//
//	v0 = load z-1
//	v1 = load z+1
//	v2 = linear -1*v0 1*v1
//	v3 = linear 1*v2[y-1] 2*v2 1*v2[y+1]
func (k *Kernel) String() string {
	var s strings.Builder
	for v, i := range k.instrs {
		fmt.Fprintf(&s, "v%d = %s", v, codeNames[i.Code])
		if i.Code == Load {
			if i.Input > 0 {
				fmt.Fprintf(&s, " input %d", i.Input)
			}
			s.WriteString(" z" + offset(i.DZ))
		}
		for _, t := range i.Terms {
			fmt.Fprintf(&s, " %s*v%d", strconv.FormatFloat(t.Weight, 'g', -1, 64), t.Value)
			switch {
			case t.DY != 0 && t.DX != 0:
				fmt.Fprintf(&s, "[y%s,x%s]", offset(t.DY), offset(t.DX))
			case t.DY != 0:
				fmt.Fprintf(&s, "[y%s]", offset(t.DY))
			case t.DX != 0:
				fmt.Fprintf(&s, "[x%s]", offset(t.DX))
			}
		}
		switch i.Code {
		case Divide, RoundDiv, Whole, Real:
			s.WriteString(" by " + strconv.FormatFloat(i.By, 'g', -1, 64))
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func offset(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%+d", n)
}
