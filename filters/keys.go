package filters

import (
	"math"

	"lamella/lazy"
)

// Real numbers are ordered by keys: their bits as an integer, of which those below the sign count the other way
// for negative numbers. One NaN stands for all, above every number.

// keyed runs a computation whose result is whole numbers: those of dst, or keys of real numbers, which become
// the numbers in place.
func keyed(dst *lazy.Block, compute func(dst *lazy.Block) error) error {
	switch dst.DType {
	case lazy.F32:
		out := lazy.NewBlockIn(dst.Memory(), dst.Region, lazy.I32)
		err := compute(out)
		numbers32(lazy.View[int32](out))
		return err
	case lazy.F64:
		out := lazy.NewBlockIn(dst.Memory(), dst.Region, lazy.I64)
		err := compute(out)
		bits := lazy.View[int64](out)
		for i, v := range bits {
			bits[i] = v ^ v>>63&math.MaxInt64
		}
		return err
	}
	return compute(dst)
}

// keys32 makes keys of every stride-th of the values.
func keys32(keys []int32, values []float32, stride int) {
	if stride == 1 {
		keyRow32(keys, values)
		return
	}
	for i := range keys {
		keys[i] = key32(values[i*stride])
	}
}

// These do it for a row, and make numbers of keys in place. A file for one processor may put faster ones in.
var (
	keyRow32  = plainKeys32
	numbers32 = plainNumbers32
)

func plainKeys32(keys []int32, values []float32) {
	for i, v := range values[:len(keys)] {
		keys[i] = key32(v)
	}
}

func plainNumbers32(keys []int32) {
	for i, v := range keys {
		keys[i] = v ^ v>>31&math.MaxInt32
	}
}

func key32(v float32) int32 {
	if v != v {
		return 0x7fc00000
	}
	b := int32(math.Float32bits(v))
	return b ^ b>>31&math.MaxInt32
}

func keys64(keys []int64, values []float64, stride int) {
	if stride == 1 {
		for i, v := range values[:len(keys)] {
			keys[i] = key64(v)
		}
		return
	}
	for i := range keys {
		keys[i] = key64(values[i*stride])
	}
}

func key64(v float64) int64 {
	if v != v {
		return 0x7ff8 << 48
	}
	b := int64(math.Float64bits(v))
	return b ^ b>>63&math.MaxInt64
}
