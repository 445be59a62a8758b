#version 430
// threshold of [float32] to uint8
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
	precise float v0 = (20.5);
	precise float v1 = float(load0(at0));
	precise float v2 = v0 < v1 ? (1.0) : (0.0);
	return v2;
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
		float v = voxel(t, z, c, y, x);
		bits |= (uint(int(clamp(sign(v) * (floor(abs(v)) + (abs(v) - floor(abs(v)) >= 0.5 ? 1.0 : 0.0)), (0.0), (255.0)))) & 0xffu) << (k * 8);
	}
	if (word * 4 < size.w) result[word] = bits;
}
