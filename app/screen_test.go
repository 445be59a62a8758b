//go:build !headless

package main

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestTheWindowIsNoLargerThanTheScreen(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		scale         float32
		want          fyne.Size
	}{
		{"a large screen leaves it", 1920, 1200, 1, fyne.NewSize(1280, 800)},
		{"at twice the scale it is half as large", 1600, 1000, 2, fyne.NewSize(800, 480)},
		{"a low screen cuts the height alone", 1366, 768, 1, fyne.NewSize(1280, 728)},
		{"a screen that says nothing leaves it", 0, 0, 1, fyne.NewSize(1280, 800)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := within(fyne.NewSize(1280, 800), c.width, c.height, c.scale); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
