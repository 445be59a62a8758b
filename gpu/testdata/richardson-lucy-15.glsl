#version 430
// an estimate that has not moved
layout(local_size_x = 64) in;
layout(location = 0) uniform int n[16];
layout(std430, binding = 0) writeonly buffer Before { float before[]; };
layout(std430, binding = 1) writeonly buffer Step { float step[]; };
layout(std430, binding = 2) readonly buffer Estimate { float estimate[]; };

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	before[id] = estimate[id];
	step[id] = 0.0;
}
