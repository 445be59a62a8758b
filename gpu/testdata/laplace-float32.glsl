#version 430
// laplace of [float32] to float32
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
	precise float v0 = float(load0(at0 + (-1) * stride0.y));
	precise float v1 = (1.0) * v0;
	precise float v2 = float(load0(at0));
	precise float v3 = (-2.0) * v2;
	precise float v4 = v1 + v3;
	precise float v5 = float(load0(at0 + (1) * stride0.y));
	precise float v6 = (1.0) * v5;
	precise float v7 = v4 + v6;
	precise float v8 = float(load0(at0 + (-1) * stride0.w));
	precise float v9 = (1.0) * v8;
	precise float v10 = float(load0(at0));
	precise float v11 = (-2.0) * v10;
	precise float v12 = v9 + v11;
	precise float v13 = float(load0(at0 + (1) * stride0.w));
	precise float v14 = (1.0) * v13;
	precise float v15 = v12 + v14;
	precise float v16 = v7 + v15;
	precise float v17 = float(load0(at0 + (-1)));
	precise float v18 = (1.0) * v17;
	precise float v19 = float(load0(at0));
	precise float v20 = (-2.0) * v19;
	precise float v21 = v18 + v20;
	precise float v22 = float(load0(at0 + (1)));
	precise float v23 = (1.0) * v22;
	precise float v24 = v21 + v23;
	precise float v25 = v16 + v24;
	return v25;
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
