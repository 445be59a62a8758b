package stencil

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Names are what a kernel's inputs are called in its text, for n inputs: x, y, z, u, v, w, in6, in7, ...
func Names(n int) []string {
	names := []string{"x", "y", "z", "u", "v", "w"}
	for i := len(names); i < n; i++ {
		names = append(names, fmt.Sprint("in", i))
	}
	return names[:n]
}

// Text is the kernel in the notation of ParseOf, where its inputs have the Names of their number: one named
// value a line, the result last. Read back, it is a kernel that computes the same voxels. A kernel that was
// parsed is read back as itself, value by value; one that a Builder made may come back with values that are
// equal made one.
//
//	v0 = x[-1,0,0]
//	v1 = x[1,0,0]
//	v2 = v1 - v0
//	v2[-1,0] + 2*v2 + v2[1,0]
func (k *Kernel) Text() string {
	var s strings.Builder
	names := Names(k.Inputs())
	for v, i := range k.instrs {
		if v == len(k.instrs)-1 {
			s.WriteString(i.text(names) + "\n")
			break
		}
		fmt.Fprintf(&s, "v%d = %s\n", v, i.text(names))
	}
	return s.String()
}

// signOf writes the codes that stand between two values.
var signOf = map[Code]string{
	Product: "*", Quotient: "/", FloorDiv: "//", Modulo: "%", Less: "<", LessEqual: "<=", Equal: "==",
}

// nameOf writes the codes that are functions.
var nameOf = map[Code]string{
	Minimum: "min", Maximum: "max", Root: "sqrt", Exp: "exp", Log: "log", Power: "pow", Select: "where", L2: "norm", L1: "norm1",
}

func (i Instr) text(inputs []string) string {
	if sign, ok := signOf[i.Code]; ok {
		return fmt.Sprintf("%s %s %s", i.Terms[0].Ref, sign, i.Terms[1].Ref)
	}
	switch i.Code {
	case Load:
		if i.DZ == 0 {
			return inputs[i.Input]
		}
		return fmt.Sprintf("%s[%d,0,0]", inputs[i.Input], i.DZ)
	case Linear, Sum:
		return sumText(i.Terms)
	case Divide:
		return fmt.Sprintf("%s / %s", i.Terms[0].Ref, numberText(i.By, false))
	case RoundDiv:
		return fmt.Sprintf("rounddiv(%s, %s)", i.Terms[0].Ref, numberText(i.By, true))
	case Whole, Real:
		return fmt.Sprintf("value(%s)", numberText(i.By, i.Code == Whole))
	}
	var args []string
	for n, t := range i.Terms {
		if i.Code == Pairs && (n == 0 || n%2 == 1) {
			args = append(args, numberText(t.Weight, false))
		}
		args = append(args, t.Ref.String())
	}
	if i.Code == Pairs {
		return "pairs(" + strings.Join(args, ", ") + ")"
	}
	return nameOf[i.Code] + "(" + strings.Join(args, ", ") + ")"
}

func sumText(terms []Term) string {
	var s strings.Builder
	for n, t := range terms {
		w := t.Weight
		switch negative := math.Signbit(w); {
		case n > 0 && negative:
			s.WriteString(" - ")
			w = -w
		case n > 0:
			s.WriteString(" + ")
		case negative:
			s.WriteString("-")
			w = -w
		}
		if w != 1 {
			s.WriteString(numberText(w, w == math.Trunc(w)) + "*")
		}
		s.WriteString(t.Ref.String())
	}
	return s.String()
}

// String is the term with its weight. Without it the Ref's would stand for the term's, and two terms that differ in
// their weights would read the same.
func (t Term) String() string {
	return strconv.FormatFloat(t.Weight, 'g', -1, 64) + "*" + t.Ref.String()
}

// String is the value as a text refers to it: v3, or v3[dy,dx] where it is looked at from a neighbour.
func (r Ref) String() string {
	if r.DY == 0 && r.DX == 0 {
		return fmt.Sprintf("v%d", r.Value)
	}
	return fmt.Sprintf("v%d[%d,%d]", r.Value, r.DY, r.DX)
}

// numberText is a number that reads back as the same, and as an integer or none: 2 is one and 2.0 is not.
func numberText(v float64, whole bool) string {
	if whole {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
