package assets

import "math"

// labels is the table for names of objects, in the manner of Glasbey: 0, the background, is black, and
// neighbouring numbers differ as much as possible. Hues step by the golden ratio, which never
// repeats, and lightness and saturation go round in steps that share no factor with each other.
func labels() Table {
	const golden = 0.6180339887498949
	light := [...]float64{1, 0.6, 0.85, 0.7, 0.95, 0.5, 0.78}
	vivid := [...]float64{0.85, 0.55, 1, 0.7, 0.95}
	var t Table
	for i := 1; i < len(t); i++ {
		_, hue := math.Modf(float64(i) * golden)
		t[i] = hsv(hue, vivid[i%len(vivid)], light[i%len(light)])
	}
	return t
}

// hsv is the colour of a hue, a saturation and a value, each 0..1.
func hsv(h, s, v float64) [3]uint8 {
	var c [3]uint8
	for k, shift := range [3]float64{0, 2.0 / 3, 1.0 / 3} {
		_, turn := math.Modf(h + shift)
		ramp := min(1, max(0, math.Abs(6*turn-3)-1))
		c[k] = uint8(255*v*(1-s*(1-ramp)) + 0.5)
	}
	return c
}
