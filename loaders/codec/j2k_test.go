package codec

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"testing"
)

var j2kStreams = map[string]int{"reversible": 0, "tiles": 0, "precincts": 0, "irreversible": 1, "layers": 2}

// The samples are those of OpenJPEG: the very same where nothing was rounded, and else as near as
// arithmetic of 32 bits comes to that of 64.
func TestJPEG2000GivesTheSamplesOfOpenJPEG(t *testing.T) {
	for name, near := range j2kStreams {
		p, err := os.ReadFile("testdata/j2k_" + name + ".j2k")
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile("testdata/j2k_" + name + ".raw")
		if err != nil {
			t.Fatal(err)
		}
		j, err := ParseJPEG2000(p)
		if err != nil || j.Width != 45 || j.Height != 37 || len(raw) != 2*45*37*j.Components {
			t.Errorf("%s: %v, %v", name, j, err)
			continue
		}
		got := make([]uint16, len(raw)/2)
		if err := j.Decode(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i, v := range got {
			if d := int(v) - int(binary.LittleEndian.Uint16(raw[2*i:])); d > near || -d > near {
				t.Errorf("%s: sample %d is %d off", name, i, d)
				break
			}
		}
		for cut := range len(p) - 3 {
			j, err := ParseJPEG2000(p[:cut])
			if err == nil {
				err = j.Decode(got)
			}
			if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s cut to %d of %d bytes: %v", name, cut, len(p), err)
				break
			}
		}
	}
}

func FuzzJPEG2000(f *testing.F) {
	for name := range j2kStreams {
		p, err := os.ReadFile("testdata/j2k_" + name + ".j2k")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		j, err := ParseJPEG2000(p)
		if err == nil && j.Width*j.Height*j.Components < 1<<14 {
			j.Decode(make([]uint16, j.Width*j.Height*j.Components))
		}
	})
}
