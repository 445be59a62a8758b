package filters

import (
	"math"
	"slices"

	"lamella/lazy"
)

// landweber is the name of the filter.
const landweber = "landweber"

// landweberSpec is least squares with an estimate that is not negative: Landweber, American Journal of Mathematics 73 (1951)
// 615, in the steps of Richardson-Lucy (lucy.go).
var landweberSpec = Spec{
	Name: landweber, Title: "Landweber",
	Doc:       "Goes step by step to the estimate, nowhere negative, that is nearest to the image by least squares once blurred with the PSF: for noise that is as strong everywhere.",
	Reference: "u ← max(0, u + step hᵀ(d - h∗u - b) / w), with the weights w of richardson-lucy; docs/DECONVOLUTION.md",
	Params: slices.Concat([]Param{psfParam, prepareParam}, iterationParams, []Param{
		{Name: "step", Kind: Number, Default: "1", Min: 0.01, Max: 1.99,
			Doc: "how far each iteration goes; from 2 on it would not settle"},
		edgesParam, groundParam,
	}, blockParams, []Param{dtypeParam}),
	build: func(a lazy.Array, v values) (lazy.Array, error) {
		if err := v.checkStopped(); err != nil {
			return lazy.Array{}, err
		}
		return v.deconvolved(a, v.lucy(), 1)
	},
	asks: asksIterations,
}

// A way is what an iteration does with rows: compare makes of a blurred estimate how it differs from the data, and change makes
// of that, seen from the estimate, the estimate that follows; inverse is 1/share, and where it is 0 the estimate stays.
type way struct {
	compare func(blurred, data []float32, background, epsilon float32)
	change  func(factor, estimate, inverse []float32)
}

// poisson is Richardson and Lucy's way.
var poisson = way{
	func(blurred, data []float32, background, epsilon float32) {
		lucyLoops.quotient(blurred, data, background, epsilon)
	},
	func(factor, estimate, inverse []float32) { lucyLoops.multiply(factor, estimate, inverse) },
}

// leastSquares is Landweber's way.
func leastSquares(step float32) way {
	return way{
		func(blurred, data []float32, background, _ float32) {
			for i, b := range blurred {
				d := data[i]
				if blurred[i] = 0; d <= math.MaxFloat32 && d >= -math.MaxFloat32 {
					blurred[i] = d - (b + background)
				}
			}
		},
		func(factor, estimate, inverse []float32) {
			for i, f := range factor {
				u := estimate[i]
				if w := inverse[i]; w != 0 {
					if u += float32(float32(step*f) * w); !(u >= tiny) {
						u = 0
					}
				}
				factor[i] = u
			}
		},
	}
}
