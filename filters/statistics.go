package filters

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
)

// The methods that find a threshold, and what finds each. Each gives skimage's number on the same voxels as
// float64, but integers, which are counted one by one as skimage does.
var (
	thresholdMethods = []string{"value", "otsu", "triangle", "li", "mean"}
	thresholds       = map[string]func(sample) float64{"otsu": otsu, "triangle": triangle, "li": li, "mean": average}
)

// asksThreshold is the value that a method of threshold finds.
func asksThreshold(v values) statistic {
	find, ok := thresholds[v.text["method"]]
	if !ok {
		return statistic{}
	}
	return statistic{sets: []string{"value"}, of: func(s sample) ([]float64, error) {
		switch n := len(s.sorted); {
		case n == 0:
			return nil, errNoNumbers
		case s.sorted[0] == s.sorted[n-1]:
			return s.sorted[:1], nil
		}
		return []float64{find(s)}, nil
	}}
}

var errNoNumbers = errors.New("the sample holds no number")

// The methods that find limits: the least and the greatest value, or two percentiles as numpy.percentile has them.
var (
	limitMethods = []string{"limits", "minmax", "percentile"}
	belowParam   = Param{Name: "below", Kind: Number, Default: "0.5", Min: 0, Max: 100, Doc: "the percentile that is low, with method=percentile"}
	aboveParam   = Param{Name: "above", Kind: Number, Default: "99.5", Min: 0, Max: 100, Doc: "the percentile that is high, with method=percentile"}

	// channelParam is whose voxels a method looks at.
	channelParam = Param{Name: "channel", Kind: Integer, Default: "0", Min: 0, Max: 1 << 20,
		Doc: "the channel, counted from 1, whose voxels a method looks at; 0 for all of them together"}
)

// channel is the channel whose voxels a method looks at, counted from 1; 0 for all.
func (v values) channel() (int, error) {
	if p, has := v.spec.Param(channelParam.Name); !has || p.Kind != Integer {
		return 0, nil
	}
	n := int(v.number(channelParam.Name))
	if most := v.meta.Shape[lazy.C]; n > most {
		return 0, fmt.Errorf("channel=%d: the image has %s", n, counted(most))
	}
	return n, nil
}

// asksLimits is what low and high are found to be.
func asksLimits(v values) statistic {
	below, above := 0.0, 100.0
	switch v.text["method"] {
	case "limits":
		return statistic{}
	case "percentile":
		below, above = v.number("below"), v.number("above")
	}
	return statistic{sets: []string{"low", "high"}, of: func(s sample) ([]float64, error) {
		if len(s.sorted) == 0 {
			return nil, errNoNumbers
		}
		low, high := s.percentile(below), s.percentile(above)
		if high <= low { // the image is flat: its one value becomes the lower end
			high = max(low+1, math.Nextafter(low, math.Inf(1)))
		}
		return []float64{low, high}, nil
	}}
}

func (s sample) percentile(p float64) float64 {
	at := float64(len(s.sorted)-1) * p / 100
	n := int(at)
	a, b, share := s.sorted[n], s.sorted[min(n+1, len(s.sorted)-1)], at-float64(n)
	if share >= 0.5 {
		return b - (b-a)*(1-share)
	}
	return a + (b-a)*share
}

func average(s sample) float64 {
	sum := 0.0
	for _, v := range s.sorted {
		sum += v
	}
	return sum / float64(len(s.sorted))
}

// A histogram counts values in bins of equal width; at is the value in the middle of each.
type histogram struct{ counts, at []float64 }

const (
	realBins  = 256
	wholeBins = 1 << 20 // integers that span more are counted like real numbers, in 65536 bins
)

