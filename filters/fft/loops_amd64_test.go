//go:build goexperiment.simd && amd64 && !go1.27

package fft

import "simd/archsimd"

func init() {
	if archsimd.X86.AVX2() {
		available["AVX2"] = avx2
	}
	if archsimd.X86.AVX512() {
		available["AVX-512"] = avx512
	}
}
