#version 430
// stencil of [float32] to float32
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Output { uint result[]; };
layout(location = 0) uniform ivec4 size;
layout(location = 1) uniform ivec2 zc;
layout(std430, binding = 1) readonly buffer Input0 { uint words0[]; };
layout(location = 2) uniform ivec4 stride0;
layout(location = 3) uniform int origin0;
float load0(int i) { return uintBitsToFloat(words0[i]); }

double widen(float x) {
	uint bits = floatBitsToUint(x), size = bits & 0x7fffffffu;
	precise double tiny = double(size) * 1.40129846432481707e-45lf;
	return size >= 0x00800000u ? double(x) : (bits >> 31) != 0u ? -tiny : tiny;
}

float floorQuotient(float x, float y) {
	precise double a = widen(x), b = widen(y);
	precise double exact = a / b;
	precise float q = floor(float(exact));
	precise double back = double(q) * b;
	precise double next = (double(q) + 1.0lf) * b;
	bool up = b > 0.0lf, small = abs(q) < 16777216.0;
	return (up ? back > a : back < a) ? q - 1.0 : small && (up ? next <= a : next >= a) ? q + 1.0 : q;
}

float voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise float v0 = float(load0(at0));
	precise float v1 = (9.0);
	precise float v2 = floorQuotient(v0, v1);
	return v2;
}

void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	uint bits = 0u;
	for (int k = 0; k < 1; k++) {
		int i = word * 1 + k;
		if (i >= size.w) break;
		int x = i % size.z, row = i / size.z;
		int y = row % size.y, plane = row / size.y;
		int c = plane % zc.y, z = plane / zc.y % zc.x, t = plane / zc.y / zc.x;
		float v = voxel(t, z, c, y, x);
		bits |= (floatBitsToUint(float(v))) << (k * 0);
	}
	if (word * 1 < size.w) result[word] = bits;
}