// histogram is skimage.exposure.histogram of the sample: a bin for each integer, or 256 over the range of real
// numbers.
func (s sample) histogram() histogram {
	lo, hi := s.sorted[0], s.sorted[len(s.sorted)-1]
	if s.whole && hi-lo < wholeBins {
		h := histogram{make([]float64, int(hi-lo)+1), make([]float64, int(hi-lo)+1)}
		for i := range h.at {
			h.at[i] = lo + float64(i)
		}
		for _, v := range s.sorted {
			h.counts[int(v-lo)]++
		}
		return h
	}
	bins := realBins
	if s.whole {
		bins = 65536
	}
	h := histogram{make([]float64, bins), make([]float64, bins)}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = lo + float64(i)*((hi-lo)/float64(bins))
	}
	edges[bins] = hi
	for i := range h.at {
		h.at[i] = (edges[i] + edges[i+1]) / 2
	}
	for _, v := range s.sorted {
		i := min(bins-1, int((v-lo)/(hi-lo)*float64(bins)))
		if v < edges[i] {
			i--
		} else if i < bins-1 && v >= edges[i+1] {
			i++
		}
		h.counts[i]++
	}
	return h
}

// otsu is the value that parts the histogram into the two classes of greatest variance between them: Otsu, IEEE
// Transactions on Systems, Man, and Cybernetics 9 (1979) 62.
func otsu(s sample) float64 {
	h := s.histogram()
	n := len(h.counts)
	weight, sum := make([]float64, n+1), make([]float64, n+1) // of the bins from i on
	for i := n - 1; i >= 0; i-- {
		weight[i], sum[i] = weight[i+1]+h.counts[i], sum[i+1]+h.counts[i]*h.at[i]
	}
	best, at := -1.0, 0
	below, sumBelow := 0.0, 0.0
	for i := range n - 1 {
		below, sumBelow = below+h.counts[i], sumBelow+h.counts[i]*h.at[i]
		d := sumBelow/below - sum[i+1]/weight[i+1]
		if v := below * weight[i+1] * d * d; v > best {
			best, at = v, i
		}
	}
	return h.at[at]
}

// triangle is the bin farthest from the line between the peak of the histogram and the end of its longer tail: Zack,
// Rogers and Latt, Journal of Histochemistry and Cytochemistry 25 (1977) 741.
func triangle(s sample) float64 {
	h := s.histogram()
	last := len(h.counts) - 1 // neither end is empty
	peak := 0
	for i, c := range h.counts {
		if c > h.counts[peak] {
			peak = i
		}
	}
	flip := peak < last-peak
	if flip {
		slices.Reverse(h.counts)
		peak = last - peak
	}
	height, width := h.counts[peak], float64(peak)
	norm := math.Sqrt(height*height + width*width)
	height, width = height/norm, width/norm
	at, farthest := 0, math.Inf(-1)
	for i := range peak {
		if d := height*float64(i) - width*h.counts[i]; d > farthest {
			at, farthest = i, d
		}
	}
	if flip {
		at = last - at
	}
	return h.at[at]
}

// li is the threshold of least cross entropy: Li and Tam, Pattern Recognition Letters 19 (1998) 771.
func li(s sample) float64 {
	lo, n := s.sorted[0], len(s.sorted)
	above := make([]float64, n+1) // the sum of the first i values above the least
	tolerance := math.Inf(1)
	for i, v := range s.sorted {
		above[i+1] = above[i] + (v - lo)
		if i > 0 && v > s.sorted[i-1] {
			tolerance = min(tolerance, ((v-lo)-(s.sorted[i-1]-lo))/2)
		}
	}
	if s.whole {
		tolerance = 0.5
	}
	const most = 10000 // steps; tens are taken
	now, next := -2*tolerance, above[n]/float64(n)
	for step := 0; math.Abs(next-now) > tolerance && step < most; step++ {
		now = next
		k, _ := slices.BinarySearchFunc(s.sorted, now, func(v, t float64) int {
			if v-lo > t {
				return 1
			}
			return -1
		})
		if k == 0 || k == n {
			break
		}
		back, fore := above[k]/float64(k), (above[n]-above[k])/float64(n-k)
		next = (back - fore) / (math.Log(back) - math.Log(fore))
	}
	return next + lo
}
