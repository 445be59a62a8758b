package tiff

import (
	"slices"
	"strings"
	"testing"
)

// subsampled is the layout of a page of 3 x 3 pixels whose colours stand for 2 x 2.
func subsampled() layout {
	l := layout{width: 3, height: 3, samples: 3, bits: 8, compression: rawData, photometric: yCbCr, predictor: 1, segH: 3, subX: 2, subY: 2}
	l.settle(true)
	return l
}

func TestSubsampledColoursOutsideJPEGBecomeRGB(t *testing.T) {
	l := subsampled()
	if err := l.check(); err != nil || !l.colour() || l.storedBytes(3) != 24 {
		t.Fatalf("%v, colour %v, %d bytes", err, l.colour(), l.storedBytes(3))
	}
	stored := []byte{
		100, 101, 102, 103, 128, 128, // grey
		50, 255, 60, 255, 128, 228, // red; the second column lies beyond the edge
		10, 20, 255, 255, 128, 128,
		30, 255, 255, 255, 228, 128, // blue
	}
	got, err := new(bench).samples(&l, stored, 3, nil)
	want := []byte{
		100, 100, 100, 101, 101, 101, 190, 0, 50,
		102, 102, 102, 103, 103, 103, 200, 0, 60,
		10, 10, 10, 20, 20, 20, 30, 0, 207, // 30 - 34.4, 30 + 177.2
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v, %v", got, want, err)
	}
	if _, err := new(bench).samples(&l, stored[:23], 3, nil); err == nil || !strings.Contains(err.Error(), "23 bytes instead of 24") {
		t.Errorf("a byte less: %v", err)
	}
	for name, change := range map[string]func(*layout){
		"planar": func(l *layout) { l.planar = true }, "16 bits": func(l *layout) { l.bits = 16 }, "four samples": func(l *layout) { l.samples = 4 },
		"eight pixels a colour": func(l *layout) { l.subX = 8 }, "predicted": func(l *layout) { l.compression, l.predictor = deflate, 2 },
	} {
		l := subsampled()
		if change(&l); l.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
