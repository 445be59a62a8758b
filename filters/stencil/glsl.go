package stencil

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
)

// ErrNoShader is why a kernel has no shader: it computes in 64 bits, which few devices do well, it has too
// many taps to be written out, or it holds an operation that devices do not compute alike (% of real numbers).
var ErrNoShader = errors.New("stencil: no shader")

// maxStatements bounds the length of a shader.
const maxStatements = 4096

// GLSL is the kernel as a compute shader (GLSL 4.30) for inputs and an output of the given types, with
// the arithmetic of the processor's program: the same types in the same order, and nothing fused.
//
// Buffer 0 is the output and buffers 1, 2, ... the inputs, each a block as package lazy lays it out, in
// words of 32 bits: four voxels of 8 bits, two of 16 or one of 32 share a word. One invocation computes
// the voxels of one output word. Uniforms, by location:
//
//	0      ivec4: lengths of the output along T*Z*C (as planes), Y and X, and its voxels in all
//	1      ivec2: lengths of the output along Z and C
//	2+2n   ivec4: strides of input n along T, Z, C and Y
//	3+2n   int: offset in input n of the voxel at the output's first
func (k *Kernel) GLSL(in []lazy.DType, out lazy.DType, limit float64) (string, error) {
	types, _ := k.infer(in, limit) // integers stay integers here, which every device divides alike
	k.load(types)
	w := shader{k: k, types: types, done: map[seen]string{}, uses: map[Code]bool{}}
	for _, d := range append(append([]lazy.DType{out}, in...), w.types...) {
		if d.Size() == 8 {
			return "", fmt.Errorf("%w: %s computes in %v", ErrNoShader, k.name, d)
		}
	}
	last := Value(len(k.instrs) - 1)
	if out.Size() == 4 && !out.Float() && w.types[last].Float() {
		return "", fmt.Errorf("%w: %s rounds float32 to %v, whose range no float32 ends at", ErrNoShader, k.name, out)
	}
	result := w.at(last, 0, 0, w.types[last])
	if w.refused != "" {
		return "", fmt.Errorf("%w: %s holds %s", ErrNoShader, k.name, w.refused)
	}
	if w.statements > maxStatements {
		return "", fmt.Errorf("%w: %s takes more than %d statements", ErrNoShader, k.name, maxStatements)
	}
	var s strings.Builder
	fmt.Fprintf(&s, "#version 430\n// %s of %v to %v\nlayout(local_size_x = 64) in;\n", k.name, in, out)
	s.WriteString("layout(std430, binding = 0) writeonly buffer Output { uint result[]; };\n")
	s.WriteString("layout(location = 0) uniform ivec4 size;\nlayout(location = 1) uniform ivec2 zc;\n")
	for n, d := range in {
		fmt.Fprintf(&s, "layout(std430, binding = %d) readonly buffer Input%d { uint words%d[]; };\n", n+1, n, n)
		fmt.Fprintf(&s, "layout(location = %d) uniform ivec4 stride%d;\nlayout(location = %d) uniform int origin%d;\n", 2+2*n, n, 3+2*n, n)
		s.WriteString(unpacker(n, d))
	}
	if w.uses[Exp] {
		s.WriteString("\n" + expFunction())
	}
	if w.uses[Log] {
		s.WriteString("\n" + logFunction())
	}
	if w.uses[Power] || w.uses[FloorDiv] {
		s.WriteString("\n" + widenFunction)
	}
	if w.uses[Power] {
		s.WriteString("\n" + powerFunction())
	}
	if w.uses[FloorDiv] {
		s.WriteString("\n" + quotientFunction)
	}
	s.WriteString("\n" + typeName(w.types[last]) + " voxel(int t, int z, int c, int y, int x) {\n")
	for n := range in {
		fmt.Fprintf(&s, "\tint at%[1]d = origin%[1]d + t * stride%[1]d.x + z * stride%[1]d.y + c * stride%[1]d.z + y * stride%[1]d.w + x;\n", n)
	}
	fmt.Fprintf(&s, "%s\treturn %s;\n}\n\n%s", w.body.String(), result, packer(out, w.types[last]))
	return s.String(), nil
}

