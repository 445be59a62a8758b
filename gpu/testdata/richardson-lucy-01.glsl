#version 430
// sums of rows
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };
layout(std430, binding = 1) readonly buffer Data { float data[]; };
layout(location = 0) uniform int n[16];

void main() {
	int id = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x);
	if (id >= n[0]) return;
	float sum = 0.0, count = 0.0, peak = 0.0;
	for (int i = 0; i < n[1]; i++) {
		float v = data[id * n[1] + i];
		if (v <= 3.40282347e38 && v >= -3.40282347e38) {
			sum += max(0.0, v);
			peak = max(peak, v);
			count += 1.0;
		}
	}
	sums[3 * id] = sum;
	sums[3 * id + 1] = count;
	sums[3 * id + 2] = peak;
}
