#version 430
// columns: lines of 8 values, 16 at once
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer Turns { vec2 turns[]; };
layout(location = 0) uniform int n[20];
layout(std430, binding = 1) buffer Spectrum { vec2 spectrum[]; };

int place(int line, int i) { return n[3] + line / n[1] * n[2] + line % n[1] + i * n[4]; }

shared vec2 a[128];
shared vec2 b[128];

vec2 times(vec2 v, vec2 w) { return vec2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x); }
vec2 turned(vec2 v) { return vec2(v.y, -v.x); }

vec2 fetch(int line, int i) {
	return i >= n[5] && i < n[6] ? spectrum[place(line, i)] : vec2(0.0);
}

void put(int line, int i, vec2 v) {
	if (i >= n[7] && i < n[8]) spectrum[place(line, i)] = v;
}

void transform() {
	int id = int(gl_LocalInvocationID.x);
	for (int t = id; t < 32; t += 32) { // radix 4
		int lane = t % 16, j = t / 16, k = j % 1, o = ((j - k) * 4 + k) * 16 + lane;
		vec2 v0 = a[t + 0];
		vec2 v1 = a[t + 32];
		vec2 v2 = a[t + 64];
		vec2 v3 = a[t + 96];
		vec2 p = v0 + v2, q = v0 - v2, s = v1 + v3, d = turned(v1 - v3);
		b[o + 0] = p + s;
		b[o + 16] = q + d;
		b[o + 32] = p - s;
		b[o + 48] = q - d;
	}
	barrier();
	for (int t = id; t < 64; t += 32) { // radix 2
		int lane = t % 16, j = t / 16, k = j % 4, o = ((j - k) * 2 + k) * 16 + lane;
		vec2 v0 = b[t + 0];
		vec2 v1 = times(b[t + 64], turns[k * 1]);
		a[o + 0] = v0 + v1;
		a[o + 64] = v0 - v1;
	}
	barrier();
}

void main() {
	int id = int(gl_LocalInvocationID.x);
	int first = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 16;
	for (int e = id; e < 128; e += 32) {
		int line = first + e % 16, i = e / 16, at = i * 16 + e % 16;
		a[at] = line < n[0] ? fetch(line, i) : vec2(0.0);
	}
	barrier();
	transform();
	for (int e = id; e < 128; e += 32) {
		int line = first + e % 16, i = e / 16, at = i * 16 + e % 16;
		if (line < n[0]) put(line, i, a[at]);
	}
}
