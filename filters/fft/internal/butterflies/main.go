// Command butterflies writes the loops of package fft from one text each:
//
//	go generate ./filters/fft
//
// A text is a list of sums, differences and products of two values. Three files come out of it: loops in plain Go,
// which are the specification, and loops of vectors of 8 and of 16 lines for processors with AVX2 and AVX-512. All
// do the same operations in the same order and fuse none, so their bits are the same.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strings"
	"text/template"
)

// A loop goes over rows of 16 floats, one of each line. Inputs and outputs are complex rows by name; a text writes
// "a0 = x + y" for a complex sum and "a0r", "a0i" for the parts.
type loop struct {
	Name string
	Form string   // of the loop: stage, pairs or rows
	In   []string // complex rows read
	Out  []string // complex rows written
	Turn []string // inputs that are multiplied by a twiddle first
	Text string
}

const third = "0.86602540378443864676" // sin(2π/3)

// The butterflies of one stage: transforms of 2, 3, 4 and 5 complex values. Those named first have no twiddles.
var radices = []struct{ text, ins, outs string }{
	{`y0 = x0 + x1
y1 = x0 - x1`, "x0 x1", "y0 y1"},
	{`s = x1 + x2
d = x1 - x2
y0 = x0 + s
hr = sr * HALF
hi = si * HALF
c = x0 - h
er = dr * SIN3
ei = di * SIN3
y1r = cr + ei
y1i = ci - er
y2r = cr - ei
y2i = ci + er`, "x0 x1 x2", "y0 y1 y2"},
	{`s = x0 + x2
d = x0 - x2
t = x1 + x3
e = x1 - x3
y0 = s + t
y2 = s - t
y1r = dr + ei
y1i = di - er
y3r = dr - ei
y3i = di + er`, "x0 x1 x2 x3", "y0 y1 y2 y3"},
	{`s = x1 + x4
t = x2 + x3
d = x1 - x4
e = x2 - x3
u = s + t
y0 = x0 + u
ar = sr * COS1
ai = si * COS1
br = tr * COS2
bi = ti * COS2
f = a + b
m = x0 + f
ar2 = sr * COS2
ai2 = si * COS2
br2 = tr * COS1
bi2 = ti * COS1
gr = ar2 + br2
gi = ai2 + bi2
n = x0 + g
pr = dr * SIN1
pi = di * SIN1
qr = er * SIN2
qi = ei * SIN2
v = p + q
pr2 = dr * SIN2
pi2 = di * SIN2
qr2 = er * SIN1
qi2 = ei * SIN1
wr = pr2 - qr2
wi = pi2 - qi2
y1r = mr + vi
y1i = mi - vr
y4r = mr - vi
y4i = mi + vr
y2r = nr + wi
y2i = ni - wr
y3r = nr - wi
y3i = ni + wr`, "x0 x1 x2 x3 x4", "y0 y1 y2 y3 y4"},
}

// constants are the numbers that texts name.
var constants = map[string]string{
	"HALF": "0.5",
	"SIN3": third,
	"COS1": "0.30901699437494742410",  // cos(2π/5)
	"COS2": "-0.80901699437494742410", // cos(4π/5)
	"SIN1": "0.95105651629515357212",  // sin(2π/5)
	"SIN2": "0.58778525229247312917",  // sin(4π/5)
}

