package codec

import (
	"os"
	"testing"
)

// decodeWide decodes a stream by whichever of the two decoders knows it.
func decodeWide(p []byte, most int) (samples []uint16, components int, err error) {
	if j, err := ParseJPEGLS(p); err == nil {
		n := j.Width * j.Height * j.Components
		if n > most {
			return nil, 0, nil
		}
		out := make([]uint16, n)
		return out, j.Components, j.Decode(out)
	}
	j, err := ParseJPEG(p)
	if err != nil {
		return nil, 0, err
	}
	n := j.Width * j.Height * len(j.Components)
	if n > most {
		return nil, 0, nil
	}
	out := make([]uint16, n)
	return out, len(j.Components), j.DecodeWide(out)
}

var wideStreams = []string{"wide_lossless.jpg", "wide_sv1.jpg", "wide_jpegls.jls", "wide_jpegls_line.jls", "wide_jpegls_sample.jls"}

// The samples of row y and column x are 8 y + x, and one more for each component: see makewide.py.
func TestStreamsWithoutLossGiveTheSamplesThatWerePacked(t *testing.T) {
	for _, name := range wideStreams {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got, n, err := decodeWide(p, 1<<20)
		if err != nil || len(got) != 48*n {
			t.Errorf("%s: %d samples, %v", name, len(got), err)
			continue
		}
		for i, v := range got {
			if int(v) != i/n+i%n {
				t.Errorf("%s: sample %d is %d", name, i, v)
				break
			}
		}
		for cut := range len(p) - 2 {
			if got, _, err := decodeWide(p[:cut], 1<<20); err == nil && cut < len(p)-8 {
				t.Errorf("%s cut to %d of %d bytes gives %v", name, cut, len(p), got)
				break
			}
		}
	}
}

func FuzzWideStreams(f *testing.F) {
	for _, name := range wideStreams {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) { decodeWide(p, 1<<16) })
}
