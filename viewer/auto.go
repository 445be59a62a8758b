package viewer

import (
	"math"
	"slices"

	"lamella/lazy"
)

// Find gives a channel's limits by a rule from sampled voxels, and false when none of them is
// finite. Only finite values count, zeros included.
//
//   - Robust sorts the n values, drops floor(tail·n) at each end and takes the extremes of the rest,
//     with no interpolation; tail is 0.001, and more when asked again.
//   - MinMax takes the extremes of all.
//   - ImageJ is the Auto button of its Brightness/Contrast window (ContrastAdjuster.autoAdjust), for
//     the plane that b holds whole: see imageJ.
//
// Of more than a million values that are not 8 or 16 bits wide an even share is sampled.
func Find(b *lazy.Block, r Rule) (Limits, bool) {
	switch r.Kind {
	case ImageJ:
		return imageJ(b, r.Press)
	case MinMax:
		return robust(b, 0)
	}
	return robust(b, tails[r.Press%len(tails)])
}

func robust(b *lazy.Block, tail float64) (Limits, bool) {
	if counts, first := countValues(b); counts != nil {
		return counts.robust(first, tail, b.Len())
	}
	v := finite(b, 1<<20)
	if len(v) == 0 {
		return Limits{}, false
	}
	slices.Sort(v)
	drop := int(tail * float64(len(v)))
	return between(v[drop], v[len(v)-1-drop]), true
}

// tally is how often each value of an 8- or 16-bit type occurs.
type tally []int

// countValues counts the values of b from the least of its type, first, on; nil for wide types.
func countValues(b *lazy.Block) (t tally, first float64) {
	switch b.DType {
	case lazy.U8:
		t = make(tally, 256)
		for _, v := range lazy.View[uint8](b) {
			t[v]++
		}
	case lazy.I8:
		t, first = make(tally, 256), math.MinInt8
		for _, v := range lazy.View[int8](b) {
			t[int(v)-math.MinInt8]++
		}
	case lazy.U16:
		t = make(tally, 65536)
		for _, v := range lazy.View[uint16](b) {
			t[v]++
		}
	case lazy.I16:
		t, first = make(tally, 65536), math.MinInt16
		for _, v := range lazy.View[int16](b) {
			t[int(v)-math.MinInt16]++
		}
	}
	return t, first
}

func (t tally) robust(first, tail float64, n int) (Limits, bool) {
	drop := int(tail * float64(n))
	low, high := 0, len(t)-1
	for left := drop; left >= t[low]; low++ {
		left -= t[low]
	}
	for left := drop; left >= t[high]; high-- {
		left -= t[high]
	}
	return between(first+float64(low), first+float64(high)), true
}

// finite is the finite values of b as float64, an even share of them if they are more than most.
func finite(b *lazy.Block, most int) []float64 {
	every := max(1, (b.Len()+most-1)/most)
	v := make([]float64, 0, b.Len()/every+1)
	each(b, every, func(x float64) {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			v = append(v, x)
		}
	})
	return v
}

// each visits every n-th value of b in storage order.
func each(b *lazy.Block, n int, visit func(float64)) {
	switch b.DType {
	case lazy.U8:
		eachOf[uint8](b, n, visit)
	case lazy.I8:
		eachOf[int8](b, n, visit)
	case lazy.U16:
		eachOf[uint16](b, n, visit)
	case lazy.I16:
		eachOf[int16](b, n, visit)
	case lazy.U32:
		eachOf[uint32](b, n, visit)
	case lazy.I32:
		eachOf[int32](b, n, visit)
	case lazy.U64:
		eachOf[uint64](b, n, visit)
	case lazy.I64:
		eachOf[int64](b, n, visit)
	case lazy.F32:
		eachOf[float32](b, n, visit)
	case lazy.F64:
		eachOf[float64](b, n, visit)
	}
}

func eachOf[E lazy.Number](b *lazy.Block, n int, visit func(float64)) {
	v := lazy.View[E](b)
	for i := 0; i < len(v); i += n {
		visit(float64(v[i]))
	}
}