func loops() []loop {
	var out []loop
	for i, r := range radices {
		in := strings.Fields(r.ins)
		out = append(out,
			loop{Name: fmt.Sprintf("first%d", i+2), Form: "stage", In: in, Out: strings.Fields(r.outs), Text: r.text},
			loop{Name: fmt.Sprintf("stage%d", i+2), Form: "stage", In: in, Out: strings.Fields(r.outs), Turn: in[1:], Text: r.text})
	}
	return append(out,
		// Half the transform of 2h real values, as that of h complex ones, made the transform of real values.
		loop{Name: "split", Form: "pairs", In: []string{"p", "q"}, Out: []string{"y", "z"}, Text: `ar = pr + qr
ai = pi - qi
br = pi + qi
bi = qr - pr
er = ar * HALF
ei = ai * HALF
or = br * HALF
oi = bi * HALF
k = or * wr
l = oi * wi
m = or * wi
n = oi * wr
tr = k - l
ti = m + n
yr = er + tr
yi = ei + ti
zr = er - tr
zi = ti - ei`},
		// The other way round, times 2.
		loop{Name: "merge", Form: "pairs", In: []string{"p", "q"}, Out: []string{"y", "z"}, Text: `er = pr + qr
ei = pi - qi
br = pr - qr
bi = pi + qi
k = br * wr
l = bi * wi
m = bi * wr
n = br * wi
or = k + l
oi = m - n
yr = er - oi
yi = ei + or
zr = er + oi
zi = or - ei`},
		loop{Name: "times", Form: "rows", In: []string{"x", "h"}, Out: []string{"y"}, Text: `a = xr * hr
b = xi * hi
c = xr * hi
d = xi * hr
yr = a - b
yi = c + d`},
		loop{Name: "timesConj", Form: "rows", In: []string{"x", "h"}, Out: []string{"y"}, Text: `a = xr * hr
b = xi * hi
c = xi * hr
d = xr * hi
yr = a + b
yi = c - d`})
}

// lines is the text of a loop as sums and products of real values: "name", "left", "sign", "right".
func (l loop) lines() [][4]string {
	var out [][4]string
	for _, q := range l.Turn { // x = x·w
		out = append(out, [4]string{q + "a", q + "0r", "*", "w" + q + "r"}, [4]string{q + "b", q + "0i", "*", "w" + q + "i"},
			[4]string{q + "c", q + "0r", "*", "w" + q + "i"}, [4]string{q + "d", q + "0i", "*", "w" + q + "r"},
			[4]string{q + "r", q + "a", "-", q + "b"}, [4]string{q + "i", q + "c", "+", q + "d"})
	}
	complexes := slices.Clone(l.In)
	known := map[string]bool{}
	for _, t := range strings.Split(l.Text, "\n") {
		f := strings.Fields(t) // name = left sign right
		isComplex := func(s string) bool { return slices.Contains(complexes, s) || known[s+"r"] && known[s+"i"] && !known[s] }
		if isComplex(f[2]) && isComplex(f[4]) {
			complexes = append(complexes, f[0])
			for _, part := range []string{"r", "i"} {
				out = append(out, [4]string{f[0] + part, f[2] + part, f[3], f[4] + part})
				known[f[0]+part] = true
			}
			continue
		}
		known[f[0]] = true
		out = append(out, [4]string{f[0], f[2], f[3], f[4]})
	}
	return out
}

// safe is a name that Go has no other meaning for.
func safe(name string) string {
	if _, ok := constants[name]; ok {
		return strings.ToLower(name)
	}
	return "z" + name
}

// A target is one way to write the loops.
type target struct {
	File, Head, Suffix, Vector string
	Lanes                      int
}

var targets = []target{
	{File: "%s.go", Lanes: 1},
	{File: "%s8_amd64.go", Suffix: "AVX2", Vector: "Float32x8", Lanes: 8},
	{File: "%s16_amd64.go", Suffix: "AVX512", Vector: "Float32x16", Lanes: 16},
}

// pages are the loops of one file of each target.
var pages = []struct{ name, form string }{{"stages", "stage"}, {"pairs", "pairs"}, {"products", "rows"}}

func (t target) plain() bool { return t.Vector == "" }

// Body is the arithmetic of a loop.
func (t target) Body(l loop) string {
	var b strings.Builder
	for _, s := range l.lines() {
		name, left, right := safe(s[0]), safe(s[1]), safe(s[3])
		switch {
		case t.plain() && s[2] == "*":
			fmt.Fprintf(&b, "%s := float32(%s * %s)\n", name, left, right)
		case t.plain():
			fmt.Fprintf(&b, "%s := %s %s %s\n", name, left, s[2], right)
		default:
			fmt.Fprintf(&b, "%s := %s.%s(%s)\n", name, left, map[string]string{"+": "Add", "-": "Sub", "*": "Mul"}[s[2]], right)
		}
	}
	return b.String()
}

