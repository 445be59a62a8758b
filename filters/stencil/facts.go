package stencil

// A Form says what kind of function of its neighbourhood a kernel is.
type Form uint8

// The forms. A WeightedSum is linear. OfWeightedSum is a function, such as a rounding or a magnitude, of one
// weighted sum: the neighbourhood enters by that sum alone. Everything else is Nonlinear.
const (
	WeightedSum Form = iota
	OfWeightedSum
	Nonlinear
)

// Form is the form of the kernel, as far as its text tells: terms that cancel are not looked for.
func (k *Kernel) Form() Form {
	forms := make([]formed, len(k.instrs))
	for v, i := range k.instrs {
		forms[v] = i.formed(Value(v), forms)
	}
	return forms[len(forms)-1].form
}

// A formed is the form of one value: a number that is the same everywhere, or a form, with the weighted sum
// that a value OfWeightedSum is made of.
type formed struct {
	constant bool
	form     Form
	root     Ref
}

func (i Instr) formed(v Value, of []formed) formed {
	switch i.Code {
	case Load:
		return formed{root: At(v)}
	case Whole, Real:
		return formed{constant: true}
	}
	var roots []Ref // of the terms that are no numbers, each once
	linear, numbers := true, 0
	for _, t := range i.Terms {
		s := of[t.Value]
		if s.constant {
			numbers++
			continue
		}
		if s.form == Nonlinear {
			return formed{form: Nonlinear}
		}
		linear = linear && s.form == WeightedSum
		root := Ref{s.root.Value, s.root.DY + t.DY, s.root.DX + t.DX}
		if len(roots) == 0 || roots[0] != root {
			roots = append(roots, root)
		}
	}
	if len(roots) == 0 {
		return formed{constant: true}
	}
	if linear {
		switch i.Code {
		case Linear, Sum, Pairs:
			linear = numbers == 0
		case Divide:
		case Product:
			linear = numbers == 1
		case Quotient:
			linear = of[i.Terms[1].Value].constant
		default:
			linear = false
		}
	}
	switch {
	case linear:
		return formed{root: At(v)}
	case len(roots) == 1:
		return formed{form: OfWeightedSum, root: roots[0]}
	}
	return formed{form: Nonlinear}
}

// Operations is how many arithmetic operations a voxel takes: additions, products, comparisons, roots and
// so on each count one. Values that several others use are computed once.
func (k *Kernel) Operations() int {
	n := 0
	for _, i := range k.instrs {
		terms := len(i.Terms)
		switch i.Code {
		case Load, Whole, Real:
		case Linear, Sum, Pairs:
			n += terms - 1
			weighted := map[float64]bool{}
			for _, t := range i.Terms {
				if t.Weight == 1 || t.Weight == -1 || i.Code == Pairs && weighted[t.Weight] {
					continue
				}
				weighted[t.Weight] = true
				n++
			}
		case L1:
			n += 2*terms - 1
		case L2:
			n += 2 * terms
		default:
			n++
		}
	}
	return n
}
