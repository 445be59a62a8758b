#version 430
// difference of [uint16 uint8] to uint16
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Output { uint result[]; };
layout(location = 0) uniform ivec4 size;
layout(location = 1) uniform ivec2 zc;
layout(std430, binding = 1) readonly buffer Input0 { uint words0[]; };
layout(location = 2) uniform ivec4 stride0;
layout(location = 3) uniform int origin0;
uint load0(int i) { return bitfieldExtract(words0[i >> 1], (i & 1) * 16, 16); }
layout(std430, binding = 2) readonly buffer Input1 { uint words1[]; };
layout(location = 4) uniform ivec4 stride1;
layout(location = 5) uniform int origin1;
uint load1(int i) { return bitfieldExtract(words1[i >> 2], (i & 3) * 8, 8); }

int voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	int at1 = origin1 + t * stride1.x + z * stride1.y + c * stride1.z + y * stride1.w + x;
	precise int v0 = int(load1(at1));
	precise int v1 = 1 * v0;
	precise int v2 = int(load0(at0 + (-1) * stride0.y));
	precise int v3 = -1 * v2;
	precise int v4 = v1 + v3;
	return v4;
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
		int v = voxel(t, z, c, y, x);
		bits |= (uint(clamp(v, 0, 65535)) & 0xffffu) << (k * 16);
	}
	if (word * 2 < size.w) result[word] = bits;
}
