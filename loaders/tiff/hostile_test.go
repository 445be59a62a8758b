package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

func TestBR025ADirectoryThatPointsAtItself(t *testing.T) {
	_, err := files{"a.tif": {0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0}}.open(t, "a.tif")
	if err == nil || !strings.Contains(err.Error(), "directory chain is cyclic") || !strings.Contains(err.Error(), "a.tif") {
		t.Errorf("got %v", err)
	}
	raw := built(sheet{width: 4, height: 3, value: 1}, sheet{width: 4, height: 3, value: 2})
	second := binary.LittleEndian.Uint32(raw[4:])
	n := binary.LittleEndian.Uint16(raw[second:])
	third := binary.LittleEndian.Uint32(raw[second+2+12*uint32(n):])
	binary.LittleEndian.PutUint32(raw[third+2+12*uint32(n):], second)
	set := mustOpen(t, raw)
	a := set.Images[0].Levels[0].Array
	if a.Meta().Shape[lazy.Z] != 2 || mustVoxel(t, a, lazy.Index{0, 1}) != 2 || !strings.Contains(strings.Join(set.Warnings, ";"), "directory chain is cyclic") {
		t.Errorf("%v, warnings %q", a.Meta().Shape, set.Warnings)
	}
}

func TestDamagedDirectoriesAreRefusedWithAReason(t *testing.T) {
	page := func(tags ...tag) []byte { return built(sheet{width: 4, height: 3, tags: tags}) }
	whole := page()
	for name, c := range map[string]struct {
		raw  []byte
		kind error
		word string
	}{
		"nothing":                   {nil, loaders.ErrFormat, ""},
		"only a header":             {whole[:8], loaders.ErrDamaged, "directory"},
		"the directory is cut":      {whole[:len(whole)-20], loaders.ErrDamaged, "tags"},
		"no first directory":        {[]byte("II*\x00\x00\x00\x00\x00"), loaders.ErrDamaged, "no page"},
		"0 pixels wide":             {page(longTag(tagWidth, 0)), loaders.ErrDamaged, "0 x 3"},
		"0 bits":                    {page(shortTag(tagBits, 0)), loaders.ErrDamaged, "0 bits"},
		"samples of two sizes":      {page(shortTag(tagSamples, 3), shortTag(tagBits, 5, 6, 5)), loaders.ErrUnsupported, "differ"},
		"complex numbers":           {page(shortTag(tagSampleFormat, 6)), loaders.ErrUnsupported, "complex"},
		"a compression by name":     {page(shortTag(tagCompression, 34887)), loaders.ErrUnsupported, "lerc"},
		"a compression by number":   {page(shortTag(tagCompression, 4242)), loaders.ErrUnsupported, "4242"},
		"2^64 pixels":               {page(longTag(tagWidth, 1<<32-1), longTag(tagHeight, 1<<32-1), longTag(tagRowsPerStrip, 1<<32-1)), loaders.ErrDamaged, "more than any file"},
		"a row longer than all":     {page(longTag(tagWidth, 1<<30)), loaders.ErrDamaged, "rows of"},
		"a gigantic strip":          {page(shortTag(tagCompression, zstd), longTag(tagWidth, 1<<20), longTag(tagHeight, 1<<20), longTag(tagRowsPerStrip, 1<<20)), loaders.ErrUnsupported, "memory"},
		"more than deflate holds":   {page(shortTag(tagCompression, deflate), longTag(tagWidth, 1<<14), longTag(tagHeight, 1<<13), longTag(tagRowsPerStrip, 1<<13)), loaders.ErrDamaged, "cannot hold"},
		"2^32 strips":               {page(tag{tagStripOffsets, kindLong, 1<<32 - 1, []byte{8, 0, 0, 0, 0}}), loaders.ErrDamaged, "claims"},
		"too few strips":            {page(longTag(tagRowsPerStrip, 1)), loaders.ErrDamaged, "offsets of 1"},
		"tiles without a size":      {page(longTag(tagTileWidth, 0), longTag(tagTileHeight, 0)), loaders.ErrDamaged, "tile"},
		"predictor 3 of integers":   {page(shortTag(tagCompression, lzw), shortTag(tagPredictor, 3)), loaders.ErrDamaged, "predictor"},
		"predictor 77":              {page(shortTag(tagCompression, lzw), shortTag(tagPredictor, 77)), loaders.ErrUnsupported, "77"},
		"a width of text":           {page(asciiTag(tagWidth, "four")), loaders.ErrDamaged, "integer"},
		"planes behind one another": {page(longTag(tagDepth, 9)), loaders.ErrUnsupported, "ImageDepth"},
	} {
		_, err := files{"a.tif": c.raw}.open(t, "a.tif")
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.word) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamagedPixelsAreAnErrorOfTheirPlane(t *testing.T) {
	for name, tags := range map[string][]tag{
		"a strip beyond the end": {longTag(tagStripOffsets, 1<<30)},
		"a strip that is short":  {longTag(tagStripCounts, 5)},
		"a broken stream":        {shortTag(tagCompression, deflate)},
		"no LZW":                 {shortTag(tagCompression, lzw)},
		"no JPEG":                {shortTag(tagCompression, newJPEG)},
		"no fax":                 {shortTag(tagCompression, faxG3), shortTag(tagBits, 1)},
		"no xz":                  {shortTag(tagCompression, lzma)},
		"no WebP":                {shortTag(tagCompression, webP), shortTag(tagSamples, 3), shortTag(tagBits, 8, 8, 8)},
	} {
		set, err := files{"a.tif": built(sheet{width: 4, height: 3, value: 255}, sheet{width: 4, height: 3, value: 255, tags: tags})}.open(t, "a.tif")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		image := set.Images[len(set.Images)-1]
		a := image.Levels[0].Array
		if _, err := voxel(a, lazy.Index{0, a.Meta().Shape[lazy.Z] - 1}); err == nil || !strings.Contains(err.Error(), "a.tif") {
			t.Errorf("%s: %v", name, err)
		}
		if got := mustVoxel(t, set.Images[0].Levels[0].Array, lazy.Index{}); got != 255 {
			t.Errorf("%s: the sound plane reads %v", name, got)
		}
	}
}

func TestSparseTilesReadAsZero(t *testing.T) {
	set := mustOpen(t, built(sheet{width: 4, height: 3, value: 7, tags: []tag{longTag(tagStripOffsets, 0), longTag(tagStripCounts, 0)}}))
	if got := mustVoxel(t, set.Images[0].Levels[0].Array, lazy.Index{}); got != 0 {
		t.Errorf("reads %v", got)
	}
}

// FuzzFile opens any bytes as a TIFF. Whatever opens has metadata that make sense, and its first and
// last voxel can be asked for; if both can be had, they are the same when asked for again.
func FuzzFile(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.tif")
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add(built(sheet{width: 4, height: 3, tags: []tag{asciiTag(tagDescription, "ImageJ=1\nimages=3\nslices=3\n")}}))
	f.Add(ome(2, pixels("XYZCT", 2, 1, 1, `<TiffData/>`)))
	f.Add([]byte("II+\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		set, err := files{"a.tif": raw}.open(t, "a.tif")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		for _, image := range set.Images {
			for _, l := range image.Levels {
				m := l.Array.Meta()
				last := lazy.Index{}
				for a := range lazy.Rank {
					if m.Shape[a] < 1 || m.Chunk[a] < 1 {
						t.Fatalf("shape %v, chunk %v", m.Shape, m.Chunk)
					}
					last[a] = m.Shape[a] - 1
				}
				src := l.Array.Node().Source.(*source)
				for _, i := range []lazy.Index{{}, last} {
					if src.Grain(lazy.At(i, lazy.Shape{1, 1, 1, 1, 1})).Voxels() > 1<<14 {
						continue
					}
					first, err := voxel(l.Array, i)
					if err != nil {
						continue
					}
					if again, err := voxel(l.Array, i); err != nil || again != first && first == first {
						t.Errorf("%v: %v, then %v, %v", i, first, again, err)
					}
				}
			}
		}
	})
}

