#version 430
// blank voxels of 8 bits
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Block { uint result[]; };
layout(location = 0) uniform int size[5];
layout(location = 5) uniform int low[5];
layout(location = 10) uniform int high[5];
layout(location = 15) uniform int total;

void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	if (word >= (total + 4 - 1) / 4) return;
	uint bits = result[word];
	for (int k = 0; k < 4; k++) {
		int at = word * 4 + k;
		if (at >= total) break;
		bool inside = true;
		for (int a = 4; a >= 0; a--) {
			int i = at % size[a];
			inside = inside && i >= low[a] && i < high[a];
			at /= size[a];
		}
		if (!inside) bits = bitfieldInsert(bits, 0u, k * 8, 8);
	}
	result[word] = bits;
}
