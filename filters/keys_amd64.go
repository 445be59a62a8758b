//go:build goexperiment.simd && amd64 && !go1.27

package filters

import (
	"math"
	"simd/archsimd"
)

// turnedBits has the bits below the sign counting the other way for negative numbers.
func turnedBits(v archsimd.Int32x8) archsimd.Int32x8 {
	return v.Xor(v.ShiftAllRight(31).And(archsimd.BroadcastInt32x8(math.MaxInt32)))
}

// keysOf is the keys of eight numbers.
func keysOf(values []float32) archsimd.Int32x8 {
	v := archsimd.LoadFloat32x8((*[8]float32)(values))
	return turnedBits(v.AsInt32x8()).Merge(archsimd.BroadcastInt32x8(0x7fc00000), v.Equal(v))
}

//go:noinline
func keysAVX(keys []int32, values []float32) {
	values = values[:len(keys)]
	for len(keys) >= 16 && len(values) >= 16 {
		keysOf(values).Store((*[8]int32)(keys))
		keysOf(values[8:]).Store((*[8]int32)(keys[8:]))
		keys, values = keys[16:], values[16:]
	}
	archsimd.ClearAVXUpperBits()
	plainKeys32(keys, values)
}

//go:noinline
func numbersAVX(keys []int32) {
	for len(keys) >= 16 {
		turnedBits(archsimd.LoadInt32x8((*[8]int32)(keys))).Store((*[8]int32)(keys))
		turnedBits(archsimd.LoadInt32x8((*[8]int32)(keys[8:]))).Store((*[8]int32)(keys[8:]))
		keys = keys[16:]
	}
	archsimd.ClearAVXUpperBits()
	plainNumbers32(keys)
}
