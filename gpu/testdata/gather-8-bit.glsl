#version 430
// gather voxels of 8 bits
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Block { uint result[]; };
layout(std430, binding = 1) readonly buffer Part { uint words[]; };
layout(std430, binding = 2) readonly buffer Fold { int fold[]; };
layout(location = 0) uniform int size[5];
layout(location = 5) uniform int first[5];
layout(location = 10) uniform int span[5];
layout(location = 15) uniform int low[5];
layout(location = 20) uniform int length[5];
layout(location = 25) uniform int skip;

void main() {
	int id = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	int most = (span[4] + 4 - 2) / 4 + 1;
	int row = id / most;
	if (row >= span[0] * span[1] * span[2] * span[3]) return;
	int base = 0, from = 0, stride = size[4], pitch = length[4], rest = row;
	int before = size[0] + size[1] + size[2];
	for (int a = 3; a >= 0; a--) {
		int at = first[a] + rest % span[a];
		int i = fold[before + at] - low[a];
		if (i < 0 || i >= length[a]) return;
		base += at * stride;
		from += i * pitch;
		rest /= span[a];
		stride *= size[a];
		pitch *= length[a];
		before -= a > 0 ? size[a - 1] : 0;
	}
	from -= skip;
	int start = base + first[4], stop = start + span[4], columns = size[0] + size[1] + size[2] + size[3];
	int word = start / 4 + id % most;
	uint bits = 0u, mask = 0u;
	for (int k = 0; k < 4; k++) {
		int at = word * 4 + k;
		if (at < start || at >= stop) continue;
		int i = fold[columns + at - base] - low[4];
		if (i < 0 || i >= length[4]) continue;
		bits |= bitfieldExtract(words[(from + i) / 4], (from + i) % 4 * 8, 8) << (k * 8);
		mask |= 0xffu << (k * 8);
	}
	if (mask == 0u) return;
	if (mask == 0xffffffffu) {
		result[word] = bits;
		return;
	}
	atomicAnd(result[word], ~mask);
	atomicOr(result[word], bits);
}
