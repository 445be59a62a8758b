//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"simd/archsimd"
	"testing"
)

// The tests of sums and quotients, with the vectors that this processor has and would not choose.
func TestLoopsOfNarrowerVectorsAreRightToo(t *testing.T) {
	if !vectors || !archsimd.X86.AVX512() {
		t.Skip("this processor has one kind of vectors at most, which the other tests take")
	}
	chosen := fast
	defer func() { fast = chosen }()
	fast.summing, fast.floorDividing, fast.roundDividing = direct256.summing, direct256.floorDividing, direct256.roundDividing
	t.Run("sums", TestSumsOfNarrowRowsAreThoseOfWideOnes)
	t.Run("quotients", TestQuotientsAreStoredAsTheyWouldBeOneAfterAnother)
}
