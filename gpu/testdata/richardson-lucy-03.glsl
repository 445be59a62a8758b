#version 430
// the number that the estimate begins with, and the largest of the data
layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) readonly buffer Sums { float sums[]; };
layout(location = 0) uniform int n[3];

void main() {
	int at = 3 * n[0];
	bool given = intBitsToFloat(n[2]) != 0.0;
	numbers[0] = given ? intBitsToFloat(n[1]) : sums[at] / max(1.0, sums[at + 1]);
	numbers[1] = sums[at + 2];
}
