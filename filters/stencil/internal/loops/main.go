// Command loops writes the vector loops of package stencil from one table:
//
//	go generate ./filters/stencil
//
// Each loop takes four vectors a turn, which hides what a turn costs beside its arithmetic: with one a turn
// the sum of three rows runs at a third of the speed. The inner loop is a function of its own over one row, a
// leaf, since in a nested loop the compiler keeps the counter in memory.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// A loop is one row of the table: out of one voxel of each row (a to e, or a1 for the voxel after that of
// a) and of each number (u, v, w) comes the new voxel. A loop whose expression has dst in it adds to it.
type loop struct {
	Name    string
	Rows    string // names of its rows beside dst
	Numbers string // names of its numbers
	Expr    string
	Reach   int // how many voxels beyond those of dst it looks at
}

// sums is for all types of voxel.
var sums = []loop{
	{"difference", "a b", "", "b.Sub(a)", 0},
	{"smooth", "a b c", "", "a.Add(b.Add(b)).Add(c)", 0},
	{"sum3", "a b c", "", "a.Add(b).Add(c)", 0},
	{"sum5", "a b c d e", "", "a.Add(b).Add(c).Add(d).Add(e)", 0},
	{"add", "a", "", "dst.Add(a)", 0},
	{"add2", "a b", "", "dst.Add(a).Add(b)", 0},
	{"add4", "a b c d", "", "dst.Add(a).Add(b).Add(c).Add(d)", 0},
	{"product", "a b", "", "a.Mul(b)", 0},
	{"square", "a", "", "a.Mul(a)", 0},
	{"addSquare", "a", "", "dst.Add(a.Mul(a))", 0},
}

// weights is for all types of voxel too.
var weights = []loop{
	{"scale", "a", "w", "a.Mul(w)", 0},
	{"addScaled", "a", "w", "dst.Add(a.Mul(w))", 0},
	{"scale2", "a b", "v w", "a.Mul(v).Add(b.Mul(w))", 0},
	{"addScaled2", "a b", "v w", "dst.Add(a.Mul(v)).Add(b.Mul(w))", 0},
	{"scalePair", "a b c", "v w", "a.Mul(v).Add(b.Add(c).Mul(w))", 0},
	{"scalePairs", "a b c d e", "u v w", "a.Mul(u).Add(b.Add(c).Mul(v)).Add(d.Add(e).Mul(w))", 0},
	{"addPairs", "a b c d", "v w", "dst.Add(a.Add(b).Mul(v)).Add(c.Add(d).Mul(w))", 0},
}

// choices is for all types of voxel too.
var choices = []loop{
	{"less", "a b", "", "one.Masked(a.Less(b))", 0},
	{"lessEqual", "a b", "", "one.Masked(a.LessEqual(b))", 0},
	{"equal", "a b", "", "one.Masked(a.Equal(b))", 0},
	{"choose", "a b c", "", "b.Merge(c, a.NotEqual(zero))", 0},
}

// ofIntegers and ofFloats are choices between numbers, of which floats have zeros of two signs and NaN.
var (
	ofIntegers = []loop{
		{"minimum", "a b", "", "a.Min(b)", 0},
		{"maximum", "a b", "", "a.Max(b)", 0},
		{"magnitude", "a", "", "a.Abs()", 0},
		{"addMagnitude", "a", "", "dst.Add(a.Abs())", 0},
	}
	ofFloats = []loop{
		{"minimum", "a b", "", "lesser(a, b)", 0},
		{"maximum", "a b", "", "greater(a, b)", 0},
		{"magnitude", "a", "", "unsigned(a)", 0},
		{"addMagnitude", "a", "", "dst.Add(unsigned(a))", 0},
	}
)

// roots is for float32.
var roots = []loop{
	{"divide", "a", "w", "a.Div(w)", 0},
	{"quotient", "a b", "", "a.Div(b)", 0},
	{"floorDiv", "a", "w", "floored256(a, w)", 0},
	{"roundDiv", "a", "w", "signed(floored256(unsigned(a).Add(half(w)), w), a)", 0},
	{"root", "a", "", "a.Sqrt()", 0},
	{"norm2", "a b", "", "a.Mul(a).Add(b.Mul(b)).Sqrt()", 0},
	{"norm3", "a b c", "", "a.Mul(a).Add(b.Mul(b)).Add(c.Mul(c)).Sqrt()", 0},
	{"sumDivide", "a b c", "w", "a.Add(b).Add(c).Div(w)", 0},
	{"add4Divide", "a b c d", "w", "dst.Add(a).Add(b).Add(c).Add(d).Div(w)", 0},
	{"sumFloorDiv", "a b c", "w", "floored256(a.Add(b).Add(c), w)", 0},
	{"sumRoundDiv", "a b c", "w", "signed(floored256(unsigned(a.Add(b).Add(c)).Add(half(w)), w), a.Add(b).Add(c))", 0},
}

