#version 430
// sums of sums
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Sums { float sums[]; };
layout(location = 0) uniform int n[16];

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	float sum = 0.0, count = 0.0, peak = 0.0;
	for (int i = 0; i < n[1]; i++) {
		int at = 3 * (n[2] + id * n[1] + i);
		sum += sums[at];
		count += sums[at + 1];
		peak = max(peak, sums[at + 2]);
	}
	int to = 3 * (n[3] + id);
	sums[to] = sum;
	sums[to + 1] = count;
	sums[to + 2] = peak;
}
