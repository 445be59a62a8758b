#version 430
// an estimate that is the same everywhere
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Estimate { float estimate[]; };
layout(std430, binding = 2) readonly buffer Numbers { float numbers[]; };
layout(location = 0) uniform int n[16];

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	estimate[id] = numbers[0];
}