// Constants declares the numbers that a text names.
func (t target) Constants(l loop) string {
	var b strings.Builder
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for n := range constants {
			if strings.Contains(l.Text, n) && !yield(n) {
				return
			}
		}
	}) {
		if t.plain() {
			fmt.Fprintf(&b, "const %s float32 = %s\n", safe(name), constants[name])
		} else {
			fmt.Fprintf(&b, "%s := archsimd.Broadcast%s(%s)\n", safe(name), t.Vector, constants[name])
		}
	}
	return b.String()
}

// Number is a number as all lanes see it.
func (t target) Number(expr string) string {
	if t.plain() {
		return expr
	}
	return fmt.Sprintf("archsimd.Broadcast%s(%s)", t.Vector, expr)
}

// Load is the row at an offset of a slice or pointer.
func (t target) Load(from, offset string) string {
	if t.plain() {
		return fmt.Sprintf("%s[%s+i]", from, offset)
	}
	return fmt.Sprintf("load%d(%s, %s)", t.Lanes, from, offset)
}

// Save writes a value there.
func (t target) Save(to, offset, value string) string {
	if t.plain() {
		return fmt.Sprintf("%s[%s+i] = %s", to, offset, value)
	}
	return fmt.Sprintf("save%d(%s, %s, %s)", t.Lanes, to, offset, value)
}

// Turned is the name under which an input is loaded: with a 0, if it is multiplied by a twiddle first.
func (l loop) Turned(in string) string {
	if slices.Contains(l.Turn, in) {
		return in + "0"
	}
	return in
}