// A seen value is one looked at from a neighbour of the output voxel, in some type.
type seen struct {
	v      Value
	dy, dx int
	as     lazy.DType
}

type shader struct {
	k          *Kernel
	types      []lazy.DType
	body       strings.Builder
	done       map[seen]string
	statements int
	uses       map[Code]bool
	refused    string // an operation that no shader is written for
}

// let writes one statement and gives the name of its value. "precise" keeps the compiler from fusing a
// product and a sum, and from changing the order of a sum.
func (w *shader) let(t lazy.DType, expression string) string {
	name := fmt.Sprintf("v%d", w.statements)
	w.statements++
	fmt.Fprintf(&w.body, "\tprecise %s %s = %s;\n", typeName(t), name, expression)
	return name
}

// at is the name of a value at (y+dy, x+dx), written out at its first use.
func (w *shader) at(v Value, dy, dx int, as lazy.DType) string {
	key := seen{v, dy, dx, as}
	if name, ok := w.done[key]; ok || w.statements > maxStatements {
		return name
	}
	var name string
	if own := w.types[v]; as != own {
		name = w.let(as, typeName(as)+"("+w.at(v, dy, dx, own)+")")
	} else {
		name = w.write(v, dy, dx)
	}
	w.done[key] = name
	return name
}

// write follows compute in program.go statement by statement.
func (w *shader) write(v Value, dy, dx int) string {
	i, t := w.k.instrs[v], w.types[v]
	term := func(n int) string { return w.at(i.Terms[n].Value, dy+i.Terms[n].DY, dx+i.Terms[n].DX, t) }
	weight := func(n int) string { return literal(i.Terms[n].Weight, t) }
	let := func(format string, args ...any) string { return w.let(t, fmt.Sprintf(format, args...)) }
	// sum adds parts from the first to the last.
	sum := func(part func(n int) string) string {
		s := part(0)
		for n := 1; n < len(i.Terms); n++ {
			s = let("%s + %s", s, part(n))
		}
		return s
	}
	switch i.Code {
	case Load:
		return let("%s(load%d(at%d%s))", typeName(t), i.Input, i.Input, shift(i.Input, i.DZ, dy, dx))
	case Linear:
		return sum(func(n int) string { return let("%s * %s", weight(n), term(n)) })
	case Sum:
		return sum(term)
	case Pairs:
		s := let("%s * %s", weight(0), term(0))
		for n := 1; n < len(i.Terms); n += 2 {
			pair := let("%s + %s", term(n), term(n+1))
			s = let("%s + %s", s, let("%s * %s", weight(n), pair))
		}
		return s
	case Divide:
		return let("%s / %s", term(0), literal(i.By, t))
	case RoundDiv:
		if t.Float() {
			return w.roundDivision(term(0), int(i.By))
		}
		return let("sign(%s) * ((abs(%s) + %d) / %d)", term(0), term(0), int(i.By)/2, int(i.By))
	case L1:
		return sum(func(n int) string { return let("abs(%s)", term(n)) })
	case L2:
		return let("sqrt(%s)", sum(func(n int) string { return let("%s * %s", term(n), term(n)) }))
	case Whole, Real:
		return let("%s", literal(i.By, t))
	case Product:
		return let("%s * %s", term(0), term(1))
	case Quotient:
		return let("%s / %s", term(0), term(1))
	case Root:
		return let("sqrt(%s)", term(0))
	case Exp, Log:
		if t == lazy.F32 {
			w.uses[i.Code] = true
			return let("%s(%s)", map[Code]string{Exp: "exponential", Log: "logarithm"}[i.Code], term(0))
		}
	case Select:
		return let("%s != %s ? %s : %s", term(0), literal(0, t), term(1), term(2))
	case Less, LessEqual, Equal:
		sign := map[Code]string{Less: "<", LessEqual: "<=", Equal: "=="}[i.Code]
		return let("%s %s %s ? %s : %s", term(0), sign, term(1), literal(1, t), literal(0, t))
	case Minimum, Maximum:
		return let("%s", w.extreme(i.Code, t, term(0), term(1)))
	case Power:
		if t == lazy.F32 {
			w.uses[Power] = true
			return let("power(%s, %s)", term(0), term(1))
		}
	case FloorDiv, Modulo:
		if !t.Float() {
			return w.wholeDivision(i.Code, term(0), term(1))
		}
		if i.Code == FloorDiv {
			w.uses[FloorDiv] = true
			return let("floorQuotient(%s, %s)", term(0), term(1))
		}
	}
	w.refused = codeNames[i.Code]
	return let("%s", literal(0, t))
}

