package gpu

import (
	"encoding/binary"
	"fmt"
	"strings"

	"lamella/lazy"
)

// gatherText is the shader that copies the voxels of one part into a block that is gathered, the border
// included, for voxels of so many bytes. It looks at the rows of a box of the block, all that the part can
// fill. One invocation writes what lies in one row and in one word; a word that two rows share is changed by
// both, each its own bits.
//
// Buffer 0 is the block, buffer 1 the part from one of its voxels on, buffer 2 says for each index of the
// block, along T, Z, C, Y and X in turn, which index of the array stands there, or -1. Uniforms, by location:
//
//	0      int[5]: lengths of the block
//	5, 10  int[5]: least index of the box in the block, and its lengths
//	15, 20 int[5]: least index of the part in the array, and its lengths
//	25     int: voxels of the part before the first of buffer 1
func gatherText(size int) string {
	per := 4 / size
	read := "words[from + i]"
	write := "result[word] = bits;"
	if per > 1 {
		read = fmt.Sprintf("bitfieldExtract(words[(from + i) / %[1]d], (from + i) %% %[1]d * %[2]d, %[2]d)", per, 8*size)
		write = `if (mask == 0xffffffffu) {
		result[word] = bits;
		return;
	}
	atomicAnd(result[word], ~mask);
	atomicOr(result[word], bits);`
	}
	return fmt.Sprintf(`#version 430
// gather voxels of %[5]d bits
layout(local_size_x = %[4]d) in;
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
	int most = (span[4] + %[1]d - 2) / %[1]d + 1;
	int row = id / most;
	if (row >= span[0] * span[1] * span[2] * span[3]) return;
	int base = 0, from = 0, stride = size[4], pitch = length[4], rest = row;
	int before = size[0] + size[1] + size[2];
	for (int a = 3; a >= 0; a--) {
		int at = first[a] + rest %% span[a];
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
	int word = start / %[1]d + id %% most;
	uint bits = 0u, mask = 0u;
	for (int k = 0; k < %[1]d; k++) {
		int at = word * %[1]d + k;
		if (at < start || at >= stop) continue;
		int i = fold[columns + at - base] - low[4];
		if (i < 0 || i >= length[4]) continue;
		bits |= %[2]s << (k * %[6]d);
		mask |= %[7]s << (k * %[6]d);
	}
	if (mask == 0u) return;
	%[3]s
}
`, per, read, write, groupSize, 8*size, 8*size%32, fmt.Sprintf("0x%xu", uint64(1)<<(8*size)-1))
}

// blankText is the shader that sets to 0 what lies outside a box of a block of voxels of so many bytes:
// where a stencil would look beyond the edge of the image. Buffer 0 is the block. Uniforms, by location:
//
//	0      int[5]: lengths of the block
//	5, 10  int[5]: least index of the box in it, and one beyond the greatest
//	15     int: voxels of the block
func blankText(size int) string {
	per := 4 / size
	clear := "bits = 0u;"
	if per > 1 {
		clear = fmt.Sprintf("bits = bitfieldInsert(bits, 0u, k * %[1]d, %[1]d);", 8*size)
	}
	return fmt.Sprintf(`#version 430
// blank voxels of %[5]d bits
layout(local_size_x = %[4]d) in;
layout(std430, binding = 0) buffer Block { uint result[]; };
layout(location = 0) uniform int size[5];
layout(location = 5) uniform int low[5];
layout(location = 10) uniform int high[5];
layout(location = 15) uniform int total;

void main() {
	int word = int(gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x);
	if (word >= (total + %[2]d - 1) / %[2]d) return;
	uint bits = result[word];
	for (int k = 0; k < %[2]d; k++) {
		int at = word * %[2]d + k;
		if (at >= total) break;
		bool inside = true;
		for (int a = 4; a >= 0; a--) {
			int i = at %% size[a];
			inside = inside && i >= low[a] && i < high[a];
			at /= size[a];
		}
		if (!inside) %[3]s
	}
	result[word] = bits;
}
`, size, per, clear, groupSize, 8*size)
}

// groupSize is local_size_x of every shader, and maxGroups the groups along x that every device takes.
const (
	groupSize = 64
	maxGroups = 65535
)

// folds is which index of the array stands at each index of a block, one axis after another, and whether the
// rule gives a value instead of a voxel anywhere.
func folds(r lazy.Region, s lazy.Shape, b lazy.Border) (fold []int32, outside bool) {
	for a := range lazy.Rank {
		for i := r.Min[a]; i < r.Max[a]; i++ {
			f := b.Fold(i, s[a])
			fold = append(fold, int32(f))
			outside = outside || f < 0
		}
	}
	return fold, outside
}

// seen is the box of a block that is filled from a part, counted from the block's first voxel, and the box of
// the part that it is filled from; any says whether there is one.
func seen(part, r lazy.Region, fold []int32) (to, from lazy.Region, any bool) {
	for a := range lazy.Rank {
		n := r.Len(lazy.Axis(a))
		from.Min[a], from.Max[a] = part.Max[a], part.Min[a]
		to.Min[a], to.Max[a] = n, 0
		for i, f := range fold[:n] {
			if int(f) >= part.Min[a] && int(f) < part.Max[a] {
				from.Min[a], from.Max[a] = min(from.Min[a], int(f)), max(from.Max[a], int(f)+1)
				to.Min[a], to.Max[a] = min(to.Min[a], i), i+1
			}
		}
		fold = fold[n:]
	}
	return to, from, !from.Empty()
}

// A span is the voxels of a block, in storage order, that hold a box of it.
type span struct{ from, to int }

func spanOf(block, box lazy.Region) span {
	last := box.Max
	for a := range last {
		last[a]--
	}
	return span{offset(block, box.Min), offset(block, last) + 1}
}

// offset is the position in storage order of a voxel in a block of region r.
func offset(r lazy.Region, i lazy.Index) int {
	n := 0
	for a := range lazy.Rank {
		n = n*r.Len(lazy.Axis(a)) + i[a] - r.Min[a]
	}
	return n
}

// strides is the distance in voxels between neighbours in a block of region r.
func strides(r lazy.Region) (s lazy.Index) {
	n := 1
	for a := lazy.Rank - 1; a >= 0; a-- {
		s[a] = n
		n *= r.Len(lazy.Axis(a))
	}
	return s
}

// word is a voxel's value, as often as it fits into 32 bits.
func word(v float64, d lazy.DType) uint32 {
	one := lazy.NewBlock(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 4}), d)
	lazy.Fill(one, v)
	return binary.NativeEndian.Uint32(one.Bytes())
}

// shape32 and index32 are five numbers as a shader takes them.
func shape32(r lazy.Region) [lazy.Rank]int32 { return index32(lazy.Index(r.Shape())) }

func index32(i lazy.Index) (n [lazy.Rank]int32) {
	for a := range i {
		n[a] = int32(i[a])
	}
	return n
}

func firstLine(log string) string {
	log, _, _ = strings.Cut(strings.Trim(log, "\x00\n"), "\n")
	return log
}
