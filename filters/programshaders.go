package filters

import (
	"fmt"

	"lamella/filters/fft"
	"lamella/lazy"
)

// programGroup is how many things a shader makes in a group that transforms nothing.
const programGroup = 64

// single is the text of a shader each of whose invocations makes one of n[0] things.
func single(title, buffers, body string) string {
	return fmt.Sprintf(`#version 430
// %s
layout(local_size_x = %d) in;
%slayout(location = 0) uniform int n[16];

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * %[2]d + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
%[4]s}
`, title, programGroup, buffers, body)
}

// most is the largest number of float32, above which is none.
const most = "3.40282347e38"

// floatOf says how a voxel of a type is read from words of 32 bits as a real number.
var floatOf = map[lazy.DType]string{
	lazy.U8:  "float(bitfieldExtract(words[id / 4], id % 4 * 8, 8))",
	lazy.I8:  "float(bitfieldExtract(int(words[id / 4]), id % 4 * 8, 8))",
	lazy.U16: "float(bitfieldExtract(words[id / 2], id % 2 * 16, 16))",
	lazy.I16: "float(bitfieldExtract(int(words[id / 2]), id % 2 * 16, 16))",
	lazy.F32: "uintBitsToFloat(words[id])",
}

func convertText(d lazy.DType) string {
	return single("voxels as real numbers", `layout(std430, binding = 0) writeonly buffer Data { float data[]; };
layout(std430, binding = 1) readonly buffer Image { uint words[]; };
`, "	data[id] = "+floatOf[d]+";\n")
}

// Sums are three numbers each: of what is not negative, of how many voxels are finite, and the largest; of each row, then of
// each plane, then of all.
var (
	rowSumsText = single("sums of rows", `layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };
layout(std430, binding = 1) readonly buffer Data { float data[]; };
`, `	float sum = 0.0, count = 0.0, peak = 0.0;
	for (int i = 0; i < n[1]; i++) {
		float v = data[id * n[1] + i];
		if (v <= `+most+` && v >= -`+most+`) {
			sum += max(0.0, v);
			peak = max(peak, v);
			count += 1.0;
		}
	}
	sums[3 * id] = sum;
	sums[3 * id + 1] = count;
	sums[3 * id + 2] = peak;
`)
	sumsText = single("sums of sums", `layout(std430, binding = 0) buffer Sums { float sums[]; };
`, `	float sum = 0.0, count = 0.0, peak = 0.0;
	for (int i = 0; i < n[1]; i++) {
		int at = 3 * (n[2] + id * n[1] + i);
		sum += sums[at];
		count += sums[at + 1];
		peak = max(peak, sums[at + 2]);
	}
	int to = 3 * (n[3] + id);
	sums[to] = sum;
	sums[to + 1] = count;
	sums[to + 2] = peak;
`)
	numbersText = `#version 430
// the number that the estimate begins with, and the largest of the data
layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) readonly buffer Sums { float sums[]; };
layout(location = 0) uniform int n[3];

void main() {
	int at = 3 * n[0];
	bool given = intBitsToFloat(n[2]) != 0.0;
	numbers[0] = given ? intBitsToFloat(n[1]) : sums[at] / max(1.0, sums[at + 1]);
	numbers[1] = sums[at + 2];
}
`
	estimateText = single("an estimate that is the same everywhere", `layout(std430, binding = 0) writeonly buffer Estimate { float estimate[]; };
layout(std430, binding = 2) readonly buffer Numbers { float numbers[]; };
`, "	estimate[id] = numbers[0];\n")
	extendText = single("an estimate that is the data, with their edges beyond them", `layout(std430, binding = 0) writeonly buffer Estimate { float estimate[]; };
layout(std430, binding = 1) readonly buffer Data { float data[]; };
layout(std430, binding = 2) readonly buffer Numbers { float numbers[]; };
`, `	int z = clamp(id / (n[4] * n[7]), n[2], n[3] - 1) - n[2];
	int y = clamp(id / n[7] % n[4], n[5], n[6] - 1) - n[5];
	int x = clamp(id % n[7], n[8], n[9] - 1) - n[8];
	float v = data[(z * (n[6] - n[5]) + y) * (n[9] - n[8]) + x];
	if (!(v <= `+most+` && v >= -`+most+`)) v = numbers[0];
	estimate[id] = max(0.0, v);
`)
	cropText = single("the block of an estimate", `layout(std430, binding = 0) writeonly buffer Block { float block[]; };
layout(std430, binding = 1) readonly buffer Estimate { float estimate[]; };
`, `	int z = id / (n[1] * n[2]) + n[3], y = id / n[2] % n[1] + n[4], x = id % n[2] + n[5];
	block[id] = estimate[(z * n[6] + y) * n[7] + x] * intBitsToFloat(n[8]);
`)
)

// spreadRows begins the spectrum of the PSF, wrapped around the ends of the grid.
func spreadRows(n int) fft.LineShader {
	return fft.LineShader{
		Title: "the rows of a PSF", N: n, Rows: true,
		Declare: `layout(std430, binding = 1) readonly buffer Psf { float psf[]; };
layout(std430, binding = 2) writeonly buffer Spectrum { vec2 spectrum[]; };
`,
		Fetch: fmt.Sprintf(`	int z = (line / n[1] + n[3] / 2) %% n[2], y = (line %% n[1] + n[4] / 2) %% n[1], x = (i + n[5] / 2) %% %d;
	if (z >= n[3] || y >= n[4] || x >= n[5]) return vec2(0.0);
	return vec2(psf[(z * n[4] + y) * n[5] + x], 0.0);
`, n),
		Put: fmt.Sprintf("	if (i <= %d) spectrum[line * %d + i] = v;\n", n/2, n/2+1),
	}
}