var page = template.Must(template.New("").Funcs(template.FuncMap{"safe": safe, "add": func(a, b int) int { return a + b }}).Parse(`// Code generated by internal/butterflies; DO NOT EDIT.
{{if .T.Vector}}
//go:build goexperiment.simd && amd64 && !go1.27
{{end}}
package fft
{{if .T.Vector}}
import "simd/archsimd"

{{end}}
{{- range $l := .Loops}}
{{if eq .Form "stage"}}
{{if $.T.Vector}}//go:noinline
{{end}}func {{.Name}}{{$.T.Suffix}}(p *pass) {
	{{$.T.Constants .}}
	{{- if $.T.Vector}}
	srcRe, srcIm, dstRe, dstIm := p.pointers()
	{{- else}}
	srcRe, srcIm, dstRe, dstIm := p.srcRe, p.srcIm, p.dstRe, p.dstIm
	{{- end}}
	{{- if .Turn}}
	m, tw := p.m, p.turns
	for j := range m {
		{{- range $i, $q := .Turn}}
		{{safe (printf "w%sr" $q)}}, {{safe (printf "w%si" $q)}} := {{$.T.Number (printf "tw[%d]" (add $i $i))}}, {{$.T.Number (printf "tw[%d]" (add (add $i $i) 1))}}
		{{- end}}
		tw = tw[{{len .Turn}}*2:]
		for k := j; k < len(p.in); k += {{len .In}}*m {
			{{- range $i, $q := .In}}
			i{{$i}}, o{{$i}} := p.in[k+{{$i}}*m], p.out[k+{{$i}}*m]
			{{- end}}
	{{- else}}
	{
		for k := 0; k < len(p.in); k += {{len .In}} {
			{{- range $i, $q := .In}}
			i{{$i}}, o{{$i}} := p.in[k+{{$i}}], p.out[k+{{$i}}]
			{{- end}}
	{{- end}}
			{{if not $.T.Vector}}for i := range Lanes {
			{{end}}
			{{- range $i, $q := .In}}
			{{safe (printf "%sr" ($l.Turned $q))}}, {{safe (printf "%si" ($l.Turned $q))}} := {{$.T.Load "srcRe" (printf "i%d" $i)}}, {{$.T.Load "srcIm" (printf "i%d" $i)}}
			{{- end}}
			{{$.T.Body .}}
			{{- range $i, $q := .Out}}
			{{$.T.Save "dstRe" (printf "o%d" $i) (safe (printf "%sr" $q))}}
			{{$.T.Save "dstIm" (printf "o%d" $i) (safe (printf "%si" $q))}}
			{{- end}}
			{{if not $.T.Vector}}}{{end}}
		}
	}
	{{if $.T.Vector}}archsimd.ClearAVXUpperBits(){{end}}
}
{{else if eq .Form "pairs"}}
{{if $.T.Vector}}//go:noinline
{{end}}func {{.Name}}{{$.T.Suffix}}(p *pass) {
	{{$.T.Constants .}}
	{{- if $.T.Vector}}
	srcRe, srcIm, dstRe, dstIm := p.pointers()
	{{- else}}
	srcRe, srcIm, dstRe, dstIm := p.srcRe, p.srcIm, p.dstRe, p.dstIm
	{{- end}}
	tw := p.turns
	for k := 1; k <= p.m/2; k++ {
		zwr, zwi := {{$.T.Number "tw[0]"}}, {{$.T.Number "tw[1]"}}
		tw = tw[2:]
		i0, i1 := k*Lanes, (p.m-k)*Lanes
		{{if not $.T.Vector}}for i := range Lanes {
		{{end}}
		zpr, zpi := {{$.T.Load "srcRe" "i0"}}, {{$.T.Load "srcIm" "i0"}}
		zqr, zqi := {{$.T.Load "srcRe" "i1"}}, {{$.T.Load "srcIm" "i1"}}
		{{$.T.Body .}}
		{{$.T.Save "dstRe" "i0" "zyr"}}
		{{$.T.Save "dstIm" "i0" "zyi"}}
		{{$.T.Save "dstRe" "i1" "zzr"}}
		{{$.T.Save "dstIm" "i1" "zzi"}}
		{{if not $.T.Vector}}}{{end}}
	}
	{{if $.T.Vector}}archsimd.ClearAVXUpperBits(){{end}}
}
{{else if eq .Form "rows"}}
{{if $.T.Vector}}//go:noinline
{{end}}func {{.Name}}{{$.T.Suffix}}(p *pass) {
	{{- if $.T.Vector}}
	srcRe, srcIm, dstRe, dstIm := p.pointers()
	{{- else}}
	srcRe, srcIm, dstRe, dstIm := p.srcRe, p.srcIm, p.dstRe, p.dstIm
	{{- end}}
	for k, i0 := range p.in {
		o0 := k * Lanes
		{{if not $.T.Vector}}for i := range Lanes {
		{{end}}
		zhr, zhi := {{$.T.Load "srcRe" "i0"}}, {{$.T.Load "srcIm" "i0"}}
		zxr, zxi := {{$.T.Load "dstRe" "o0"}}, {{$.T.Load "dstIm" "o0"}}
		{{$.T.Body .}}
		{{$.T.Save "dstRe" "o0" "zyr"}}
		{{$.T.Save "dstIm" "o0" "zyi"}}
		{{if not $.T.Vector}}}{{end}}
	}
	{{if $.T.Vector}}archsimd.ClearAVXUpperBits(){{end}}
}
{{end}}{{end}}`))

func main() {
	for _, t := range targets {
		for _, p := range pages {
			ours := slices.DeleteFunc(loops(), func(l loop) bool { return l.Form != p.form })
			write(fmt.Sprintf(t.File, p.name), t, ours)
		}
	}
}

func write(file string, t target, loops []loop) {
	var b bytes.Buffer
	if err := page.Execute(&b, struct {
		T     target
		Loops []loop
	}{t, loops}); err != nil {
		log.Fatal(err)
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatalf("%s: %v", file, err)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		log.Fatal(err)
	}
}
