#version 430
// voxels as real numbers
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Data { float data[]; };
layout(std430, binding = 1) readonly buffer Image { uint words[]; };
layout(location = 0) uniform int n[16];

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	data[id] = float(bitfieldExtract(words[id / 2], id % 2 * 16, 16));
}