func TestOfATagThatComesTwiceTheFirstHolds(t *testing.T) {
	raw := built(sheet{width: 4, height: 3, value: 7})
	at := bytes.Index(raw, []byte{0x03, 0x01, 3, 0, 1, 0, 0, 0}) // the compression, which is none where it is not stated
	if at < 0 {
		t.Fatal("the sheet does not state its compression")
	}
	copy(raw[at:], []byte{0x02, 0x01, 3, 0, 1, 0, 0, 0, 16, 0}) // bits of a sample once more
	a := mustOpen(t, raw).Images[0].Levels[0].Array
	if m := a.Meta(); m.DType != lazy.U8 || mustVoxel(t, a, lazy.Index{}) != 7 {
		t.Errorf("%v, the first voxel is %v", m.DType, mustVoxel(t, a, lazy.Index{}))
	}
}

// A file that is cut short says what is lost with its end, also where a first page is left.
func TestWhatIsLostWithTheEndOfAFileIsSaid(t *testing.T) {
	pages := built(sheet{width: 4, height: 3}, sheet{width: 4, height: 3, value: 1})
	_, second, err := newReader(store.Bytes("a.tif", pages), mustHeader(t, pages)).directory(t.Context(), mustHeader(t, pages).first)
	if err != nil {
		t.Fatal(err)
	}
	described := ome(1, pixels("XYZCT", 1, 1, 1, `<TiffData/>`))
	text := int64(bytes.Index(described, []byte("<?xml")))
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"within the second directory": {pages[:second+10], "claims"},
		"before the second directory": {pages[:second], "directory at"},
		"within the description":      {described[:text+30], "the description cannot be read"},
	} {
		set, err := files{"a.tif": c.raw}.open(t, "a.tif")
		if err != nil || !strings.Contains(strings.Join(set.Warnings, "; "), c.want) {
			t.Errorf("%s: the warnings are %q, %v, want %q", name, set.Warnings, err, c.want)
		}
	}
}

func mustHeader(t *testing.T, raw []byte) header {
	t.Helper()
	h, ok := parseHeader(raw[:16])
	if !ok {
		t.Fatal("no header")
	}
	return h
}

// A pointer to the next directory of which some bytes are missing is no end of the chain, as one that a writer has left out is.
func TestAPointerThatIsCutOffIsNoEnd(t *testing.T) {
	one := built(sheet{width: 4, height: 3})
	h := mustHeader(t, one)
	n := int64(h.order.Uint16(one[h.first:]))
	end := h.first + 2 + 12*n
	for left, want := range map[int64]bool{0: false, 1: true, 3: true, 4: false} {
		cut := append(bytes.Clone(one[:end]), make([]byte, left)...)
		_, next, err := newReader(store.Bytes("a.tif", cut), h).directory(t.Context(), h.first)
		if err != nil || (next != 0) != want {
			t.Errorf("%d bytes of it: next %d, %v", left, next, err)
		}
	}
}
