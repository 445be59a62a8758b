package filters

import (
	"fmt"
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// Filters of each voxel by itself.
var (
	threshold = Spec{
		Name: "threshold", Title: "Threshold",
		Doc:       "1 where the image is greater than a value, else 0, as uint8. The value is given, or found once from a sample: all of an image of up to 4 million voxels, else as many of five planes.",
		Reference: "numpy.greater; skimage.filters.threshold_otsu, _triangle, _li and _mean on the sample",
		Params: []Param{
			{Name: "value", Kind: Number, Default: "0", Min: -math.MaxFloat64, Max: math.MaxFloat64,
				Doc: "the value that voxels set to 1 exceed; with a method, what it has found"},
			{Name: "method", Kind: Choice, Default: "value", Choices: thresholdMethods,
				Doc: "how the value is found where none is given"},
			channelParam, dtypeParam,
		},
		build: buildThreshold,
		asks:  asksThreshold,
	}
	clip = Spec{
		Name: "clip", Title: "Clip",
		Doc:       "Sets what is below or above two limits to the limit.",
		Reference: "numpy.clip",
		Params:    append(limits("the least value of the result", "the greatest value of the result"), dtypeParam),
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			return onLimits(a, v, a.Meta().DType, func(_ *stencil.Builder, clipped stencil.Value) stencil.Value { return clipped })
		},
	}
	rescale = Spec{
		Name: "rescale", Title: "Rescale",
		Doc:       "Maps the values between two limits evenly onto a new range; what is beyond them gets its ends. The limits are given, or found once from a sample: all of an image of up to 4 million voxels, else as many of five planes.",
		Reference: "skimage.exposure.rescale_intensity; numpy.min, max and percentile on the sample",
		Params: append(limits("the value that becomes newlow; with a method, what it has found", "the value that becomes newhigh"),
			Param{Name: "method", Kind: Choice, Default: "limits", Choices: limitMethods,
				Doc: "how the limits are found where they are not given"},
			belowParam, aboveParam, channelParam,
			Param{Name: "newlow", Kind: Number, Default: "0", Min: -math.MaxFloat64, Max: math.MaxFloat64, Doc: "the result at low"},
			Param{Name: "newhigh", Kind: Number, Default: "1", Min: -math.MaxFloat64, Max: math.MaxFloat64, Doc: "the result at high"},
			dtypeParam),
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			low, high, newLow, newHigh := v.number("low"), v.number("high"), v.number("newlow"), v.number("newhigh")
			return onLimits(a, v, derivativeType(a.Meta().DType), func(b *stencil.Builder, clipped stencil.Value) stencil.Value {
				above := b.Linear(stencil.W(1, clipped, 0, 0), stencil.W(-1, b.Constant(low, false), 0, 0))
				share := b.Divide(above, high-low)
				return b.Linear(stencil.W(newHigh-newLow, share, 0, 0), stencil.W(1, b.Constant(newLow, false), 0, 0))
			})
		},
		asks: asksLimits,
	}
	gamma = Spec{
		Name: "gamma", Title: "Gamma",
		Doc:       "Raises each value, as a share of the greatest the type holds (of 1 for real numbers), to a power: below 1 brightens dark parts.",
		Reference: "skimage.exposure.adjust_gamma, with values below 0 taken as 0",
		Params: []Param{
			{Name: "gamma", Kind: Number, Default: "1", Min: 0.01, Max: 100, Doc: "the power"},
			dtypeParam,
		},
		build: buildGamma,
	}
	invert = Spec{
		Name: "invert", Title: "Invert",
		Doc:       "Turns bright into dark: the ends of an integer type change places, and real numbers are taken from 1.",
		Reference: "skimage.util.invert",
		Params:    []Param{dtypeParam},
		build:     buildInvert,
	}
	convert = Spec{
		Name: "cast", Title: "Cast",
		Doc:       "The same values in another type, rounded to nearest (halves away from zero) and clamped to what it holds.",
		Reference: "numpy.ndarray.astype, after rounding and numpy.clip",
		Params:    []Param{{Name: "dtype", Kind: Type, Default: "float32", Doc: "type of the result, such as uint8"}},
		build:     func(a lazy.Array, v values) (lazy.Array, error) { return cast(a, v.dtype(a.Meta().DType)) },
	}
)

