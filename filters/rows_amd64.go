//go:build goexperiment.simd && amd64 && !go1.27

package filters

import "simd/archsimd"

//go:generate go run ./internal/orders

func init() {
	if !archsimd.X86.AVX2() {
		return
	}
	keyRow32, numbers32 = keysAVX, numbersAVX
	if order256(); archsimd.X86.AVX512() {
		order512()
	}
}
