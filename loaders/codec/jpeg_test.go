package codec_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"lamella/loaders/codec"
)

// decodeJPEG is what a caller does.
func decodeJPEG(streams ...[]byte) ([]byte, error) {
	j, err := codec.ParseJPEG(streams...)
	if err != nil {
		return nil, err
	}
	out := make([]byte, j.Width*j.Height*len(j.Components))
	return out, j.Decode(out)
}

func TestJPEGSamplesAreThoseOfLibjpeg(t *testing.T) {
	names, _ := filepath.Glob("testdata/jpeg_*.jpg")
	if len(names) != 9 {
		t.Fatalf("%d pictures", len(names))
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name[:len(name)-3] + "raw")
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeJPEG(raw)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d samples instead of %d, %v", name, len(got), len(want), err)
			continue
		}
		different, most := 0, 0
		for i := range got {
			if d := max(int(got[i])-int(want[i]), int(want[i])-int(got[i])); d > 0 {
				different, most = different+1, max(most, d)
			}
		}
		if different > 0 {
			t.Errorf("%s: %d of %d samples differ, by up to %d", name, different, len(got), most)
		}
	}
}

func TestJPEGTablesMayStandInAStreamOfTheirOwn(t *testing.T) {
	raw, err := os.ReadFile("testdata/jpeg_420.jpg")
	if err != nil {
		t.Fatal(err)
	}
	want, err := decodeJPEG(raw)
	if err != nil {
		t.Fatal(err)
	}
	tables, rest := []byte{0xFF, 0xD8}, []byte{0xFF, 0xD8}
	for s := raw[2:]; ; {
		n := 2 + int(s[2])<<8 + int(s[3])
		if s[1] == 0xC4 || s[1] == 0xDB {
			tables = append(tables, s[:n]...)
		} else {
			rest = append(rest, s[:n]...)
		}
		if s[1] == 0xDA {
			rest = append(rest, s[n:]...)
			break
		}
		s = s[n:]
	}
	got, err := decodeJPEG(append(tables, 0xFF, 0xD9), rest)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("differs, %v", err)
	}
	if _, err := decodeJPEG(rest); !errors.Is(err, codec.ErrCorrupt) {
		t.Errorf("without its tables: %v", err)
	}
}

func TestDamagedJPEGIsAnErrorAndNeverAPicture(t *testing.T) {
	raw, err := os.ReadFile("testdata/jpeg_422.jpg")
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(raw) - 30 { // the last bytes may be padding and the end marker
		if _, err := decodeJPEG(raw[:n]); err == nil {
			t.Fatalf("%d of %d bytes make a picture", n, len(raw))
		}
	}
	if _, err := decodeJPEG(raw[:len(raw)/2]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half of it: %v", err)
	}
}

func FuzzJPEG(f *testing.F) {
	names, _ := filepath.Glob("testdata/jpeg_*.jpg")
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		j, err := codec.ParseJPEG(raw)
		if err != nil || j.Width*j.Height > 1<<16 {
			return
		}
		a := make([]byte, j.Width*j.Height*len(j.Components))
		b := make([]byte, len(a))
		again, _ := codec.ParseJPEG(raw)
		if j.Decode(a) == nil && (again.Decode(b) != nil || !bytes.Equal(a, b)) {
			t.Error("decodes to something else the second time")
		}
	})
}

func BenchmarkJPEG(b *testing.B) {
	raw, err := os.ReadFile("testdata/jpeg_420.jpg")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(37 * 29 * 3)
	for b.Loop() {
		if _, err := decodeJPEG(raw); err != nil {
			b.Fatal(err)
		}
	}
}