// limits are the parameters low and high.
func limits(low, high string) []Param {
	return []Param{
		{Name: "low", Kind: Number, Default: "0", Min: -math.MaxFloat64, Max: math.MaxFloat64, Doc: low},
		{Name: "high", Kind: Number, Default: "255", Min: -math.MaxFloat64, Max: math.MaxFloat64, Doc: high},
	}
}

// onLimits applies what follows to the voxels clipped to low and high.
func onLimits(a lazy.Array, v values, out lazy.DType, then func(*stencil.Builder, stencil.Value) stencil.Value) (lazy.Array, error) {
	low, high := v.number("low"), v.number("high")
	if low >= high {
		return lazy.Array{}, fmt.Errorf("low=%s high=%s: expected low below high", v.text["low"], v.text["high"])
	}
	kernel := stencil.Build(v.spec.Name, func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		x = b.Apply(stencil.Maximum, stencil.At(x), stencil.At(number(b, low)))
		x = b.Apply(stencil.Minimum, stencil.At(x), stencil.At(number(b, high)))
		return then(b, x)
	})
	return lazy.Apply(stencil.Op{Kernel: kernel, Out: v.dtype(out)}, a)
}

// number is a constant, an integer where it has no fraction.
func number(b *stencil.Builder, v float64) stencil.Value { return b.Constant(v, v == math.Trunc(v)) }

// buildThreshold compares in the type of the image: whole numbers exceed a value if they exceed the whole number
// below it, and float32 likewise, so nothing is lost by rounding the value.
func buildThreshold(a lazy.Array, v values) (lazy.Array, error) {
	value := v.number("value")
	switch d := a.Meta().DType; {
	case !d.Float():
		value = math.Floor(value)
	case d == lazy.F32:
		value = floor32(value)
	}
	kernel := stencil.Build("threshold", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		return b.Apply(stencil.Less, stencil.At(b.Constant(value, !a.Meta().DType.Float())), stencil.At(x))
	})
	return lazy.Apply(stencil.Op{Kernel: kernel, Out: v.dtype(lazy.U8)}, a)
}

// floor32 is the greatest float32 that is not above v.
func floor32(v float64) float64 {
	f := float32(v)
	if float64(f) > v {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return float64(f)
}

func buildGamma(a lazy.Array, v values) (lazy.Array, error) {
	d := a.Meta().DType
	top := 1.0
	if !d.Float() {
		_, top = d.Range()
	}
	kernel := stencil.Build("gamma", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		x = b.Apply(stencil.Maximum, stencil.At(x), stencil.At(b.Constant(0, false)))
		power := b.Constant(v.number("gamma"), false)
		p := b.Apply(stencil.Power, stencil.At(b.Divide(x, top)), stencil.At(power))
		return b.Linear(stencil.W(top, p, 0, 0))
	})
	return lazy.Apply(stencil.Op{Kernel: kernel, Out: v.dtype(d)}, a)
}

func buildInvert(a lazy.Array, v values) (lazy.Array, error) {
	d := a.Meta().DType
	if d == lazy.U64 || d == lazy.I64 {
		return lazy.Array{}, fmt.Errorf("integers of 64 bits cannot be inverted exactly: cast to another type first")
	}
	sum := 1.0
	if !d.Float() {
		lo, hi := d.Range()
		sum = lo + hi
	}
	kernel := stencil.Build("invert", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		return b.Linear(stencil.W(1, number(b, sum), 0, 0), stencil.W(-1, x, 0, 0))
	})
	return lazy.Apply(stencil.Op{Kernel: kernel, Out: v.dtype(d)}, a)
}
