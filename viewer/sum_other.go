//go:build !goexperiment.simd || !amd64 || go1.27

package viewer

// addVectors adds none where there are no vectors.
func addVectors([]byte, []uint32) int { return 0 }
