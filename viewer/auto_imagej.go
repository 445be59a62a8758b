package viewer

import (
	"math"

	"lamella/lazy"
)

// imageJ is the rule behind ImageJ's Auto button, step by step as its documentation and source
// describe it (ij.plugin.frame.ContrastAdjuster, public domain), so that the same plane gets the
// same limits in both programs:
//
// The finite values go into 256 bins, over 0..255 for 8-bit data, else over the plane's own extremes.
// A bin with more than a tenth of the voxels counts as empty, since it is background or
// saturation. The limits are the lower edges of the first and last bins that hold more than
// 1/threshold of the voxels; threshold is 5000 and halves with each press down to 9, then begins
// again. If no bin holds as many, the limits are the whole range of the bins.
func imageJ(b *lazy.Block, press int) (Limits, bool) {
	h, ok := binned(b)
	if !ok {
		return Limits{}, false
	}
	threshold := 5000
	for range press % 10 {
		threshold /= 2
	}
	most, least := h.n/10, h.n/threshold
	holds := func(i int) bool { return h.count[i] <= most && h.count[i] > least }

	low := 0
	for low < 255 && !holds(low) {
		low++
	}
	high := 255
	for high > 0 && !holds(high) {
		high--
	}
	if high < low {
		return between(h.low, h.high), true
	}
	l := Limits{h.low + float64(low)*h.width, h.low + float64(high)*h.width}
	if l.Low == l.High {
		l = Limits{h.least, h.greatest}
	}
	return between(l.Low, l.High), true
}

// bins is ImageJ's histogram of a plane.
type bins struct {
	count           [256]int
	n               int
	low, high       float64 // the range that the bins divide
	width           float64
	least, greatest float64
}

func binned(b *lazy.Block) (bins, bool) {
	h := bins{least: math.Inf(1), greatest: math.Inf(-1)}
	each(b, 1, func(v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			h.least, h.greatest = min(h.least, v), max(h.greatest, v)
		}
	})
	if h.least > h.greatest {
		return h, false
	}
	h.low, h.high, h.width = h.least, h.greatest, (h.greatest-h.least)/256
	scale := 1 / h.width
	if b.DType == lazy.U8 {
		h.low, h.high, h.width, scale = 0, 255, 1, 1
	}
	each(b, 1, func(v float64) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		i := 0
		if h.high > h.low {
			i = max(0, min(255, int(scale*(v-h.low))))
		}
		h.count[i]++
		h.n++
	})
	return h, true
}
