package ui

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2/theme"
)

// leastContrast is what a curve has against its ground, as WCAG 2.1 asks of what is drawn.
const leastContrast = 3

// seenColor is a channel's colour as it is seen on the panel: yellow and cyan would be lost on the light theme, blue on the
// dark one, so those go towards the colour of letters as far as they must. White and greys are that colour.
func seenColor(rgb [3]uint8) color.NRGBA {
	ground, ink := shadeOf(colorPanel), shadeOf(theme.ColorNameForeground)
	if low, high := min(rgb[0], rgb[1], rgb[2]), max(rgb[0], rgb[1], rgb[2]); high-low < 40 {
		return ink
	}
	for share := 0.0; share < 1; share += 1.0 / 16 {
		mix := func(from, to uint8) uint8 { return uint8(math.Round((1-share)*float64(from) + share*float64(to))) }
		c := color.NRGBA{mix(rgb[0], ink.R), mix(rgb[1], ink.G), mix(rgb[2], ink.B), 255}
		if contrast(c, ground) >= leastContrast {
			return c
		}
	}
	return ink
}

// contrast is how far two colours are apart in light, from 1 to 21, by WCAG 2.1.
func contrast(a, b color.NRGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance is the light of a colour, from 0 to 1, by WCAG 2.1.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
