package viewer

import (
	"math"

	"lamella/lazy"
)

// A Histogram counts sampled values in even bins over [Low, High].
type Histogram struct {
	Count       [256]int
	Low, High   float64
	Least, Most float64 // the extremes of the values, within Low and High
	Peak        int     // the fullest bin's count
}

// Count makes the histogram of b's finite values, of at most about 2^18 of them, evenly sampled. It
// is empty (Peak 0) when no value is finite.
func Count(b *lazy.Block) Histogram {
	every := max(1, b.Len()>>18)
	h := Histogram{Low: math.Inf(1), High: math.Inf(-1)}
	each(b, every, func(v float64) {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			h.Low, h.High = min(h.Low, v), max(h.High, v)
		}
	})
	if h.Low > h.High {
		return Histogram{High: 1, Most: 1}
	}
	h.Least, h.Most = h.Low, h.High
	if h.Low == h.High {
		l := around(h.Low)
		h.Low, h.High = l.Low, l.High
	}
	if !b.DType.Float() && h.High-h.Low < 256 { // one bin a value, so that no comb appears
		h.High = h.Low + 256
	}
	scale := 256 / (h.High - h.Low)
	each(b, every, func(v float64) {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return
		}
		i := max(0, min(255, int(scale*(v-h.Low)))) // a range beyond float64 gives no number
		h.Count[i]++
		h.Peak = max(h.Peak, h.Count[i])
	})
	return h
}