// around is for float32: loops that look at the neighbours along x.
var around = []loop{
	{"boxDivide", "a b c", "w", "a.Add(a1).Add(a2).Add(b).Add(b1).Add(b2).Add(c).Add(c1).Add(c2).Div(w)", 2},
	{"columnsDivide", "a b c", "w", "a.Add(b).Add(c).Add(a1.Add(b1).Add(c1)).Add(a2.Add(b2).Add(c2)).Div(w)", 2},
	{"edge2", "a b c", "", "smoothed(c.Sub(a), c1.Sub(a1), c2.Sub(a2)).Add(sloped(a.Add(b.Add(b)).Add(c), a2.Add(b2.Add(b2)).Add(c2))).Sqrt()", 2},
	{"slope2", "a b", "", "smoothed(a, a1, a2).Add(sloped(b, b2)).Sqrt()", 2},
	{"slope3", "a b c", "", "smoothed(a, a1, a2).Add(smoothed(b, b1, b2)).Add(sloped(c, c2)).Sqrt()", 2},
}

// A kind is loops for one type of voxel and one length of vectors, in a file of their own, whose function Uses puts them into the
// table.
type kind struct {
	File, Uses                  string
	Elem, Vector, Table, Suffix string
	Lanes                       int
	Loops                       []loop
}

var (
	float32s     = kind{Elem: "float32", Vector: "Float32x8", Table: "F32", Suffix: "F32", Lanes: 8}
	wideFloat32s = kind{Elem: "float32", Vector: "Float32x16", Table: "F32", Suffix: "F32x16", Lanes: 16} // of AVX-512
	int32s       = kind{Elem: "int32", Vector: "Int32x8", Table: "I32", Suffix: "I32", Lanes: 8}
	int16s       = kind{Elem: "int16", Vector: "Int16x16", Table: "I16", Suffix: "I16", Lanes: 16}
)

var kinds = []kind{
	float32s.file("sums", sums), float32s.file("weights", weights), float32s.file("choices", choices, ofFloats),
	float32s.file("roots", roots), float32s.file("around", around),
	wideFloat32s.file("sums", sums), wideFloat32s.file("weights", weights),
	int32s.file("sums", sums), int32s.file("weights", weights), int32s.file("choices", choices, ofIntegers),
	int16s.file("sums", sums), int16s.file("weights", weights), int16s.file("choices", choices, ofIntegers),
}

func (k kind) file(name string, loops ...[]loop) kind {
	k.File, k.Uses, k.Loops = name+"_"+strings.ToLower(k.Suffix)+"_amd64.go", name+k.Suffix, slices.Concat(loops...)
	return k
}

var page = template.Must(template.New("").Funcs(template.FuncMap{"split": strings.Fields}).Parse(`// Code generated by internal/loops; DO NOT EDIT.

//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import "simd/archsimd"

func {{.Uses}}() {
	{{- range .Loops}}
	table{{$.Table}}.{{.Name}} = {{.Name}}{{$.Suffix}}
	{{- end}}
}
{{range .Loops}}{{$p := $.Parts .}}
func {{.Name}}{{$.Suffix}}({{$p.Params}}) {
	n := len(dst) &^ {{$p.Rest}}
	{{$p.Plain}}(dst[n:]{{range split .Rows}}, {{.}}[n:]{{end}}{{range split .Numbers}}, {{.}}{{end}})
	{{.Name}}Leaf{{$.Suffix}}(dst[:n]{{range split .Rows}}, {{.}}{{end}}{{range split .Numbers}}, {{.}}{{end}})
}

//go:noinline
func {{.Name}}Leaf{{$.Suffix}}({{$p.Params}}) {
	{{- range split .Numbers}}
	{{.}}s := archsimd.Broadcast{{$.Vector}}({{.}})
	{{- end}}
	for {{$p.Enough 4}} {
		{{- range $p.Turns}}
		{{.}}
		{{- end}}
		{{$p.Advance 4}}
	}
	for {{$p.Enough 1}} {
		{{index $p.Turns 0}}
		{{$p.Advance 1}}
	}
	archsimd.ClearAVXUpperBits()
}
{{if $p.Inlined}}
func {{.Name}}At{{$.Suffix}}({{$p.Step}}) {
	{{$p.Body 0}}
}
{{end}}{{end}}`))

// Parts are the pieces of text of one loop for one type of voxel.
type Parts struct {
	loop
	kind
}

// Parts is called by the template.
func (k kind) Parts(l loop) Parts { return Parts{l, k} }

func (p Parts) rows() []string { return append([]string{"dst"}, strings.Fields(p.Rows)...) }

// Plain is the loop in Go.
func (p Parts) Plain() string {
	switch p.Name {
	case "floorDiv", "roundDiv":
		return p.Name + "By"
	case "magnitude":
		return p.Name + "Of"
	}
	return p.Name
}

