#version 430
// stencil of [uint8] to uint8
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Output { uint result[]; };
layout(location = 0) uniform ivec4 size;
layout(location = 1) uniform ivec2 zc;
layout(std430, binding = 1) readonly buffer Input0 { uint words0[]; };
layout(location = 2) uniform ivec4 stride0;
layout(location = 3) uniform int origin0;
uint load0(int i) { return bitfieldExtract(words0[i >> 2], (i & 3) * 8, 8); }

int voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise int v0 = int(load0(at0 + (-1) * stride0.w + (-1)));
	precise int v1 = int(load0(at0 + (-1) * stride0.w));
	precise int v2 = v0 + v1;
	precise int v3 = int(load0(at0 + (-1) * stride0.w + (1)));
	precise int v4 = v2 + v3;
	precise int v5 = int(load0(at0 + (-1)));
	precise int v6 = v4 + v5;
	precise int v7 = int(load0(at0));
	precise int v8 = v6 + v7;
	precise int v9 = int(load0(at0 + (1)));
	precise int v10 = v8 + v9;
	precise int v11 = int(load0(at0 + (1) * stride0.w + (-1)));
	precise int v12 = v10 + v11;
	precise int v13 = int(load0(at0 + (1) * stride0.w));
	precise int v14 = v12 + v13;
	precise int v15 = int(load0(at0 + (1) * stride0.w + (1)));
	precise int v16 = v14 + v15;
	precise int v17 = 9;
	precise int v18 = v17 == 0 ? 0 : abs(v16) / max(abs(v17), 1);
	precise int v19 = abs(v16) - v18 * abs(v17);
	precise int v20 = ((v16 < 0) != (v17 < 0)) ? (v19 != 0 ? -v18 - 1 : -v18) : v18;
	precise int v21 = v17 == 0 ? 0 : v20;
	return v21;
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
		bits |= (uint(clamp(v, 0, 255)) & 0xffu) << (k * 8);
	}
	if (word * 4 < size.w) result[word] = bits;
}
