#version 430
// a step and the one before, by planes
layout(local_size_x = 64) in;
layout(location = 0) uniform int n[16];
layout(std430, binding = 0) buffer Sums { float sums[]; };

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	float along = 0.0, squares = 0.0;
	for (int i = 0; i < n[1]; i++) {
		along += sums[2 * (id * n[1] + i)];
		squares += sums[2 * (id * n[1] + i) + 1];
	}
	sums[2 * (n[2] + id)] = along;
	sums[2 * (n[2] + id) + 1] = squares;
}
