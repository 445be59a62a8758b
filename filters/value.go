package filters

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
)

// values are the parameters of one step, checked against the image it is to act on.
type values struct {
	spec  Spec
	text  map[string]string
	given map[string]bool // what the step names; all else is a default
	meta  lazy.Meta

	image  lazy.Array // what the step acts on, where more than its metadata is needed
	opened map[string]lazy.Array
	memory int64
}

// values reads a step's parameters; defaults stand for those it does not name.
func (s Step) values(m lazy.Meta) (values, error) {
	spec, ok := Lookup(s.Filter)
	if !ok {
		return values{}, unknown(s.Filter)
	}
	v := values{spec: spec, text: map[string]string{}, given: map[string]bool{}, meta: m, opened: s.opened, memory: s.memory}
	spec.Params = s.Params()
	for _, p := range spec.Params {
		v.text[p.Name] = p.Default
	}
	for _, a := range s.Args {
		p, ok := spec.Param(a.Name)
		if !ok {
			return values{}, fmt.Errorf("filters: %s has no parameter %q: it has %s", spec.Name, a.Name, names(spec.Params))
		}
		if err := p.check(a.Value); err != nil {
			return values{}, fmt.Errorf("filters: %s: %w", spec.Name, err)
		}
		v.text[p.Name], v.given[p.Name] = a.Value, true
	}
	return v, nil
}

func names(params []Param) string {
	var n []string
	for _, p := range params {
		n = append(n, p.Name)
	}
	return strings.Join(n, ", ")
}

// check reports what is wrong with a value, whatever image it is for.
func (p Param) check(text string) error {
	switch p.Kind {
	case Choice:
		if !slices.Contains(p.Choices, text) {
			return fmt.Errorf("%s=%s: expected one of %s", p.Name, text, strings.Join(p.Choices, ", "))
		}
	case Border:
		if _, err := lazy.ParseBorder(text); err != nil {
			return fmt.Errorf("%s=%s: expected reflect, mirror, nearest, wrap, constant:V or blank", p.Name, text)
		}
	case Channels:
		return checkChannels(text)
	case File:
		return unclosed(p.Name, text) // the rest is for the filter to say
	case Text:
		return nil
	case Level:
		if slices.Contains(p.Choices, text) {
			return nil
		}
		if _, err := p.number(text); err != nil {
			return fmt.Errorf("%s=%s: expected one of %s, or a number", p.Name, text, strings.Join(p.Choices, ", "))
		}
	case Type:
		if text == "" {
			return nil
		}
		if _, err := lazy.ParseDType(text); err != nil {
			return fmt.Errorf("%s=%s: expected a voxel type such as uint16 or float32", p.Name, text)
		}
	default:
		_, err := p.numbers(text)
		return err
	}
	return nil
}

// A quantity is a number, with a unit if it is a length in space.
type quantity struct {
	value float64
	um    bool
}

// numbers reads one number, or one for each of z, y and x.
func (p Param) numbers(text string) ([]quantity, error) {
	parts := strings.Split(text, ",")
	if n := len(parts); n != 1 && !(n == 3 && p.PerAxis) {
		if p.PerAxis {
			return nil, fmt.Errorf("%s=%s: expected one value, or three for z,y,x", p.Name, text)
		}
		return nil, fmt.Errorf("%s=%s: expected one value", p.Name, text)
	}
	var out []quantity
	for _, part := range parts {
		q, err := p.number(part)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

var lengthUnits = []struct {
	name string
	um   float64
}{{"um", 1}, {"µm", 1}, {"μm", 1}, {"nm", 1e-3}, {"mm", 1e3}}

func (p Param) number(text string) (quantity, error) {
	number, factor, um := text, 1.0, false
	if p.Kind == Length {
		for _, u := range lengthUnits {
			if n, ok := strings.CutSuffix(text, u.name); ok {
				number, factor, um = n, u.um, true
				break
			}
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil && p.Kind == Length:
		return quantity{}, fmt.Errorf("%s=%s: expected a number of voxels, or a length such as 0.4um", p.Name, text)
	case err != nil:
		return quantity{}, fmt.Errorf("%s=%s: expected a number", p.Name, text)
	case p.Kind == Integer && v != math.Trunc(v):
		return quantity{}, fmt.Errorf("%s=%s: expected a whole number", p.Name, text)
	case p.Counts && !um && v != math.Trunc(v):
		return quantity{}, fmt.Errorf("%s=%s: expected a whole number of voxels, or a length such as 0.4um", p.Name, text)
	case (math.IsNaN(v) || math.IsInf(v, 0)) && p.Max >= math.MaxFloat32: // a range of all numbers says nothing
		return quantity{}, fmt.Errorf("%s=%s: expected a finite number", p.Name, text)
	case math.IsNaN(v) || math.IsInf(v, 0) || !um && (v < p.Min || v > p.Max) || um && v < 0:
		return quantity{}, fmt.Errorf("%s=%s: expected %s to %s", p.Name, text, plainNumber(p.Min), plainNumber(p.Max))
	}
	return quantity{v * factor, um}, nil
}

// plainNumber writes a number without an exponent, unless that would be long.
func plainNumber(v float64) string {
	if math.Abs(v) < 1e12 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// perAxis is a parameter in voxels for each axis of space; 0 for T and C.
func (v values) perAxis(name string) ([lazy.Rank]float64, error) {
	var out [lazy.Rank]float64
	p, _ := v.spec.Param(name)
	q, err := p.numbers(v.text[name])
	if err != nil {
		return out, err
	}
	for n, a := range space {
		one := q[min(n, len(q)-1)]
		out[a] = one.value
		if !one.um {
			continue
		}
		step := v.meta.Calibrated().Scale[a]
		if step <= 0 && v.meta.Shape[a] > 1 {
			return out, fmt.Errorf("%s=%s: the image does not state its voxel size along %v: give a number of voxels", name, v.text[name], a)
		}
		if step > 0 {
			out[a] = one.value / step
		}
		if out[a] > p.Max {
			return out, fmt.Errorf("%s=%s: that is %.4g voxels along %v, more than %g", name, v.text[name], out[a], a, p.Max)
		}
	}
	return out, nil
}

// number is a parameter that is one plain number.
func (v values) number(name string) float64 {
	p, _ := v.spec.Param(name)
	q, err := p.numbers(v.text[name])
	if err != nil { // values has checked it
		panic(err)
	}
	return q[0].value
}

func (v values) border() lazy.Border {
	b, err := lazy.ParseBorder(v.text["border"])
	if err != nil {
		panic(err)
	}
	return b
}

// dtype is the type of the result: what the user chose, or else own.
func (v values) dtype(own lazy.DType) lazy.DType {
	if d, err := lazy.ParseDType(v.text["dtype"]); err == nil {
		return d
	}
	return own
}

// space lists the axes that filters act on, in the order in which values are written and passes run.
var space = []lazy.Axis{lazy.Z, lazy.Y, lazy.X}

// live lists the axes of space that are longer than one voxel.
func live(m lazy.Meta) []lazy.Axis {
	var l []lazy.Axis
	for _, a := range space {
		if m.Shape[a] > 1 {
			l = append(l, a)
		}
	}
	return l
}
