package ui

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

func TestCurvesAreSeenOnBothThemes(t *testing.T) {
	test.NewTempApp(t)
	for _, look := range []Look{Dark, Light} {
		test.ApplyTheme(t, Theme{Look: look})
		for name, rgb := range map[string][3]uint8{"red": {255, 0, 0}, "green": {0, 255, 0}, "blue": {0, 0, 255}, "cyan": {0, 255, 255},
			"magenta": {255, 0, 255}, "yellow": {255, 255, 0}, "white": {255, 255, 255}, "black": {}, "navy": {0, 0, 90}} {
			if c := seenColor(rgb); contrast(c, shadeOf(colorPanel)) < leastContrast {
				t.Errorf("%s on the %s panel is %v, with a contrast of %.2f", name, look, c, contrast(c, shadeOf(colorPanel)))
			}
		}
		if c := seenColor([3]uint8{200, 200, 200}); c != shadeOf(theme.ColorNameForeground) {
			t.Errorf("grey is %v", c)
		}
	}
	test.ApplyTheme(t, Theme{Look: Dark})
	if c := seenColor([3]uint8{255, 255, 0}); c != (color.NRGBA{255, 255, 0, 255}) {
		t.Errorf("yellow, which is seen on the dark panel, is %v", c)
	}
}

// The contrasts of the examples of WCAG 2.1: white on black, and #777 on white.
func TestContrastIsThatOfWCAG(t *testing.T) {
	white, black, grey := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{0x77, 0x77, 0x77, 255}
	for _, c := range []struct {
		a, b color.NRGBA
		want float64
	}{{white, black, 21}, {black, white, 21}, {grey, white, 4.48}, {grey, grey, 1}} {
		if got := contrast(c.a, c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%v and %v: %.3f, want %v", c.a, c.b, got, c.want)
		}
	}
}
