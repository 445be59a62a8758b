#version 430
// the block of an estimate
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Block { float block[]; };
layout(std430, binding = 1) readonly buffer Estimate { float estimate[]; };
layout(location = 0) uniform int n[16];

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	int z = id / (n[1] * n[2]) + n[3], y = id / n[2] % n[1] + n[4], x = id % n[2] + n[5];
	block[id] = estimate[(z * n[6] + y) * n[7] + x] * intBitsToFloat(n[8]);
}
