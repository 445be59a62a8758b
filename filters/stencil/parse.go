package stencil

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A Param is a number that a text leaves open, declared by a line "@param k = 0.5 0..1".
type Param struct {
	Name     string
	Default  float64
	Whole    bool // written as an integer
	Min, Max float64
}

// Params are the parameters that a text declares, in order.
func Params(text string) ([]Param, error) {
	steps := map[string]float64{"dz": 1, "dy": 1, "dx": 1} // what they are does not matter here
	p, err := newParser(text, []string{"x"}, steps)
	if err != nil {
		return nil, err
	}
	_, err = p.program()
	return p.params, err
}

// Parse makes a kernel of a stencil's text, in the notation of Python and Numba:
//
//	(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9
//
// x[dy,dx] and x[dz,dy,dx] are the input at a neighbour, x alone the voxel itself. Operators, from the
// loosest: comparisons (which give 1 or 0), + -, * / // %, the sign, and **. Functions: min max abs sqrt exp
// log pow where, and norm (the root of the sum of squares). Lines, or parts between semicolons, may name values: "m = x[-1,0] + x[1,0]"; a named value
// may be seen from a neighbour too, m[0,1]. The last line is the result. "@param k = 0.5 0..1" declares a
// number that values may set. dz, dy and dx are the steps between voxels in micrometres, if values has them.
//
// Weights are applied as they are written (a correlation). Sums are added from left to right. Errors are
// SyntaxErrors with the column.
func Parse(name, text string, values map[string]float64) (*Kernel, error) {
	return ParseOf(name, text, []string{"x"}, values)
}

// ParseOf is Parse for several inputs, each with a name: "a - 2*b[0,1]" of a and b. Each must be looked at.
func ParseOf(name, text string, inputs []string, values map[string]float64) (*Kernel, error) {
	p, err := newParser(text, inputs, values)
	if err != nil {
		return nil, err
	}
	result, err := p.program()
	if err != nil {
		return nil, err
	}
	last := result.materialize(p)
	for n, input := range inputs {
		if !p.looks[n] {
			return nil, p.tokens[0].fault("the stencil never looks at its input, %s", input)
		}
	}
	return Build(name, func(b *Builder) Value {
		b.instrs = p.b.instrs
		if last.DY == 0 && last.DX == 0 && int(last.Value) == len(b.instrs)-1 {
			return last.Value
		}
		return b.Sum(last) // the result is the last value, and at the voxel itself
	}), nil
}

// An expr is a sum of weighted terms that has not been made a value yet, or a number.
type expr struct {
	terms  []Term
	number *constant
}

type constant struct {
	v     float64
	whole bool
}

type parser struct {
	b      Builder
	tokens []token
	at     int
	inputs []string
	looks  []bool // at each input
	values map[string]float64
	params []Param
	names  map[string]expr
	known  map[string]Value // instructions by their text, so that equal ones are one value
	depth  int
}

// maxDepth bounds how deep brackets nest, and maxValues how long a stencil is.
const (
	maxDepth  = 200
	maxValues = 5000
)

func newParser(text string, inputs []string, values map[string]float64) (*parser, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	return &parser{
		tokens: tokens, inputs: inputs, looks: make([]bool, len(inputs)), values: values,
		names: map[string]expr{}, known: map[string]Value{},
	}, nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != "end" {
		p.at++
	}
	return t
}

