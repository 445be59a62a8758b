#version 430
// a step and the one before, by rows
layout(local_size_x = 64) in;
layout(location = 0) uniform int n[16];
layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };
layout(std430, binding = 1) buffer Step { float step[]; };
layout(std430, binding = 2) readonly buffer Moved { float moved[]; };

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	float along = 0.0, squares = 0.0;
	for (int i = 0; i < n[1]; i++) {
		float s = moved[id * n[1] + i];
		along += s * step[id * n[1] + i];
		squares += s * s;
		step[id * n[1] + i] = s;
	}
	sums[2 * id] = along;
	sums[2 * id + 1] = squares;
}
