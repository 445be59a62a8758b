package filters

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// bleach takes back what a dye has lost of its light from one time point to the next: what lies above the background is
// multiplied by exp(rate * t), t counted from 0 in time points. The rates, one for each channel, are given or found: the
// mean of the middle plane at up to 32 time points, less the background, is fitted by an exponential, as a straight line
// through its logarithm. A channel that grows brighter, or has nothing above the background, is left as it is.
var bleach = Spec{
	Name: "bleach", Title: "Bleach correction",
	Doc:       "Makes up for the light that a dye loses over time: each time point is multiplied by what an exponential through the means asks for.",
	Reference: "numpy.polyfit of the logarithm of the means",
	Params: []Param{
		{Name: "background", Kind: Number, Default: "0", Min: -math.MaxFloat32, Max: math.MaxFloat32, Doc: "the value where there is no light: the offset of the camera"},
		{Name: "rates", Kind: Text, Doc: "what is lost from a time point to the next, 0.02 for two in a hundred, one for all channels or one for each, with commas; found if empty"},
		dtypeParam,
	},
	build: buildBleach,
	asks: func(v values) statistic {
		background := v.number("background")
		return statistic{sets: []string{"rates"}, from: bleachSample, each: func(blocks []*lazy.Block) ([]string, error) {
			text, err := ratesOf(blocks, background)
			return []string{text}, err
		}}
	},
}

func buildBleach(a lazy.Array, v values) (lazy.Array, error) {
	m := a.Meta()
	rates, err := ratesIn(v.text["rates"], m.Shape[lazy.C])
	if err != nil {
		return lazy.Array{}, err
	}
	if m.Shape[lazy.T] == 1 {
		return cast(a, v.dtype(m.DType))
	}
	light := lazy.FromSource(regained{rates, m.Shape[lazy.T]})
	text := fmt.Sprintf("(x - %g) * y + %[1]g", v.number("background"))
	if v.number("background") == 0 {
		text = "x * y"
	}
	out, err := stencil.Map(text, a, light)
	if err != nil {
		return lazy.Array{}, err
	}
	return cast(out, v.dtype(m.DType))
}

// ratesIn reads one rate, or one for each channel.
func ratesIn(text string, channels int) ([]float64, error) {
	var rates []float64
	for part := range strings.SplitSeq(text, ",") {
		r, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(math.Abs(r) <= 100) {
			return nil, fmt.Errorf("rates=%s: expected numbers with commas between them, such as 0.02", text)
		}
		rates = append(rates, r)
	}
	for one := len(rates) == 1; one && len(rates) < channels; {
		rates = append(rates, rates[0])
	}
	if len(rates) != channels {
		return nil, fmt.Errorf("rates=%s: the image has %d channels", text, channels)
	}
	return rates, nil
}

// bleachPoints is at how many time points the light is measured at most.
const bleachPoints = 32

// bleachSample is the middle plane at time points spread evenly, all channels of one after the other.
func bleachSample(m lazy.Meta) (regions []lazy.Region, about string) {
	n := min(bleachPoints, m.Shape[lazy.T])
	plane := m.Shape.Whole().With(lazy.Z, m.Shape[lazy.Z]/2, m.Shape[lazy.Z]/2+1)
	for i := range n {
		t := 0
		if n > 1 {
			t = i * (m.Shape[lazy.T] - 1) / (n - 1)
		}
		for c := range m.Shape[lazy.C] {
			regions = append(regions, plane.With(lazy.T, t, t+1).With(lazy.C, c, c+1))
		}
	}
	return regions, fmt.Sprintf("the middle plane at %d time points", n)
}

// ratesOf fits an exponential to the means of each channel.
func ratesOf(blocks []*lazy.Block, background float64) (string, error) {
	type point struct{ t, log float64 }
	var points [][]point
	for _, b := range blocks {
		c := b.Region.Min[lazy.C]
		for len(points) <= c {
			points = append(points, nil)
		}
		sum, n := 0.0, 0
		for _, v := range reals(b) {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				sum, n = sum+v, n+1
			}
		}
		if light := sum/float64(max(1, n)) - background; light > 0 {
			points[c] = append(points[c], point{float64(b.Region.Min[lazy.T]), math.Log(light)})
		}
	}
	if len(points) == 0 {
		return "", errors.New("there is nothing to measure")
	}
	var rates []string
	for _, all := range points {
		var t, l, tt, tl float64
		n := float64(len(all))
		for _, p := range all {
			t, l, tt, tl = t+p.t, l+p.log, tt+p.t*p.t, tl+p.t*p.log
		}
		rate := 0.0
		if d := n*tt - t*t; d > 0 {
			rate = max(0, -(n*tl-t*l)/d)
		}
		rates = append(rates, strconv.FormatFloat(rate, 'g', 9, 64))
	}
	return strings.Join(rates, ","), nil
}

// regained is the factor of each time point and channel: a source of one voxel each.
type regained struct {
	rates []float64
	times int
}

// Meta implements lazy.Source.
func (r regained) Meta() lazy.Meta {
	shape := lazy.Shape{r.times, 1, len(r.rates), 1, 1}
	return lazy.Meta{Shape: shape, Chunk: lazy.Shape{1, 1, len(r.rates), 1, 1}, DType: lazy.F64}
}

// ID implements lazy.Source.
func (r regained) ID() string { return fmt.Sprintf("light regained %v", r.rates) }

// Read implements lazy.Source.
func (r regained) Read(_ context.Context, b *lazy.Block) (int64, error) {
	out, n := lazy.View[float64](b), 0
	for t := b.Region.Min[lazy.T]; t < b.Region.Max[lazy.T]; t++ {
		for c := b.Region.Min[lazy.C]; c < b.Region.Max[lazy.C]; c++ {
			out[n] = math.Exp(r.rates[c] * float64(t))
			n++
		}
	}
	return 0, nil
}
