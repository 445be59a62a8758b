#version 430
// gaussian x of [float32] to uint16
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Output { uint result[]; };
layout(location = 0) uniform ivec4 size;
layout(location = 1) uniform ivec2 zc;
layout(std430, binding = 1) readonly buffer Input0 { uint words0[]; };
layout(location = 2) uniform ivec4 stride0;
layout(location = 3) uniform int origin0;
float load0(int i) { return uintBitsToFloat(words0[i]); }

float voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise float v0 = float(load0(at0));
	precise float v1 = (0.7865707) * v0;
	precise float v2 = float(load0(at0 + (-1)));
	precise float v3 = float(load0(at0 + (1)));
	precise float v4 = v2 + v3;
	precise float v5 = (0.106450774) * v4;
	precise float v6 = v1 + v5;
	precise float v7 = float(load0(at0 + (-2)));
	precise float v8 = float(load0(at0 + (2)));
	precise float v9 = v7 + v8;
	precise float v10 = (0.00026386508) * v9;
	precise float v11 = v6 + v10;
	return v11;
}

void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	uint bits = 0u;
	for (int k = 0; k < 2; k++) {
		int i = word * 2 + k;
		if (i >= size.w) break;
		int x = i % size.z, row = i / size.z;
		int y = row % size.y, plane = row / size.y;
		int c = plane % zc.y, z = plane / zc.y % zc.x, t = plane / zc.y / zc.x;
		float v = voxel(t, z, c, y, x);
		bits |= (uint(int(clamp(sign(v) * (floor(abs(v)) + (abs(v) - floor(abs(v)) >= 0.5 ? 1.0 : 0.0)), (0.0), (65535.0)))) & 0xffffu) << (k * 16);
	}
	if (word * 2 < size.w) result[word] = bits;
}
