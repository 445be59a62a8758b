package stencil

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// The grammar, from the loosest operator to the tightest. Each method reads as far as its operators go.

func (p *parser) comparison() (expr, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return expr{}, p.peek().fault("the expression is nested too deep")
	}
	left, err := p.sum()
	for err == nil {
		t := p.peek()
		switch t.kind {
		case "<", "<=", ">", ">=", "==", "!=":
		default:
			return left, nil
		}
		p.next()
		var right expr
		if right, err = p.sum(); err != nil {
			break
		}
		a, b := left.materialize(p), right.materialize(p)
		switch t.kind {
		case "<":
			left = p.value(Less, a, b)
		case "<=":
			left = p.value(LessEqual, a, b)
		case ">":
			left = p.value(Less, b, a)
		case ">=":
			left = p.value(LessEqual, b, a)
		case "==":
			left = p.value(Equal, a, b)
		default: // 1 - (a == b)
			one := expr{number: &constant{1, true}}
			left = expr{terms: []Term{{1, one.materialize(p)}, {-1, p.value(Equal, a, b).terms[0].Ref}}}
		}
		if k := p.peek(); k.kind == "<" || k.kind == ">" || k.kind == "<=" || k.kind == ">=" {
			return left, k.fault("comparisons do not chain; write where(a < b, b < c, 0)")
		}
	}
	return left, err
}

// value is one made by a code from others.
func (p *parser) value(code Code, terms ...Ref) expr {
	return expr{terms: []Term{{1, p.add(Instr{Code: code, Terms: unweighted(terms)})}}}
}

func (p *parser) sum() (expr, error) {
	left, err := p.product()
	left.terms = slices.Clip(left.terms) // they may be a named value's: the first that is appended copies them, and no later one
	for err == nil {
		t := p.peek()
		if t.kind != "+" && t.kind != "-" {
			return left, nil
		}
		p.next()
		var right expr
		if right, err = p.product(); err != nil {
			break
		}
		if t.kind == "-" {
			right = right.negative(p)
		}
		left, err = p.plus(t, left, right)
	}
	return left, err
}

// plus appends the right side to the terms of the left, which keeps the order in which a sum is written.
// A right side that is a sum itself is added as one.
func (p *parser) plus(at token, left, right expr) (expr, error) {
	if left.number != nil && right.number != nil {
		c := whole(left.number.v+right.number.v, left.number.whole && right.number.whole)
		if math.IsInf(c.v, 0) {
			return expr{}, at.fault("%g and %g are too large to be added", left.number.v, right.number.v)
		}
		return expr{number: &c}, nil
	}
	terms := left.terms
	if left.number != nil {
		terms = []Term{{1, left.materialize(p)}}
	}
	if len(right.terms) == 1 {
		terms = append(terms, right.terms[0])
	} else {
		terms = append(terms, Term{1, right.materialize(p)})
	}
	if len(terms) > maxValues || len(p.b.instrs) > maxValues {
		return expr{}, at.fault("the stencil is too long")
	}
	return expr{terms: terms}, nil
}

func (e expr) negative(p *parser) expr {
	if e.number != nil {
		return expr{number: &constant{-e.number.v, e.number.whole}}
	}
	if len(e.terms) > 1 {
		return expr{terms: []Term{{-1, e.materialize(p)}}}
	}
	t := e.terms[0]
	t.Weight = -t.Weight
	return expr{terms: []Term{t}}
}

func (p *parser) product() (expr, error) {
	left, err := p.unary()
	for err == nil {
		t := p.peek()
		switch t.kind {
		case "*", "/", "//", "%":
		default:
			return left, nil
		}
		p.next()
		var right expr
		if right, err = p.unary(); err != nil {
			break
		}
		left, err = p.times(t, left, right)
	}
	return left, err
}

func (p *parser) times(op token, left, right expr) (expr, error) {
	a, b := left.number, right.number
	if a != nil && b != nil {
		return fold(op, *a, *b)
	}
	if op.kind == "*" {
		if b != nil {
			left, right, a = right, left, b
		}
		// A number times a value is a weight, which a sum takes in. A real number without a fraction is not,
		// since a sum with integer weights of integers would be one of integers.
		if a != nil && (a.whole || a.v != math.Trunc(a.v)) {
			return expr{terms: []Term{{a.v, right.materialize(p)}}}, nil
		}
		return p.value(Product, left.materialize(p), right.materialize(p)), nil
	}
	if op.kind == "/" && b != nil {
		return expr{terms: []Term{{1, p.add(Instr{Code: Divide, Terms: []Term{{1, left.materialize(p)}}, By: b.v})}}}, nil
	}
	code := map[string]Code{"/": Quotient, "//": FloorDiv, "%": Modulo}[op.kind]
	return p.value(code, left.materialize(p), right.materialize(p)), nil
}

// fold computes with two numbers.
func fold(op token, a, b constant) (expr, error) {
	var c constant
	switch op.kind {
	case "*":
		c.v = a.v * b.v
	case "/":
		c.v = a.v / b.v
	case "//":
		c.v = math.Floor(a.v / b.v)
	case "%":
		c.v = a.v - math.Floor(a.v/b.v)*b.v
	}
	if math.IsNaN(c.v) || math.IsInf(c.v, 0) {
		return expr{}, op.fault("dividing by 0")
	}
	c = whole(c.v, a.whole && b.whole && op.kind != "/")
	return expr{number: &c}, nil
}

