//go:build goexperiment.simd && amd64 && !go1.27

package filters

import "simd/archsimd"

// Loops for processors with AVX2: the lesser and the greater of 64 bytes at a time. Each is a leaf function over
// one row; what is left over at its end is done by the plain loops.

func init() {
	if !archsimd.X86.AVX2() {
		return
	}
	orderU8 = order[uint8]{exchangeU8, lesserU8, greaterU8}
	orderU16 = order[uint16]{exchangeU16, lesserU16, greaterU16}
	orderI16 = order[int16]{exchangeI16, lesserI16, greaterI16}
	orderI32 = order[int32]{exchangeI32, lesserI32, greaterI32}
	orderI8 = order[int8]{exchangeI8, lesserI8, greaterI8}
	keyRow32, numbers32 = keysAVX, numbersAVX
}

func loadU8(s []uint8) archsimd.Uint8x32      { return archsimd.LoadUint8x32((*[32]uint8)(s)) }
func saveU8(v archsimd.Uint8x32, dst []uint8) { v.Store((*[32]uint8)(dst)) }

//go:noinline
func exchangeU8(lo, hi, a, b []uint8) {
	for len(lo) >= 64 && len(hi) >= 64 && len(a) >= 64 && len(b) >= 64 {
		x, y, v, w := loadU8(a), loadU8(b), loadU8(a[32:]), loadU8(b[32:])
		saveU8(x.Min(y), lo)
		saveU8(x.Max(y), hi)
		saveU8(v.Min(w), lo[32:])
		saveU8(v.Max(w), hi[32:])
		lo, hi, a, b = lo[64:], hi[64:], a[64:], b[64:]
	}
	archsimd.ClearAVXUpperBits()
	exchangeRows(lo, hi, a, b)
}

//go:noinline
func lesserU8(lo, a, b []uint8) {
	for len(lo) >= 64 && len(a) >= 64 && len(b) >= 64 {
		x, y, v, w := loadU8(a), loadU8(b), loadU8(a[32:]), loadU8(b[32:])
		saveU8(x.Min(y), lo)
		saveU8(v.Min(w), lo[32:])
		lo, a, b = lo[64:], a[64:], b[64:]
	}
	archsimd.ClearAVXUpperBits()
	lesserRow(lo, a, b)
}

//go:noinline
func greaterU8(hi, a, b []uint8) {
	for len(hi) >= 64 && len(a) >= 64 && len(b) >= 64 {
		x, y, v, w := loadU8(a), loadU8(b), loadU8(a[32:]), loadU8(b[32:])
		saveU8(x.Max(y), hi)
		saveU8(v.Max(w), hi[32:])
		hi, a, b = hi[64:], a[64:], b[64:]
	}
	archsimd.ClearAVXUpperBits()
	greaterRow(hi, a, b)
}

func loadU16(s []uint16) archsimd.Uint16x16      { return archsimd.LoadUint16x16((*[16]uint16)(s)) }
func saveU16(v archsimd.Uint16x16, dst []uint16) { v.Store((*[16]uint16)(dst)) }

//go:noinline
func exchangeU16(lo, hi, a, b []uint16) {
	for len(lo) >= 32 && len(hi) >= 32 && len(a) >= 32 && len(b) >= 32 {
		x, y, v, w := loadU16(a), loadU16(b), loadU16(a[16:]), loadU16(b[16:])
		saveU16(x.Min(y), lo)
		saveU16(x.Max(y), hi)
		saveU16(v.Min(w), lo[16:])
		saveU16(v.Max(w), hi[16:])
		lo, hi, a, b = lo[32:], hi[32:], a[32:], b[32:]
	}
	archsimd.ClearAVXUpperBits()
	exchangeRows(lo, hi, a, b)
}

//go:noinline
func lesserU16(lo, a, b []uint16) {
	for len(lo) >= 32 && len(a) >= 32 && len(b) >= 32 {
		x, y, v, w := loadU16(a), loadU16(b), loadU16(a[16:]), loadU16(b[16:])
		saveU16(x.Min(y), lo)
		saveU16(v.Min(w), lo[16:])
		lo, a, b = lo[32:], a[32:], b[32:]
	}
	archsimd.ClearAVXUpperBits()
	lesserRow(lo, a, b)
}

//go:noinline
func greaterU16(hi, a, b []uint16) {
	for len(hi) >= 32 && len(a) >= 32 && len(b) >= 32 {
		x, y, v, w := loadU16(a), loadU16(b), loadU16(a[16:]), loadU16(b[16:])
		saveU16(x.Max(y), hi)
		saveU16(v.Max(w), hi[16:])
		hi, a, b = hi[32:], a[32:], b[32:]
	}
	archsimd.ClearAVXUpperBits()
	greaterRow(hi, a, b)
}

func loadI16(s []int16) archsimd.Int16x16      { return archsimd.LoadInt16x16((*[16]int16)(s)) }
func saveI16(v archsimd.Int16x16, dst []int16) { v.Store((*[16]int16)(dst)) }