func (p *parser) take(kind string) bool {
	if p.peek().kind == kind {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(kind, what string) (token, error) {
	t := p.next()
	if t.kind != kind {
		return t, t.fault("expected %s, found %v", what, t)
	}
	return t, nil
}

// program is lines up to the end; the last is the result.
func (p *parser) program() (expr, error) {
	var result expr
	seen := false
	for {
		for p.take("line") {
		}
		t := p.peek()
		if t.kind == "end" {
			break
		}
		var err error
		switch {
		case t.kind == "@":
			err = p.param()
		case t.kind == "name" && p.tokens[p.at+1].kind == "=":
			err = p.let()
		default:
			result, err = p.comparison()
			seen = true
		}
		if err != nil {
			return expr{}, err
		}
		end := p.peek()
		if end.kind != "line" && end.kind != "end" {
			return expr{}, end.fault("expected an operator or the end, found %v", end)
		}
		if seen {
			for p.take("line") {
			}
			if more := p.peek(); more.kind != "end" {
				return expr{}, more.fault("the result is given already; a value before it needs a name, as in m = x[0,1]")
			}
		}
	}
	if !seen {
		return expr{}, p.peek().fault("expected an expression, such as x[0,-1] + x[0,1]")
	}
	return result, nil
}

func (p *parser) let() error {
	name := p.next()
	p.next()
	if err := p.unused(name); err != nil {
		return err
	}
	e, err := p.comparison()
	if err == nil {
		p.names[name.text] = expr{terms: []Term{{1, e.materialize(p)}}}
		if e.number != nil {
			p.names[name.text] = e
		}
	}
	return err
}

func (p *parser) unused(name token) error {
	_, function := functions[name.text]
	_, used := p.names[name.text]
	if function || used || slices.Contains(p.inputs, name.text) {
		return name.fault("%q has a meaning already", name.text)
	}
	return nil
}

// param is "@param name = default min..max"; the range may be left out.
// ownNames are what a filter that runs a stencil is told beside the stencil's own parameters.
var ownNames = []string{"text", "border", "dtype", "dz", "dy", "dx"}

func (p *parser) param() error {
	p.next()
	if t := p.next(); t.text != "param" {
		return t.fault("expected param after @")
	}
	name, err := p.expect("name", "the name of a parameter")
	if err == nil {
		err = p.unused(name)
	}
	if err == nil && slices.Contains(ownNames, name.text) {
		err = name.fault("%q is a parameter of every stencil already; another name is needed", name.text)
	}
	if err == nil {
		_, err = p.expect("=", "= and a default")
	}
	if err != nil {
		return err
	}
	one, err := p.signed()
	if err != nil {
		return err
	}
	param := Param{Name: name.text, Default: one.v, Whole: one.whole, Min: math.Inf(-1), Max: math.Inf(1)}
	if k := p.peek().kind; k == "number" || k == "-" {
		lo, err := p.signed()
		if err != nil {
			return err
		}
		if _, err := p.expect("..", ".. within a range such as 0..1"); err != nil {
			return err
		}
		hi, err := p.signed()
		if err != nil {
			return err
		}
		if lo.v > hi.v {
			return name.fault("the range %g..%g of %s ends before it begins", lo.v, hi.v, name.text)
		}
		if !(lo.v <= one.v && one.v <= hi.v) {
			return name.fault("the default %g of %s is not within %g..%g", one.v, name.text, lo.v, hi.v)
		}
		param.Min, param.Max = lo.v, hi.v
	}
	v := param.Default
	if set, ok := p.values[name.text]; ok {
		v = set
	}
	if !(v >= param.Min && v <= param.Max) || math.IsInf(v, 0) {
		return name.fault("%s=%g is not within %g..%g", name.text, v, param.Min, param.Max)
	}
	p.params = append(p.params, param)
	c := whole(v, param.Whole && v == math.Trunc(v))
	p.names[name.text] = expr{number: &c}
	return nil
}

func (p *parser) signed() (constant, error) {
	sign := 1.0
	if p.take("-") {
		sign = -1
	}
	t, err := p.expect("number", "a number")
	if err != nil {
		return constant{}, err
	}
	c, err := literalOf(t)
	c.v *= sign
	return c, err
}

func literalOf(t token) (constant, error) {
	v, err := strconv.ParseFloat(t.text, 64)
	if err != nil {
		return constant{}, t.fault("%s is not a number that can be computed with", t.text)
	}
	digits := true
	for _, r := range t.text {
		digits = digits && r >= '0' && r <= '9'
	}
	return whole(v, digits), nil
}

// whole is a constant that is an integer if it is meant as one and float64 tells it from its neighbours.
func whole(v float64, meant bool) constant { return constant{v, meant && math.Abs(v) <= 1<<53} }

// add makes an instruction, or finds the value that it made before.
func (p *parser) add(i Instr) Ref {
	text := fmt.Sprint(i)
	v, ok := p.known[text]
	if !ok {
		v = p.b.add(i)
		p.known[text] = v
	}
	return At(v)
}

// materialize makes the expression one value.
func (e expr) materialize(p *parser) Ref {
	if e.number != nil {
		code := Real
		if e.number.whole {
			code = Whole
		}
		return p.add(Instr{Code: code, By: e.number.v})
	}
	if len(e.terms) == 1 && e.terms[0].Weight == 1 {
		return e.terms[0].Ref
	}
	for _, t := range e.terms {
		if t.Weight != 1 {
			return p.add(Instr{Code: Linear, Terms: e.terms})
		}
	}
	return p.add(Instr{Code: Sum, Terms: e.terms})
}
