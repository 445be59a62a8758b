package codec_test

import (
	"bytes"
	"os"
	"testing"

	"lamella/loaders/codec"
)

func TestWebPSamplesAreThoseOfLibwebp(t *testing.T) {
	for name, c := range map[string]struct {
		pixels, samples int
	}{"odd": {29 * 37, 3}, "even": {30 * 38, 3}, "opacity": {17 * 20, 4}, "lossless": {13 * 11, 3}} {
		raw, err := os.ReadFile("testdata/webp_" + name + ".webp")
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("testdata/webp_" + name + ".raw")
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, c.pixels*c.samples)
		if err := codec.WebP(got, c.samples, raw); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %x instead of %x", name, err, got[:12], want[:12])
		}
		if codec.WebPOpacity(raw) != (c.samples == 4) {
			t.Errorf("%s: opacity %v", name, codec.WebPOpacity(raw))
		}
		// A picture without an opacity is opaque, one with it can do without.
		other := 7 - c.samples
		got = make([]byte, c.pixels*other)
		if err := codec.WebP(got, other, raw); err != nil {
			t.Fatal(err)
		}
		for i := range c.pixels {
			if !bytes.Equal(got[other*i:][:3], want[c.samples*i:][:3]) || other == 4 && got[4*i+3] != 255 {
				t.Fatalf("%s: pixel %d is %v with %d samples", name, i, got[other*i:][:other], other)
			}
		}
		if codec.WebP(got[1:], other, raw) == nil || codec.WebP(got, other, raw[:len(raw)/2]) == nil {
			t.Errorf("%s: too little room or half a picture gave no error", name)
		}
	}
}