//go:noinline
func exchangeI16(lo, hi, a, b []int16) {
	for len(lo) >= 32 && len(hi) >= 32 && len(a) >= 32 && len(b) >= 32 {
		x, y, v, w := loadI16(a), loadI16(b), loadI16(a[16:]), loadI16(b[16:])
		saveI16(x.Min(y), lo)
		saveI16(x.Max(y), hi)
		saveI16(v.Min(w), lo[16:])
		saveI16(v.Max(w), hi[16:])
		lo, hi, a, b = lo[32:], hi[32:], a[32:], b[32:]
	}
	archsimd.ClearAVXUpperBits()
	exchangeRows(lo, hi, a, b)
}

//go:noinline
func lesserI16(lo, a, b []int16) {
	for len(lo) >= 32 && len(a) >= 32 && len(b) >= 32 {
		x, y, v, w := loadI16(a), loadI16(b), loadI16(a[16:]), loadI16(b[16:])
		saveI16(x.Min(y), lo)
		saveI16(v.Min(w), lo[16:])
		lo, a, b = lo[32:], a[32:], b[32:]
	}
	archsimd.ClearAVXUpperBits()
	lesserRow(lo, a, b)
}

//go:noinline
func greaterI16(hi, a, b []int16) {
	for len(hi) >= 32 && len(a) >= 32 && len(b) >= 32 {
		x, y, v, w := loadI16(a), loadI16(b), loadI16(a[16:]), loadI16(b[16:])
		saveI16(x.Max(y), hi)
		saveI16(v.Max(w), hi[16:])
		hi, a, b = hi[32:], a[32:], b[32:]
	}
	archsimd.ClearAVXUpperBits()
	greaterRow(hi, a, b)
}

func loadI32(s []int32) archsimd.Int32x8      { return archsimd.LoadInt32x8((*[8]int32)(s)) }
func saveI32(v archsimd.Int32x8, dst []int32) { v.Store((*[8]int32)(dst)) }

//go:noinline
func exchangeI32(lo, hi, a, b []int32) {
	for len(lo) >= 16 && len(hi) >= 16 && len(a) >= 16 && len(b) >= 16 {
		x, y, v, w := loadI32(a), loadI32(b), loadI32(a[8:]), loadI32(b[8:])
		saveI32(x.Min(y), lo)
		saveI32(x.Max(y), hi)
		saveI32(v.Min(w), lo[8:])
		saveI32(v.Max(w), hi[8:])
		lo, hi, a, b = lo[16:], hi[16:], a[16:], b[16:]
	}
	archsimd.ClearAVXUpperBits()
	exchangeRows(lo, hi, a, b)
}

//go:noinline
func lesserI32(lo, a, b []int32) {
	for len(lo) >= 16 && len(a) >= 16 && len(b) >= 16 {
		x, y, v, w := loadI32(a), loadI32(b), loadI32(a[8:]), loadI32(b[8:])
		saveI32(x.Min(y), lo)
		saveI32(v.Min(w), lo[8:])
		lo, a, b = lo[16:], a[16:], b[16:]
	}
	archsimd.ClearAVXUpperBits()
	lesserRow(lo, a, b)
}

//go:noinline
func greaterI32(hi, a, b []int32) {
	for len(hi) >= 16 && len(a) >= 16 && len(b) >= 16 {
		x, y, v, w := loadI32(a), loadI32(b), loadI32(a[8:]), loadI32(b[8:])
		saveI32(x.Max(y), hi)
		saveI32(v.Max(w), hi[8:])
		hi, a, b = hi[16:], a[16:], b[16:]
	}
	archsimd.ClearAVXUpperBits()
	greaterRow(hi, a, b)
}

func loadI8(s []int8) archsimd.Int8x32      { return archsimd.LoadInt8x32((*[32]int8)(s)) }
func saveI8(v archsimd.Int8x32, dst []int8) { v.Store((*[32]int8)(dst)) }

//go:noinline
func exchangeI8(lo, hi, a, b []int8) {
	for len(lo) >= 64 && len(hi) >= 64 && len(a) >= 64 && len(b) >= 64 {
		x, y, v, w := loadI8(a), loadI8(b), loadI8(a[32:]), loadI8(b[32:])
		saveI8(x.Min(y), lo)
		saveI8(x.Max(y), hi)
		saveI8(v.Min(w), lo[32:])
		saveI8(v.Max(w), hi[32:])
		lo, hi, a, b = lo[64:], hi[64:], a[64:], b[64:]
	}
	archsimd.ClearAVXUpperBits()
	exchangeRows(lo, hi, a, b)
}

//go:noinline
func lesserI8(lo, a, b []int8) {
	for len(lo) >= 64 && len(a) >= 64 && len(b) >= 64 {
		x, y, v, w := loadI8(a), loadI8(b), loadI8(a[32:]), loadI8(b[32:])
		saveI8(x.Min(y), lo)
		saveI8(v.Min(w), lo[32:])
		lo, a, b = lo[64:], a[64:], b[64:]
	}
	archsimd.ClearAVXUpperBits()
	lesserRow(lo, a, b)
}

//go:noinline
func greaterI8(hi, a, b []int8) {
	for len(hi) >= 64 && len(a) >= 64 && len(b) >= 64 {
		x, y, v, w := loadI8(a), loadI8(b), loadI8(a[32:]), loadI8(b[32:])
		saveI8(x.Max(y), hi)
		saveI8(v.Max(w), hi[32:])
		hi, a, b = hi[64:], a[64:], b[64:]
	}
	archsimd.ClearAVXUpperBits()
	greaterRow(hi, a, b)
}
