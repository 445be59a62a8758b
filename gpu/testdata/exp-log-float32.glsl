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

float exponential(float x) {
	precise float v = min(max(x, (-103.97208)), (88.72283));
	precise float scaled = v * (1.442695);
	scaled = scaled + 0.5;
	precise float k = floor(scaled);
	precise float part = k * (0.6933594);
	precise float r = v - part;
	part = k * (-0.00021219444);
	r = r - part;
	precise float p = (0.00019875691);
	p = p * r;
	p = p + (0.0013981999);
	p = p * r;
	p = p + (0.008333452);
	p = p * r;
	p = p + (0.041665796);
	p = p * r;
	p = p + (0.16666666);
	p = p * r;
	p = p + (0.5);
	precise float z = r * r;
	p = p * z;
	p = p + r;
	p = p + 1.0;
	int whole = int(k), lower = whole >> 1;
	p = p * intBitsToFloat((lower + 127) << 23);
	p = p * intBitsToFloat((whole - lower + 127) << 23);
	return isnan(x) ? x : x > (88.72283) ? uintBitsToFloat(0x7f800000u) : x < (-103.97208) ? 0.0 : p;
}

float logarithm(float x) {
	bool tiny = x < (1.1754944e-38);
	precise float v = tiny ? x * 8388608.0 : x;
	int b = floatBitsToInt(v);
	precise float e = float((b >> 23) - 126);
	e = e - (tiny ? 23.0 : 0.0);
	precise float m = intBitsToFloat((b & 0x007fffff) | 0x3f000000);
	bool below = m < (0.70710677);
	e = e - (below ? 1.0 : 0.0);
	m = m + (below ? m : 0.0);
	m = m - 1.0;
	precise float z = m * m;
	precise float p = (0.070376836);
	p = p * m;
	p = p + (-0.1151461);
	p = p * m;
	p = p + (0.116769984);
	p = p * m;
	p = p + (-0.12420141);
	p = p * m;
	p = p + (0.14249323);
	p = p * m;
	p = p + (-0.16668057);
	p = p * m;
	p = p + (0.20000714);
	p = p * m;
	p = p + (-0.24999994);
	p = p * m;
	p = p + (0.3333333);
	p = p * m;
	p = p * z;
	precise float part = e * (-0.00021219444);
	p = p + part;
	part = 0.5 * z;
	p = p - part;
	p = m + p;
	part = e * (0.6933594);
	p = p + part;
	return isnan(x) || x < 0.0 ? uintBitsToFloat(0x7fc00000u) : x == 0.0 ? uintBitsToFloat(0xff800000u) : x > (3.4028235e+38) ? x : p;
}

float voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise float v0 = float(load0(at0));
	precise float v1 = exponential(v0);
	precise float v2 = logarithm(v0);
	precise float v3 = v1 + v2;
	return v3;
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
