//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import "testing"

// The tests of the loops, with those for vectors that this processor has and would not choose.
func TestLoopsOfShorterVectorsAreRightToo(t *testing.T) {
	if !wide {
		t.Skip("this processor has one kind of vectors at most, which the other tests take")
	}
	use256()
	defer use512()
	t.Run("rows", TestFastLoopsGiveThePlainLoopsBits)
	t.Run("sums of narrow rows", TestSumsOfNarrowRowsAreThoseOfWideOnes)
	t.Run("quotients", TestQuotientsAreStoredAsTheyWouldBeOneAfterAnother)
	t.Run("fused", TestFusedIsUnfused)
}
