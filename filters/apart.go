package filters

import (
	"math"

	"lamella/lazy"
)

// A Distance is how far one result of a deconvolution is from another, as parts of the other's largest value.
type Distance struct {
	Most float64 // of all voxels
	Mean float64 // root mean square
}

// Apart is the difference of a block from another of the same region. What is no number counts for nothing.
func Apart(got, want *lazy.Block) Distance {
	most, apart, sum, n := 0.0, 0.0, 0.0, 0
	for i := range want.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		g, w := got.Value(i.Min), want.Value(i.Min)
		d := math.Abs(g - w)
		if math.IsNaN(d) || math.IsInf(d, 0) {
			continue
		}
		most, apart, sum, n = max(most, math.Abs(w)), max(apart, d), sum+d*d, n+1
	}
	if most == 0 {
		return Distance{}
	}
	return Distance{apart / most, math.Sqrt(sum/float64(n)) / most}
}
