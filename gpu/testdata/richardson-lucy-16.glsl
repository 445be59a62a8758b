#version 430
// an estimate moved on
layout(local_size_x = 64) in;
layout(location = 0) uniform int n[16];
layout(std430, binding = 0) buffer Estimate { float estimate[]; };
layout(std430, binding = 1) buffer Before { float before[]; };
layout(std430, binding = 2) readonly buffer Pace { float pace[]; };

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	float u = estimate[id];
	estimate[id] = max(0.0, u + pace[0] * (u - before[id]));
	before[id] = u;
}
