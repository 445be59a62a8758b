#version 430
// stencil of [int8] to int8
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Output { uint result[]; };
layout(location = 0) uniform ivec4 size;
layout(location = 1) uniform ivec2 zc;
layout(std430, binding = 1) readonly buffer Input0 { uint words0[]; };
layout(location = 2) uniform ivec4 stride0;
layout(location = 3) uniform int origin0;
int load0(int i) { return bitfieldExtract(int(words0[i >> 2]), (i & 3) * 8, 8); }

int voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise int v0 = int(load0(at0 + (1)));
	precise int v1 = int(load0(at0));
	precise int v2 = v0 < v1 ? 1 : 0;
	precise int v3 = int(load0(at0 + (1) * stride0.y));
	precise int v4 = min(v1, v3);
	precise int v5 = 7;
	precise int v6 = v5 == 0 ? 0 : abs(v4) / max(abs(v5), 1);
	precise int v7 = abs(v4) - v6 * abs(v5);
	precise int v8 = ((v4 < 0) != (v5 < 0)) ? (v7 != 0 ? -v6 - 1 : -v6) : v6;
	precise int v9 = v5 == 0 ? 0 : v8;
	precise int v10 = v5 == 0 ? 0 : v4 - v9 * v5;
	precise int v11 = -1 * v1;
	precise int v12 = 5;
	precise int v13 = v12 == 0 ? 0 : abs(v11) / max(abs(v12), 1);
	precise int v14 = abs(v11) - v13 * abs(v12);
	precise int v15 = ((v11 < 0) != (v12 < 0)) ? (v14 != 0 ? -v13 - 1 : -v13) : v13;
	precise int v16 = v12 == 0 ? 0 : v15;
	precise int v17 = v2 != 0 ? v10 : v16;
	return v17;
}

void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	uint bits = 0u;
	for (int k = 0; k < 4; k++) {
		int i = word * 4 + k;
		if (i >= size.w) break;
		int x = i % size.z, row = i / size.z;
		int y = row % size.y, plane = row / size.y;
		int c = plane % zc.y, z = plane / zc.y % zc.x, t = plane / zc.y / zc.x;
		int v = voxel(t, z, c, y, x);
		bits |= (uint(clamp(v, -128, 127)) & 0xffu) << (k * 8);
	}
	if (word * 4 < size.w) result[word] = bits;
}
