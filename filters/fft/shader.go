package fft

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// A LineShader is a compute shader that transforms lines of N complex values, several of them at once in the memory that
// a group of invocations shares: Stockham's form, whose stages need no reordering (Cochran and others, Proceedings of the IEEE 55
// (1967) 1664), with radices 4, 2, 3 and 5. Of its own it has what it reads and writes.
//
// Binding 0 holds Turns(N). n[0] is how many lines there are.
type LineShader struct {
	Title   string
	N       int
	Rows    bool   // lines lie dense one after the other, else side by side
	Declare string // buffers from binding 1 on, and functions

	Fetch  string // the body of "vec2 fetch(int line, int i)", which gives value i of a line
	Change string // that of "vec2 change(int line, int i, vec2 v)": what is transformed again of what was; none if empty
	Put    string // that of "void put(int line, int i, vec2 v)", which takes the values
}

// sharedBytes is the memory that a group shares on every device, and mostOnDevice the longest line that it holds.
const (
	sharedBytes  = 32 << 10
	mostOnDevice = sharedBytes / 16
)

// OnDevice reports whether lines of n values have a shader.
func OnDevice(n int) bool { return good(n) && n <= mostOnDevice }

// Lines is how many lines a group transforms.
func (s LineShader) Lines() int {
	l := 16
	for l > 1 && l*s.N > mostOnDevice {
		l /= 2
	}
	return l
}

// Groups is how many groups so many lines take.
func (s LineShader) Groups(lines int) int { return (lines + s.Lines() - 1) / s.Lines() }

// Turns are the twiddles of lines of n values, e^(-2πi k/n) for each k, as the shader reads them.
func Turns(n int) []byte {
	var b []byte
	for k := range n {
		for _, v := range turn(k, n) {
			b = binary.NativeEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}

// Text is the shader in GLSL 4.30.
func (s LineShader) Text() string {
	lines := s.Lines()
	threads := min(256, max(32, s.N*lines/4&^31))
	var b strings.Builder
	fmt.Fprintf(&b, `#version 430
// %s: lines of %d values, %d at once
layout(local_size_x = %d) in;
layout(std430, binding = 0) readonly buffer Turns { vec2 turns[]; };
layout(location = 0) uniform int n[20];
%s
shared vec2 a[%d];
shared vec2 b[%[6]d];

vec2 times(vec2 v, vec2 w) { return vec2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x); }
vec2 turned(vec2 v) { return vec2(v.y, -v.x); }
`, s.Title, s.N, lines, threads, s.Declare, s.N*lines)
	fmt.Fprintf(&b, "\nvec2 fetch(int line, int i) {\n%s}\n", s.Fetch)
	if s.Change != "" {
		fmt.Fprintf(&b, "\nvec2 change(int line, int i, vec2 v) {\n%s}\n", s.Change)
	}
	fmt.Fprintf(&b, "\nvoid put(int line, int i, vec2 v) {\n%s}\n", s.Put)
	from, to := "a", "b"
	b.WriteString("\nvoid transform() {\n\tint id = int(gl_LocalInvocationID.x);\n")
	m := 1
	for _, r := range factors(s.N) {
		if r > 1 {
			s.stage(&b, r, m, from, to)
			from, to = to, from
			m *= r
		}
	}
	b.WriteString("}\n")
	lane, i := fmt.Sprintf("e %% %d", lines), fmt.Sprintf("e / %d", lines)
	if s.Rows {
		lane, i = fmt.Sprintf("e / %d", s.N), fmt.Sprintf("e %% %d", s.N)
	}
	each := func(do string) {
		fmt.Fprintf(&b, `	for (int e = id; e < %d; e += %d) {
		int line = first + %s, i = %s, at = i * %d + %[3]s;
		%[6]s
	}
`, s.N*lines, threads, lane, i, lines, do)
	}
	fmt.Fprintf(&b, `
void main() {
	int id = int(gl_LocalInvocationID.x);
	int first = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * %d;
`, lines)
	each("a[at] = line < n[0] ? fetch(line, i) : vec2(0.0);")
	b.WriteString("	barrier();\n	transform();\n")
	if s.Change != "" {
		each(fmt.Sprintf("a[at] = line < n[0] ? change(line, i, %s[at]) : vec2(0.0);", from))
		b.WriteString("	barrier();\n	transform();\n")
	}
	each(fmt.Sprintf("if (line < n[0]) put(line, i, %s[at]);", from))
	b.WriteString("}\n")
	return b.String()
}

// stage writes one that makes transforms of r·m values out of r transforms of m values.
func (s LineShader) stage(b *strings.Builder, r, m int, from, to string) {
	lines, apart := s.Lines(), s.N/r
	threads := min(256, max(32, s.N*lines/4&^31))
	fmt.Fprintf(b, "	for (int t = id; t < %d; t += %d) { // radix %d\n", apart*lines, threads, r)
	fmt.Fprintf(b, "		int lane = t %% %d, j = t / %[1]d, k = j %% %d, o = ((j - k) * %d + k) * %[1]d + lane;\n", lines, m, r)
	for q := range r {
		v := fmt.Sprintf("%s[t + %d]", from, q*apart*lines)
		if q > 0 && m > 1 {
			v = fmt.Sprintf("times(%s, turns[k * %d])", v, q*(s.N/(r*m)))
		}
		fmt.Fprintf(b, "		vec2 v%d = %s;\n", q, v)
	}
	var out []string
	switch r {
	case 2:
		out = []string{"v0 + v1", "v0 - v1"}
	case 3:
		fmt.Fprintf(b, "		vec2 s = v1 + v2, c = v0 - 0.5 * s, d = turned(%.9g * (v1 - v2));\n", math.Sqrt(3)/2)
		out = []string{"v0 + s", "c + d", "c - d"}
	case 4:
		b.WriteString("		vec2 p = v0 + v2, q = v0 - v2, s = v1 + v3, d = turned(v1 - v3);\n")
		out = []string{"p + s", "q + d", "p - s", "q - d"}
	case 5:
		s1, c1 := math.Sincos(2 * math.Pi / 5)
		s2, c2 := math.Sincos(4 * math.Pi / 5)
		b.WriteString("		vec2 s = v1 + v4, u = v2 + v3, d = v1 - v4, e = v2 - v3;\n")
		fmt.Fprintf(b, "		vec2 p = v0 + %.9g * s + %.9g * u, q = v0 + %.9[2]g * s + %.9[1]g * u;\n", c1, c2)
		fmt.Fprintf(b, "		vec2 f = turned(%.9g * d + %.9g * e), g = turned(%.9[2]g * d - %.9[1]g * e);\n", s1, s2)
		out = []string{"v0 + s + u", "p + f", "q + g", "q - g", "p - f"}
	}
	for q, v := range out {
		fmt.Fprintf(b, "		%s[o + %d] = %s;\n", to, q*m*lines, v)
	}
	b.WriteString("	}\n	barrier();\n")
}
