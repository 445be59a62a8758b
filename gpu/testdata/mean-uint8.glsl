#version 430
// mean yx of [int16] to uint8
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Output { uint result[]; };
layout(location = 0) uniform ivec4 size;
layout(location = 1) uniform ivec2 zc;
layout(std430, binding = 1) readonly buffer Input0 { uint words0[]; };
layout(location = 2) uniform ivec4 stride0;
layout(location = 3) uniform int origin0;
int load0(int i) { return bitfieldExtract(int(words0[i >> 1]), (i & 1) * 16, 16); }

int voxel(int t, int z, int c, int y, int x) {
	int at0 = origin0 + t * stride0.x + z * stride0.y + c * stride0.z + y * stride0.w + x;
	precise int v0 = int(load0(at0 + (-1) * stride0.w + (-1)));
	precise int v1 = int(load0(at0 + (-1)));
	precise int v2 = v0 + v1;
	precise int v3 = int(load0(at0 + (1) * stride0.w + (-1)));
	precise int v4 = v2 + v3;
	precise int v5 = int(load0(at0 + (-1) * stride0.w));
	precise int v6 = int(load0(at0));
	precise int v7 = v5 + v6;
	precise int v8 = int(load0(at0 + (1) * stride0.w));
	precise int v9 = v7 + v8;
	precise int v10 = v4 + v9;
	precise int v11 = int(load0(at0 + (-1) * stride0.w + (1)));
	precise int v12 = int(load0(at0 + (1)));
	precise int v13 = v11 + v12;
	precise int v14 = int(load0(at0 + (1) * stride0.w + (1)));
	precise int v15 = v13 + v14;
	precise int v16 = v10 + v15;
	precise int v17 = sign(v16) * ((abs(v16) + 13) / 27);
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
		bits |= (uint(clamp(v, 0, 255)) & 0xffu) << (k * 8);
	}
	if (word * 4 < size.w) result[word] = bits;
}