func (p *parser) unary() (expr, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return expr{}, p.peek().fault("the expression is nested too deep")
	}
	switch {
	case p.take("-"):
		e, err := p.unary()
		if err != nil {
			return e, err
		}
		return e.negative(p), nil
	case p.take("+"):
		return p.unary()
	}
	return p.power()
}

// power is base ** exponent; small whole exponents are products.
func (p *parser) power() (expr, error) {
	base, err := p.primary()
	if err != nil || !p.take("**") {
		return base, err
	}
	t := p.peek()
	exponent, err := p.unary()
	if err != nil {
		return expr{}, err
	}
	n := exponent.number
	if n != nil && base.number != nil {
		v := math.Pow(base.number.v, n.v)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return expr{}, t.fault("%g ** %g is not a number", base.number.v, n.v)
		}
		c := whole(v, base.number.whole && n.whole && n.v >= 0)
		return expr{number: &c}, nil
	}
	if n != nil && n.whole && n.v >= 1 && n.v <= 8 {
		one := base.materialize(p)
		e := expr{terms: []Term{{1, one}}}
		for range int(n.v) - 1 {
			e = p.value(Product, e.materialize(p), one)
		}
		return e, nil
	}
	return p.value(Power, base.materialize(p), exponent.materialize(p)), nil
}

func (p *parser) primary() (expr, error) {
	t := p.next()
	switch t.kind {
	case "number":
		c, err := literalOf(t)
		return expr{number: &c}, err
	case "(":
		e, err := p.comparison()
		if err == nil {
			_, err = p.expect(")", "an operator or )")
		}
		return e, err
	case "name":
		if f, ok := functions[t.text]; ok {
			return p.call(t, f)
		}
		if f, ok := written[t.text]; ok && p.peek().kind == "(" {
			return p.call(t, f)
		}
		return p.named(t)
	}
	return expr{}, t.fault("expected a value, found %v", t)
}

// named is the input or a value that has a name, seen from the voxel itself or from a neighbour.
func (p *parser) named(t token) (expr, error) {
	if n := slices.Index(p.inputs, t.text); n >= 0 {
		d := [3]int{}
		if p.peek().kind == "[" {
			var err error
			if d, err = p.offsets(); err != nil {
				return expr{}, err
			}
		}
		load := p.add(Instr{Code: Load, Input: n, DZ: d[0]})
		p.looks[n] = true
		return expr{terms: []Term{{1, Ref{load.Value, d[1], d[2]}}}}, nil
	}
	e, ok := p.names[t.text]
	if v, step := p.values[t.text]; !ok && step && (t.text == "dz" || t.text == "dy" || t.text == "dx") {
		if !(v > 0) || math.IsInf(v, 0) {
			return expr{}, t.fault("the image does not state its voxel size, so %s is not known", t.text)
		}
		return expr{number: &constant{v, false}}, nil
	}
	if !ok {
		return expr{}, t.fault("%q is not known: the input is %s; values and @param are named before they are used", t.text, strings.Join(p.inputs, " or "))
	}
	if p.peek().kind != "[" {
		return e, nil
	}
	d, err := p.offsets()
	switch {
	case err != nil:
		return e, err
	case e.number != nil:
		return e, nil
	case d[0] != 0:
		return e, t.fault("only the input can be seen along z, as x[%d,0,0]", d[0])
	}
	r := e.materialize(p)
	r.DY, r.DX = r.DY+d[1], r.DX+d[2]
	if far := max(r.DY, -r.DY, r.DX, -r.DX); far > maxOffset {
		return e, t.fault("%s is looked at from %d voxels away: at most %d are possible", t.text, far, maxOffset)
	}
	return expr{terms: []Term{{1, r}}}, nil
}

// maxOffset bounds how far a stencil looks.
const maxOffset = 1000

// offsets is [dy,dx] or [dz,dy,dx].
func (p *parser) offsets() ([3]int, error) {
	open := p.next()
	var d []int
	for {
		sign := 1
		for p.peek().kind == "-" || p.peek().kind == "+" {
			if p.next().kind == "-" {
				sign = -sign
			}
		}
		t, err := p.expect("number", "a whole number of voxels")
		if err != nil {
			return [3]int{}, err
		}
		n, err := strconv.Atoi(t.text)
		if err != nil || n > maxOffset {
			return [3]int{}, t.fault("expected a whole number of voxels up to %d, found %q", maxOffset, t.text)
		}
		d = append(d, sign*n)
		if p.take("]") {
			break
		}
		if _, err := p.expect(",", ", or ]"); err != nil {
			return [3]int{}, err
		}
	}
	switch len(d) {
	case 2:
		return [3]int{0, d[0], d[1]}, nil
	case 3:
		return [3]int{d[0], d[1], d[2]}, nil
	}
	return [3]int{}, open.fault("expected two offsets, y and x, or three, z, y and x; found %d", len(d))
}
