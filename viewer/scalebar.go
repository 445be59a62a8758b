package viewer

import (
	"math"
	"strconv"

	"lamella/lazy"
)

// A ScaleBar is a length of 1, 2 or 5 times a power of ten and its width on the screen.
type ScaleBar struct {
	Pixels float64 // device pixels
	Label  string  // "20 µm", or "50 px" where the size of a voxel is not known
}

// Bar is the scale bar for a view: the longest round one of at most a fifth of the viewport's width.
func (sc *Scene) Bar(s State) ScaleBar {
	g := sc.Geometry(s)
	scale := sc.Meta().Scale[g.Across]
	if scale <= 0 {
		n := round125(float64(g.W) / 5 / g.Pixels[0])
		if n < 1 {
			return ScaleBar{}
		}
		return ScaleBar{n * g.Pixels[0], strconv.FormatFloat(n, 'f', -1, 64) + " px"}
	}
	um := round125(float64(g.W) / 5 / g.Pixels[0] * scale)
	return ScaleBar{um / scale * g.Pixels[0], Length(um)}
}

// round125 is the largest of 1, 2, 5 times a power of ten that is at most v, and 0 if v is not positive.
func round125(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 0
	}
	p := math.Floor(math.Log10(v))
	for _, m := range [...]float64{5, 2, 1} {
		if r := power10(m, p); r <= v*(1+1e-12) {
			return r
		}
	}
	return power10(5, p-1)
}

// power10 is m·10^p, exact where a float64 can be: negative powers divide.
func power10(m, p float64) float64 {
	if p < 0 {
		return m / math.Pow(10, -p)
	}
	return m * math.Pow(10, p)
}

// Length writes micrometres in the unit that keeps the number between 1 and 1000: "20 µm", "500 nm",
// "1.5 mm".
func Length(um float64) string {
	unit := "µm"
	switch a := math.Abs(um); {
	case a == 0:
	case a < 0.9999999:
		um, unit = um*1e3, "nm"
	case a >= 999999.9:
		um, unit = um/1e6, "m"
	case a >= 999.9999:
		um, unit = um/1e3, "mm"
	}
	return strconv.FormatFloat(um, 'g', 4, 64) + " " + unit
}

// Where writes the position of a voxel along an axis as a person reads it, "16.5 µm" or "2 s", and "" where
// it is not known.
func (sc *Scene) Where(a lazy.Axis, voxel int) string {
	w, ok := sc.World(a, float64(voxel))
	switch {
	case !ok:
		return ""
	case a == lazy.T:
		return strconv.FormatFloat(w, 'g', 6, 64) + " s"
	}
	return fixed(w, sc.Meta().Scale[a]) + " µm"
}

// fixed writes a number with the digits that steps of a size need to be told apart, at most four.
func fixed(v, step float64) string {
	digits := 0
	for ; digits < 4 && math.Abs(step-math.Round(step*math.Pow10(digits))/math.Pow10(digits)) > step/1000; digits++ {
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