// extreme is min or max, of which one that is NaN makes the result NaN, as on the processor.
func (w *shader) extreme(c Code, t lazy.DType, a, b string) string {
	name := map[Code]string{Minimum: "min", Maximum: "max"}[c]
	if !t.Float() {
		return fmt.Sprintf("%s(%s, %s)", name, a, b)
	}
	return fmt.Sprintf("isnan(%[2]s) ? %[2]s : isnan(%[3]s) ? %[3]s : %[1]s(%[2]s, %[3]s)", name, a, b)
}

// wholeDivision is // or % of integers. GLSL leaves open what / does with a negative one, so magnitudes are
// divided.
func (w *shader) wholeDivision(c Code, a, b string) string {
	let := func(format string, args ...any) string { return w.let(lazy.I32, fmt.Sprintf(format, args...)) }
	q := let("%s == 0 ? 0 : abs(%s) / max(abs(%s), 1)", b, a, b)
	rest := let("abs(%s) - %s * abs(%s)", a, q, b)
	opposite := fmt.Sprintf("((%s < 0) != (%s < 0))", a, b)
	q = let("%s ? (%s != 0 ? -%s - 1 : -%s) : %s", opposite, rest, q, q, q)
	q = let("%s == 0 ? 0 : %s", b, q)
	if c == FloorDiv {
		return q
	}
	return let("%s == 0 ? 0 : %s - %s * %s", b, a, q, b)
}

// roundDivision is a real number divided by a whole one, to nearest, halves away from zero, as if the quotient
// were exact: the processor divides in float64. Of numbers below 2^24 the remainder is exact; those above are
// whole, and what no int holds is beyond the range of every result.
func (w *shader) roundDivision(a string, by int) string {
	let := func(format string, args ...any) string { return w.let(lazy.F32, fmt.Sprintf(format, args...)) }
	d := literal(float64(by), lazy.F32)
	size := let("abs(%s)", a)
	q := let("floor(%s / %s)", size, d)
	back := let("%s * %s", q, d)
	rest := let("%s - %s", size, back)
	q = let("%[1]s < 0.0 ? %[2]s - 1.0 : %[1]s >= %[3]s ? %[2]s + 1.0 : %[2]s", rest, q, d)
	back = let("%s * %s", q, d)
	rest = let("%s - %s", size, back)
	q = let("%s >= %s ? %s + 1.0 : %s", rest, literal(float64(by)/2, lazy.F32), q, q)
	return let("sign(%[1]s) * (%[2]s >= 16777216.0 && %[2]s < 2147000000.0 ? float((int(%[2]s) + %[3]d) / %[4]d) : %[5]s)", a, size, by/2, by, q)
}

// nearest rounds a float to nearest, halves away from zero. Adding a half and cutting would round twice.
func nearest(x string) string {
	return fmt.Sprintf("sign(%[1]s) * (floor(abs(%[1]s)) + (abs(%[1]s) - floor(abs(%[1]s)) >= 0.5 ? 1.0 : 0.0))", x)
}

