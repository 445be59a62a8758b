package tiff

import (
	"bytes"
	"compress/zlib"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestDeflatedStripsMayLackTheirChecksumButNotContradictIt(t *testing.T) {
	l := &layout{compression: deflate, bits: 8, format: unsignedSample, samples: 1, segW: 4, segH: 3}
	pack := func(n int) []byte {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		if _, err := w.Write(bytes.Repeat([]byte{7}, n)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	wrong := func(p []byte) []byte {
		p = bytes.Clone(p)
		p[len(p)-1] ^= 1
		return p
	}
	for name, c := range map[string]struct {
		stored []byte
		good   bool
	}{
		"whole":                             {pack(12), true},
		"without its checksum":              {pack(12)[:len(pack(12))-4], true},
		"with half of its checksum":         {pack(12)[:len(pack(12))-2], true},
		"with a wrong checksum":             {wrong(pack(12)), false},
		"longer than it should be":          {pack(20), true},
		"longer, with a wrong checksum":     {wrong(pack(20)), false},
		"shorter than it should be":         {pack(11), false},
		"shorter, and without its checksum": {pack(11)[:len(pack(11))-4], false},
		"with bytes of another kind behind": {append(pack(12), 1, 2, 3), true},
		"nothing":                           {nil, false},
	} {
		got, err := new(bench).expand(l, bytes.Clone(c.stored), 3)
		if c.good && (err != nil || !bytes.Equal(got, bytes.Repeat([]byte{7}, 12))) || !c.good && !errors.Is(err, loaders.ErrDamaged) {
			t.Errorf("a strip %s: %v, %v", name, got, err)
		}
	}
}

func TestADamagedDeflatedPlaneIsNotShownAsGood(t *testing.T) {
	shared, why := loadertest.Shared()
	if why != "" {
		t.Skip("corrupt_deflate.tif was not read: " + why)
	}
	raw, err := os.ReadFile(filepath.Join(shared, "data", "hostile", "corrupt_deflate.tif"))
	if err != nil {
		t.Fatal(err)
	}
	a := mustOpen(t, raw).Images[0].Levels[0].Array
	if v, err := voxel(a, lazy.Index{}); !errors.Is(err, loaders.ErrDamaged) {
		t.Errorf("the first plane, whose checksum is wrong: %v, %v", v, err)
	}
	mustVoxel(t, a, lazy.Index{0, 1}) // the others are whole
}
