#version 430
// gamma of [float32] to float32
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

float power(float x, float y) {
	precise double exponent = widen(y);
	precise double a = abs(widen(x));
	uvec2 bits = unpackDouble2x32(a);
	precise double e = double(int(bits.y >> 20) - 1023);
	precise double m = packDouble2x32(uvec2(bits.x, (bits.y & 0x000fffffu) | 0x3ff00000u));
	bool above = m > (1.4142135623730951lf);
	m = m * (above ? 0.5lf : 1.0lf);
	e = e + (above ? 1.0lf : 0.0lf);
	precise double less = m - 1.0lf, more = m + 1.0lf;
	precise double s = less / more;
	precise double z = s * s;
	precise double p = (0.16972882833987804lf);
	p = p * z;
	p = p + (0.19235933878519512lf);
	p = p * z;
	p = p + (0.22195308321368667lf);
	p = p * z;
	p = p + (0.26230818925253879lf);
	p = p * z;
	p = p + (0.3205988979753252lf);
	p = p * z;
	p = p + (0.41219858311113239lf);
	p = p * z;
	p = p + (0.57707801635558531lf);
	p = p * z;
	p = p + (0.96179669392597555lf);
	p = p * z;
	p = p + (2.8853900817779268lf);
	precise double l = p * s;
	l = l + e;
	double infinity = packDouble2x32(uvec2(0u, 0x7ff00000u));
	l = a == 0.0lf ? -infinity : a == infinity ? infinity : l;
	precise double t = l * exponent;
	t = l == 0.0lf ? 0.0lf : max(min(t, (200.0lf)), (-200.0lf));
	precise double k = t + 0.5lf;
	k = floor(k);
	precise double f = t - k;
	precise double q = (7.0549116208011234e-09lf);
	q = q * f;
	q = q + (1.01780860092397e-07lf);
	q = q * f;
	q = q + (1.321548679014431e-06lf);
	q = q * f;
	q = q + (1.5252733804059841e-05lf);
	q = q * f;
	q = q + (0.00015403530393381609lf);
	q = q * f;
	q = q + (0.0013333558146428443lf);
	q = q * f;
	q = q + (0.0096181291076284769lf);
	q = q * f;
	q = q + (0.055504108664821583lf);
	q = q * f;
	q = q + (0.24022650695910072lf);
	q = q * f;
	q = q + (0.69314718055994529lf);
	q = q * f;
	q = q + (1.0lf);
	q = q * packDouble2x32(uvec2(0u, uint(int(k) + 1023) << 20));
	precise double steps = q * (7.1362384635297994e+44lf);
	float size = q < (1.1754943508222875e-38lf) ? uintBitsToFloat(uint(roundEven(steps))) : q >= (3.4028235677973366e+38lf) ? uintBitsToFloat(0x7f800000u) : float(q);
	bool whole = floor(y) == y, odd = whole && floor(0.5 * y) != 0.5 * y;
	uint sign = odd ? floatBitsToUint(x) & 0x80000000u : 0u;
	bool broken = isnan(x) || isnan(y) || x < 0.0 && !isinf(x) && !whole;
	return y == 0.0 || x == 1.0 ? 1.0 : broken ? uintBitsToFloat(0x7fc00000u) : uintBitsToFloat(floatBitsToUint(size) | sign);
}

float voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise float v0 = float(load0(at0));
	precise float v1 = (0.0);
	precise float v2 = isnan(v0) ? v0 : isnan(v1) ? v1 : max(v0, v1);
	precise float v3 = v2 / (1.0);
	precise float v4 = (0.45);
	precise float v5 = power(v3, v4);
	precise float v6 = (1.0) * v5;
	return v6;
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
