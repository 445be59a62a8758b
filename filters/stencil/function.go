package stencil

import "math"

// A function takes from least to most arguments.
type function struct {
	code        Code
	least, most int
}

// functions are those that nothing else may be named after.
var functions = map[string]function{
	"min": {Minimum, 2, 64}, "max": {Maximum, 2, 64}, "abs": {L1, 1, 1}, "sqrt": {Root, 1, 1}, "exp": {Exp, 1, 1},
	"log": {Log, 1, 1}, "pow": {Power, 2, 2}, "where": {Select, 3, 3},
}

// written are functions that texts made from kernels need beside those (see Kernel.Text). They are functions only
// before a bracket, so that a value may have their name.
//
//	norm(a, b, c)             the root of the sum of squares
//	norm1(a, b, c)            the sum of magnitudes
//	rounddiv(a, 9)            a / 9 to nearest, halves away from zero, for integers
//	pairs(.5, a, .25, b, c)   .5*a + .25*(b + c), and so on with a number and two values
//	value(2)                  a number that no weight and no divisor is made of
var written = map[string]function{
	"norm": {L2, 1, 64}, "norm1": {L1, 1, 64}, "rounddiv": {RoundDiv, 2, 2}, "pairs": {Pairs, 2, 3*maxOffset + 2}, "value": {Whole, 1, 1},
}

func (p *parser) call(name token, f function) (expr, error) {
	if _, err := p.expect("(", "( after "+name.text); err != nil {
		return expr{}, err
	}
	var args []expr
	for {
		e, err := p.comparison()
		if err != nil {
			return expr{}, err
		}
		if !f.takesNumber(len(args)) {
			e = expr{terms: []Term{{1, e.materialize(p)}}}
		}
		args = append(args, e)
		if p.take(")") {
			break
		}
		if _, err := p.expect(",", ", or )"); err != nil {
			return expr{}, err
		}
	}
	if n := len(args); n < f.least || n > f.most {
		return expr{}, name.fault("%s takes %d values, not %d", name.text, f.least, n)
	}
	for n, e := range args {
		if f.takesNumber(n) && e.number == nil {
			return expr{}, name.fault("%s takes a number as its argument %d", name.text, n+1)
		}
	}
	return p.result(name, f.code, args)
}

// takesNumber reports whether argument n is a number and no value.
func (f function) takesNumber(n int) bool {
	switch f.code {
	case RoundDiv:
		return n == 1
	case Pairs:
		return n == 0 || n%3 == 2
	case Whole:
		return true
	}
	return false
}

// result is what a function gives for arguments that are numbers or values of one plain term.
func (p *parser) result(name token, code Code, args []expr) (expr, error) {
	one := func(i Instr) (expr, error) { return expr{terms: []Term{{1, p.add(i)}}}, nil }
	at := func(n int) Ref { return args[n].terms[0].Ref }
	switch code {
	case Minimum, Maximum:
		e := p.value(code, at(0), at(1))
		for n := range args[2:] {
			e = p.value(code, e.terms[0].Ref, at(n+2))
		}
		return e, nil
	case Whole:
		return expr{terms: []Term{{1, args[0].materialize(p)}}}, nil
	case RoundDiv:
		by := args[1].number
		if !by.whole || by.v < 1 || by.v > math.MaxInt32 {
			return expr{}, name.fault("rounddiv divides by a whole number from 1 to %d, not by %g", math.MaxInt32, by.v)
		}
		return one(Instr{Code: RoundDiv, Terms: []Term{{1, at(0)}}, By: by.v})
	case Pairs:
		if len(args)%3 != 2 {
			return expr{}, name.fault("pairs takes a number and a value, then a number and two values any number of times")
		}
		var terms []Term
		for n := range args {
			if n == 0 || n%3 == 2 {
				continue
			}
			terms = append(terms, Term{args[max(0, (n-n%3)-1)].number.v, at(n)})
		}
		return one(Instr{Code: Pairs, Terms: terms})
	}
	var refs []Ref
	for n := range args {
		refs = append(refs, at(n))
	}
	return p.value(code, refs...), nil
}