// Rest is the mask of what does not fill a vector.
func (p Parts) Rest() int { return p.Lanes - 1 }

// Params is the list of parameters.
func (p Parts) Params() string {
	s := strings.Join(p.rows(), ", ") + " []" + p.Elem
	if p.Numbers != "" {
		s += ", " + strings.Join(strings.Fields(p.Numbers), ", ") + " " + p.Elem
	}
	return s
}

// Enough is the condition under which n vectors can be taken.
func (p Parts) Enough(n int) string {
	var s []string
	for i, r := range p.rows() {
		need := n * p.Lanes
		if i > 0 {
			need += p.Reach
		}
		s = append(s, fmt.Sprintf("len(%s) >= %d", r, need))
	}
	return strings.Join(s, " && ")
}

// Advance goes on by n vectors.
func (p Parts) Advance(n int) string {
	var to []string
	for _, r := range p.rows() {
		to = append(to, from(r, n*p.Lanes))
	}
	return strings.Join(p.rows(), ", ") + " = " + strings.Join(to, ", ")
}

// Inlined reports whether the compiler puts a function for one vector into its callers. Those with too many
// terms for that are written out.
func (p Parts) Inlined() bool {
	return p.Reach == 0 && p.Name != "choose" && !(p.Suffix == "F32" && (p.Name == "minimum" || p.Name == "maximum"))
}

// Turns are the steps for four vectors side by side.
func (p Parts) Turns() []string {
	var s []string
	for n := range 4 {
		if !p.Inlined() {
			s = append(s, "{\n"+p.Body(n)+"\n}")
			continue
		}
		var args []string
		for _, r := range p.rows() {
			args = append(args, from(r, n*p.Lanes))
		}
		for _, w := range strings.Fields(p.Numbers) {
			args = append(args, w+"s")
		}
		s = append(s, fmt.Sprintf("%sAt%s(%s)", p.Name, p.Suffix, strings.Join(args, ", ")))
	}
	return s
}

// from is a row from its n-th voxel on.
func from(row string, n int) string {
	if n == 0 {
		return row
	}
	return fmt.Sprintf("%s[%d:]", row, n)
}

// Step is the list of parameters of the function for one vector.
func (p Parts) Step() string {
	s := strings.Join(p.rows(), ", ") + " []" + p.Elem
	if p.Numbers != "" {
		s += ", " + strings.Join(strings.Fields(p.Numbers), ", ") + " archsimd." + p.Vector
	}
	return s
}

// Body loads the n-th vector of each row, and saves what the expression makes of them.
func (p Parts) Body(n int) string {
	var names, loads []string
	for _, r := range p.rows() {
		for o := range p.Reach + 1 {
			name := r
			if o > 0 {
				name = fmt.Sprintf("%s%d", r, o)
			}
			if uses(p.Expr, name) {
				names = append(names, "v"+name)
				loads = append(loads, fmt.Sprintf("load%s(%s)", p.Suffix, from(r, n*p.Lanes+o)))
			}
		}
	}
	expr := p.Expr
	for name, number := range map[string]string{"one": "1", "zero": "0"} {
		expr = rename(expr, name, "archsimd.Broadcast"+p.Vector+"("+number+")")
	}
	for _, n := range names {
		expr = rename(expr, strings.TrimPrefix(n, "v"), n)
	}
	if !p.Inlined() {
		for _, w := range strings.Fields(p.Numbers) {
			expr = rename(expr, w, w+"s")
		}
	}
	return fmt.Sprintf("%s := %s\nsave%s(%s, %s)", strings.Join(names, ", "), strings.Join(loads, ", "), p.Suffix, expr, from("dst", n*p.Lanes))
}

// uses reports whether a name stands in an expression as a word.
func uses(expr, name string) bool { return rename(expr, name, "") != expr }

func rename(expr, name, to string) string {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
	var s strings.Builder
	for i := 0; i < len(expr); i++ {
		end := i + len(name)
		alone := end <= len(expr) && expr[i:end] == name && (i == 0 || !letter(expr[i-1])) && (end == len(expr) || !letter(expr[end]))
		if alone {
			s.WriteString(to)
			i = end - 1
			continue
		}
		s.WriteByte(expr[i])
	}
	return s.String()
}

// main writes the files into the folder that is its argument, or into the present one.
func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	for _, k := range kinds {
		write(filepath.Join(folder, k.File), page, k)
	}
	for _, d := range directs {
		write(filepath.Join(folder, d.File()), directPage, d)
	}
}

func write(file string, page *template.Template, of any) {
	var text bytes.Buffer
	if err := page.Execute(&text, of); err != nil {
		log.Fatal(err)
	}
	code, err := format.Source(text.Bytes())
	if err != nil {
		log.Fatalf("%v\n%s", err, text.Bytes())
	}
	if err := os.WriteFile(file, code, 0o666); err != nil {
		log.Fatal(err)
	}
}
