package filters

import "math"

// lucyRows are the loops over rows of a deconvolution. A file for one processor may put faster ones in.
type lucyRows struct {
	// quotient makes of a blurred estimate what it has to be multiplied by to be the data.
	quotient func(blurred, data []float32, background, epsilon float32)
	// multiply makes of factors the estimate times them and 1/share; the estimate itself where that is 0.
	multiply func(factor, estimate, inverse []float32)
	// times multiplies a row by another.
	times func(row, by []float32)
}

var lucyLoops = lucyRows{quotientRow, multiplyRow, timesRow}

// tiny is the least normal number: what is less becomes 0, since processors are slow at it.
const tiny = 0x1p-126

func quotientRow(blurred, data []float32, background, epsilon float32) {
	data = data[:len(blurred)]
	for i, b := range blurred {
		b += background
		d := data[i]
		q := float32(1)
		if b > epsilon && d <= math.MaxFloat32 {
			if q = 0; d > 0 {
				q = d / b
			}
		}
		blurred[i] = q
	}
}

func multiplyRow(factor, estimate, inverse []float32) {
	estimate, inverse = estimate[:len(factor)], inverse[:len(factor)]
	for i, f := range factor {
		u := estimate[i]
		if w := inverse[i]; w != 0 {
			if !(f > 0) {
				f = 0
			}
			if u = float32(u*f) * w; !(u >= tiny) {
				u = 0
			}
		}
		factor[i] = u
	}
}

func timesRow(row, by []float32) {
	by = by[:len(row)]
	for i := range row {
		row[i] *= by[i]
	}
}
