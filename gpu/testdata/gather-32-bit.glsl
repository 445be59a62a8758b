#version 430
// gather voxels of 32 bits
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Block { uint result[]; };
layout(std430, binding = 1) readonly buffer Part { uint words[]; };
layout(std430, binding = 2) readonly buffer Fold { int fold[]; };
layout(location = 0) uniform int size[5];
layout(location = 5) uniform int low[5];
layout(location = 10) uniform int length[5];
layout(location = 15) uniform int total;
layout(location = 16) uniform int skip;

void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	if (word >= (total + 1 - 1) / 1) return;
	uint bits = result[word];
	for (int k = 0; k < 1; k++) {
		int at = word * 1 + k;
		if (at >= total) break;
		int before = size[0] + size[1] + size[2] + size[3];
		int from = 0, stride = 1;
		bool held = true;
		for (int a = 4; a >= 0; a--) {
			int i = fold[before + at % size[a]] - low[a];
			held = held && i >= 0 && i < length[a];
			from += i * stride;
			stride *= length[a];
			at /= size[a];
			before -= a > 0 ? size[a - 1] : 0;
		}
		if (!held) continue;
		from -= skip;
		uint v = words[from];
		bits = v;
	}
	result[word] = bits;
}