func shift(input, dz, dy, dx int) string {
	s := ""
	if dz != 0 {
		s += fmt.Sprintf(" + (%d) * stride%d.y", dz, input)
	}
	if dy != 0 {
		s += fmt.Sprintf(" + (%d) * stride%d.w", dy, input)
	}
	if dx != 0 {
		s += fmt.Sprintf(" + (%d)", dx)
	}
	return s
}

func typeName(d lazy.DType) string {
	switch d {
	case lazy.F32:
		return "float"
	case lazy.U32:
		return "uint"
	}
	return "int"
}

// literal is a constant that reads back as the same float32, or a whole number.
func literal(v float64, t lazy.DType) string {
	if !t.Float() {
		return strconv.Itoa(int(v))
	}
	s := strconv.FormatFloat(float64(float32(v)), 'g', -1, 32)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return "(" + s + ")"
}

// unpacker is a function that gives voxel i of an input.
func unpacker(n int, d lazy.DType) string {
	body := map[lazy.DType]string{
		lazy.U8:  "uint load%[1]d(int i) { return bitfieldExtract(words%[1]d[i >> 2], (i & 3) * 8, 8); }\n",
		lazy.I8:  "int load%[1]d(int i) { return bitfieldExtract(int(words%[1]d[i >> 2]), (i & 3) * 8, 8); }\n",
		lazy.U16: "uint load%[1]d(int i) { return bitfieldExtract(words%[1]d[i >> 1], (i & 1) * 16, 16); }\n",
		lazy.I16: "int load%[1]d(int i) { return bitfieldExtract(int(words%[1]d[i >> 1]), (i & 1) * 16, 16); }\n",
		lazy.U32: "uint load%[1]d(int i) { return words%[1]d[i]; }\n",
		lazy.I32: "int load%[1]d(int i) { return int(words%[1]d[i]); }\n",
		lazy.F32: "float load%[1]d(int i) { return uintBitsToFloat(words%[1]d[i]); }\n",
	}[d]
	return fmt.Sprintf(body, n)
}

// packer is the main function: it computes the voxels of one output word and packs them.
func packer(out, from lazy.DType) string {
	per := 4 / out.Size()
	bits := 32 / per
	store := "uint(v)"
	switch {
	case out == lazy.F32:
		store = "floatBitsToUint(float(v))"
	case from == lazy.F32:
		lo, hi := out.Range()
		store = fmt.Sprintf("uint(int(clamp(%s, %s, %s)))", nearest("v"), literal(lo, lazy.F32), literal(hi, lazy.F32))
	default:
		lo, hi := out.Range()
		if out == lazy.U32 {
			hi = 1<<31 - 1 // an int holds no more
		}
		store = fmt.Sprintf("uint(clamp(v, %d, %d))", int64(lo), int64(hi))
		store = strings.ReplaceAll(store, "-2147483648", "(-2147483647 - 1)")
	}
	var s strings.Builder
	fmt.Fprintf(&s, `void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	uint bits = 0u;
	for (int k = 0; k < %d; k++) {
		int i = word * %d + k;
		if (i >= size.w) break;
		int x = i %% size.z, row = i / size.z;
		int y = row %% size.y, plane = row / size.y;
		int c = plane %% zc.y, z = plane / zc.y %% zc.x, t = plane / zc.y / zc.x;
		%s v = voxel(t, z, c, y, x);
		bits |= (%s%s) << (k * %d);
	}
	if (word * %d < size.w) result[word] = bits;
}
`, per, per, typeName(from), store, mask(bits), bits%32, per)
	return s.String()
}

func mask(bits int) string {
	if bits == 32 {
		return ""
	}
	return fmt.Sprintf(" & 0x%xu", uint64(1)<<bits-1)
}
