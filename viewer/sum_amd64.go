//go:build goexperiment.simd && amd64 && !go1.27

package viewer

import "simd/archsimd"

var vectors = archsimd.X86.AVX2()

// addVectors adds eight colours at a time, and gives how many it has added.
//
//go:noinline
func addVectors(row []byte, colors []uint32) int {
	if !vectors {
		return 0
	}
	n := len(colors) &^ 7
	for len(row) >= 32 && len(colors) >= 8 {
		p := (*[32]uint8)(row)
		c := archsimd.LoadUint32x8((*[8]uint32)(colors)).AsUint8x32()
		archsimd.LoadUint8x32(p).AddSaturated(c).Store(p)
		row, colors = row[32:], colors[8:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(colors)&^7
}
