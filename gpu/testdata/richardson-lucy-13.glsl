#version 430
// richardson-lucy: change: lines of 16 values, 16 at once
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Turns { vec2 turns[]; };
layout(location = 0) uniform int n[20];
layout(std430, binding = 1) buffer Spectrum { vec2 spectrum[]; };
layout(std430, binding = 2) buffer Estimate { float estimate[]; };
layout(std430, binding = 3) readonly buffer Shares { float shares[]; };
layout(std430, binding = 4) readonly buffer Classes { int classes[]; };

int place(int line) { return ((line / n[4] + n[2]) * n[1] + line % n[4] + n[3]) * 9; }

float changed(int line, int x, float f) {
	int at = line * n[6] + x;
	float u = estimate[at];
	float w = shares[(classes[line / n[4]] * n[8] + classes[n[10] + line % n[4]]) * n[9] + classes[n[10] + n[4] + x]];
	if (w != 0.0) {
		u = u * max(f, 0.0) * w;
		if (!(u >= 1.17549435e-38)) u = 0.0;
		estimate[at] = u;
	}
	return u;
}

shared vec2 a[256];
shared vec2 b[256];

vec2 times(vec2 v, vec2 w) { return vec2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x); }
vec2 turned(vec2 v) { return vec2(v.y, -v.x); }

vec2 fetch(int line, int i) {
	if (i <= 8) return spectrum[place(line) + i].yx;
	vec2 v = spectrum[place(line) + 16 - i];
	return vec2(-v.y, v.x);
}

void put(int line, int i, vec2 v) {
	if (i >= n[5] && i < n[6]) changed(line, i, v.y);
}

void transform() {
	int id = int(gl_LocalInvocationID.x);
	for (int t = id; t < 64; t += 64) { // radix 4
		int lane = t % 16, j = t / 16, k = j % 1, o = ((j - k) * 4 + k) * 16 + lane;
		vec2 v0 = a[t + 0];
		vec2 v1 = a[t + 64];
		vec2 v2 = a[t + 128];
		vec2 v3 = a[t + 192];
		vec2 p = v0 + v2, q = v0 - v2, s = v1 + v3, d = turned(v1 - v3);
		b[o + 0] = p + s;
		b[o + 16] = q + d;
		b[o + 32] = p - s;
		b[o + 48] = q - d;
	}
	barrier();
	for (int t = id; t < 64; t += 64) { // radix 4
		int lane = t % 16, j = t / 16, k = j % 4, o = ((j - k) * 4 + k) * 16 + lane;
		vec2 v0 = b[t + 0];
		vec2 v1 = times(b[t + 64], turns[k * 1]);
		vec2 v2 = times(b[t + 128], turns[k * 2]);
		vec2 v3 = times(b[t + 192], turns[k * 3]);
		vec2 p = v0 + v2, q = v0 - v2, s = v1 + v3, d = turned(v1 - v3);
		a[o + 0] = p + s;
		a[o + 64] = q + d;
		a[o + 128] = p - s;
		a[o + 192] = q - d;
	}
	barrier();
}

void main() {
	int id = int(gl_LocalInvocationID.x);
	int first = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 16;
	for (int e = id; e < 256; e += 64) {
		int line = first + e / 16, i = e % 16, at = i * 16 + e / 16;
		a[at] = line < n[0] ? fetch(line, i) : vec2(0.0);
	}
	barrier();
	transform();
	for (int e = id; e < 256; e += 64) {
		int line = first + e / 16, i = e % 16, at = i * 16 + e / 16;
		if (line < n[0]) put(line, i, a[at]);
	}
}