// estimateRows begins that of the estimate.
func estimateRows(n int) fft.LineShader {
	return fft.LineShader{
		Title: "the rows of an estimate", N: n, Rows: true,
		Declare: `layout(std430, binding = 1) readonly buffer Estimate { float estimate[]; };
layout(std430, binding = 2) writeonly buffer Spectrum { vec2 spectrum[]; };
`,
		Fetch: "	return i < n[3] ? vec2(estimate[line * n[3] + i], 0.0) : vec2(0.0);\n",
		Put:   fmt.Sprintf("	if (i <= %d) spectrum[(line / n[2] * n[1] + line %% n[2]) * %d + i] = v;\n", n/2, n/2+1),
	}
}

// columns transforms lines that lie side by side; the way back is the way there with real and imaginary parts swapped.
func columns(n int, back bool) fft.LineShader {
	parts, title := "", "columns"
	if back {
		parts, title = ".yx", "columns back"
	}
	return fft.LineShader{
		Title: title, N: n,
		Declare: `layout(std430, binding = 1) buffer Spectrum { vec2 spectrum[]; };

int place(int line, int i) { return n[3] + line / n[1] * n[2] + line % n[1] + i * n[4]; }
`,
		Fetch: "	return i >= n[5] && i < n[6] ? spectrum[place(line, i)]" + parts + " : vec2(0.0);\n",
		Put:   "	if (i >= n[7] && i < n[8]) spectrum[place(line, i)] = v" + parts + ";\n",
	}
}

// What a spectrum is multiplied by: another one, or its conjugate.
const (
	convolved  = "vec2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x)"
	correlated = "vec2(v.x * w.x + v.y * w.y, v.y * w.x - v.x * w.y)"
)

// columnsThrough transforms columns, multiplies them, and transforms them back.
func columnsThrough(n int, how string) fft.LineShader {
	return fft.LineShader{
		Title: "columns, multiplied", N: n,
		Declare: `layout(std430, binding = 1) buffer Spectrum { vec2 spectrum[]; };
layout(std430, binding = 2) readonly buffer Transfer { vec2 transfer[]; };
`,
		Fetch:  "	return i >= n[2] && i < n[3] ? spectrum[line + i * n[1]] : vec2(0.0);\n",
		Change: "	vec2 w = transfer[line + i * n[1]];\n	return " + how + ".yx;\n",
		Put:    "	if (i >= n[4] && i < n[5]) spectrum[line + i * n[1]] = v.yx;\n",
	}
}

// rowsThrough transforms rows back, has each voxel changed, and transforms them again unless these are the last.
func rowsThrough(n int, title, declare, change string, last bool) fft.LineShader {
	s := fft.LineShader{
		Title: title, N: n, Rows: true,
		Declare: `layout(std430, binding = 1) buffer Spectrum { vec2 spectrum[]; };
` + declare + `
int place(int line) { return ((line / n[4] + n[2]) * n[1] + line % n[4] + n[3]) * ` + fmt.Sprint(n/2+1) + `; }

float changed(int line, int x, float f) {
` + change + `}
`,
		Fetch: fmt.Sprintf(`	if (i <= %d) return spectrum[place(line) + i].yx;
	vec2 v = spectrum[place(line) + %d - i];
	return vec2(-v.y, v.x);
`, n/2, n),
		Change: "	return i >= n[5] && i < n[6] ? vec2(changed(line, i, v.y), 0.0) : vec2(0.0);\n",
		Put:    fmt.Sprintf("	if (i <= %d) spectrum[place(line) + i] = v;\n", n/2),
	}
	if last {
		s.Change, s.Put = "", "	if (i >= n[5] && i < n[6]) changed(line, i, v.y);\n"
	}
	return s
}

// comparing is the step of compare (lucy.go): from the blurred estimate to how it differs from the data.
func (p *lucyProgram) comparing() fft.LineShader {
	change := `	float d = data[line * (n[6] - n[5]) + x - n[5]], b = f + intBitsToFloat(n[7]);
`
	if p.method.name == landweber {
		change += "	return d <= " + most + " && d >= -" + most + " ? d - b : 0.0;\n"
	} else {
		change += `	if (!(b > intBitsToFloat(n[8]) * numbers[1] && d <= ` + most + `)) return 1.0;
	return d > 0.0 ? d / b : 0.0;
`
	}
	return rowsThrough(p.shape[2], p.method.name+": compare", `layout(std430, binding = 2) readonly buffer Data { float data[]; };
layout(std430, binding = 3) readonly buffer Numbers { float numbers[]; };
`, change, false)
}

// changing is the step of update: from that to the next estimate.
func (p *lucyProgram) changing(last bool) fft.LineShader {
	step := "u * max(f, 0.0) * w"
	if p.method.name == landweber {
		step = "u + intBitsToFloat(n[7]) * f * w"
	}
	return rowsThrough(p.shape[2], p.method.name+": change", `layout(std430, binding = 2) buffer Estimate { float estimate[]; };
layout(std430, binding = 3) readonly buffer Shares { float shares[]; };
layout(std430, binding = 4) readonly buffer Classes { int classes[]; };
`, `	int at = line * n[6] + x;
	float u = estimate[at];
	float w = shares[(classes[line / n[4]] * n[8] + classes[n[10] + line % n[4]]) * n[9] + classes[n[10] + n[4] + x]];
	if (w != 0.0) {
		u = `+step+`;
		if (!(u >= 1.17549435e-38)) u = 0.0;
		estimate[at] = u;
	}
	return u;
`, last)
}
