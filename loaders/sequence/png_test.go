package sequence_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/sequence"
	"lamella/loaders/store"
)

var ctx = context.Background()

// A drawing is a PNG to be encoded by the test: value gives each sample as it is stored.
type drawing struct {
	width, height, depth, colour int
	interlaced                   bool
	value                        func(x, y, s int) uint16
}

func (d drawing) samples() int { return map[int]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[d.colour] }

// encode writes the picture by the rules of ISO/IEC 15948, each row with a filter of its own.
func (d drawing) encode() []byte {
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	passes := [][4]int{{0, 0, 1, 1}}
	if d.interlaced {
		passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	step := max(1, d.samples()*d.depth/8)
	for _, p := range passes {
		var above []byte
		for y := p[1]; y < d.height; y += p[3] {
			var row []byte
			acc, have := 0, 0
			for x := p[0]; x < d.width; x += p[2] {
				for s := range d.samples() {
					v := d.value(x, y, s)
					if d.depth == 16 {
						row = binary.BigEndian.AppendUint16(row, v)
						continue
					}
					acc, have = acc<<d.depth|int(v), have+d.depth
					if have == 8 {
						row, acc, have = append(row, byte(acc)), 0, 0
					}
				}
			}
			if have > 0 {
				row = append(row, byte(acc<<(8-have)))
			}
			if len(row) == 0 {
				continue
			}
			if above == nil {
				above = make([]byte, len(row))
			}
			z.Write(filtered(byte(y%5), row, above, step))
			above = row
		}
	}
	z.Close()
	head := binary.BigEndian.AppendUint32(nil, uint32(d.width))
	head = binary.BigEndian.AppendUint32(head, uint32(d.height))
	interlace := byte(0)
	if d.interlaced {
		interlace = 1
	}
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, byte(d.depth), byte(d.colour), 0, 0, interlace))...)
	if d.colour == 3 {
		out = append(out, chunk("PLTE", bytes.Repeat([]byte{1, 2, 3}, 1<<d.depth))...)
	}
	half := pixels.Len() / 2 // two chunks, as the pixels may be cut anywhere
	out = append(out, chunk("IDAT", pixels.Bytes()[:half])...)
	out = append(out, chunk("IDAT", pixels.Bytes()[half:])...)
	return append(out, chunk("IEND", nil)...)
}

func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func filtered(kind byte, row, above []byte, step int) []byte {
	out := []byte{kind}
	for i, v := range row {
		left, corner := 0, 0
		if i >= step {
			left, corner = int(row[i-step]), int(above[i-step])
		}
		up := int(above[i])
		guess := 0
		switch kind {
		case 1:
			guess = left
		case 2:
			guess = up
		case 3:
			guess = (left + up) / 2
		case 4:
			p := left + up - corner
			guess = corner
			if d := abs(p - left); d <= abs(p-up) && d <= abs(p-corner) {
				guess = left
			} else if abs(p-up) <= abs(p-corner) {
				guess = up
			}
		}
		out = append(out, v-byte(guess))
	}
	return out
}

func abs(v int) int { return max(v, -v) }

func openBytes(raw []byte) (lazy.Dataset, error) {
	in := loaders.Input{Path: "a.png", Store: store.Memory{"a.png": raw}, Key: "a.png", Head: raw[:min(len(raw), 4096)]}
	if !(sequence.Picture{}).Sniff(ctx, in) {
		return lazy.Dataset{}, loaders.ErrFormat
	}
	return sequence.Picture{}.Open(ctx, in)
}

func TestPNGSamplesAreGivenAsTheyAreStored(t *testing.T) {
	for _, colour := range []struct {
		kind   int
		depths []int
	}{{0, []int{1, 2, 4, 8, 16}}, {2, []int{8, 16}}, {3, []int{1, 2, 4, 8}}, {4, []int{8, 16}}, {6, []int{8, 16}}} {
		for _, depth := range colour.depths {
			for _, interlaced := range []bool{false, true} {
				for _, size := range [][2]int{{1, 1}, {3, 2}, {9, 11}, {17, 8}} {
					r := rand.New(rand.NewPCG(1, uint64(depth)))
					var values [17 * 11 * 4]uint16
					for i := range values {
						values[i] = uint16(r.Uint32()) >> (16 - depth)
					}
					d := drawing{size[0], size[1], depth, colour.kind, interlaced, func(x, y, s int) uint16 { return values[(y*17+x)*4+s] }}
					name := fmt.Sprintf("colour type %d, %d bits, %v, interlaced %v", colour.kind, depth, size, interlaced)
					set, err := openBytes(d.encode())
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					a := set.Images[0].Levels[0].Array
					b, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					for y := range size[1] {
						for x := range size[0] {
							for s := range d.samples() {
								if got, want := b.Value(lazy.Index{0, 0, s, y, x}), float64(d.value(x, y, s)); got != want {
									t.Fatalf("%s: sample %d at %d, %d is %v, not %v", name, s, x, y, got, want)
								}
							}
						}
					}
					if rgb := colour.kind == 2 || colour.kind == 6; set.Images[0].RGB != rgb {
						t.Errorf("%s: RGB is %v", name, set.Images[0].RGB)
					}
					if colour.kind == 3 && len(set.Images[0].Channels[0].LUT) != 1<<depth {
						t.Errorf("%s: %d colours", name, len(set.Images[0].Channels[0].LUT))
					}
				}
			}
		}
	}
}

func TestWritePNGRoundTripsAndIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.png")
	grey := image.NewGray16(image.Rect(0, 0, 5, 3))
	grey.SetGray16(4, 2, color.Gray16{Y: 0x1234})
	if err := sequence.WritePNG(path, grey, false); err != nil {
		t.Fatal(err)
	}
	if err := sequence.WritePNG(path, grey, false); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("an existing file: %v", err)
	}
	rgba := image.NewRGBA(image.Rect(0, 0, 4, 4))
	if err := sequence.WritePNG(path, rgba, true); err != nil {
		t.Errorf("overwriting: %v", err)
	}
	if err := sequence.WritePNG(filepath.Join(dir, "b.png"), image.NewRGBA(image.Rectangle{}), false); err == nil {
		t.Error("a picture without pixels was written")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := sequence.WritePNG(path, grey, true); err != nil {
		t.Fatal(err)
	}
	set, err := formats.Open(ctx, path, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	b, err := loadertest.Read(ctx, set.Images[0].Levels[0].Array, lazy.Shape{1, 1, 1, 3, 5}.Whole())
	if err != nil || b.Value(lazy.Index{0, 0, 0, 2, 4}) != 0x1234 {
		t.Errorf("read back: %v", err)
	}
}

func TestDamagedPicturesAreRefused(t *testing.T) {
	good := drawing{9, 7, 8, 2, false, func(x, y, s int) uint16 { return uint16(x + y + s) }}.encode()
	for name, raw := range map[string][]byte{
		"cut in the pixels":  good[:len(good)-40],
		"cut in the header":  good[:20],
		"no pixels":          append(append([]byte{}, good[:33]...), chunk("IEND", nil)...),
		"3 bits a sample":    patched(good, 24, 3),
		"colour type 5":      patched(good, 25, 5),
		"0 pixels wide":      patched(good, 19, 0),
		"an unknown filter":  drawnWith(9),
		"a million rows":     patched(good, 21, 16),
		"palette is missing": patched(good, 25, 3),
	} {
		set, err := openBytes(raw)
		if err == nil {
			a := set.Images[0].Levels[0].Array
			_, err = loadertest.Read(ctx, a, a.Meta().Shape.Whole())
		}
		if err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}

func patched(raw []byte, at int, v byte) []byte {
	out := append([]byte(nil), raw...)
	out[at] = v
	return out
}

// drawnWith is a picture of one pixel whose row has a filter that does not exist.
func drawnWith(filter byte) []byte {
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	z.Write([]byte{filter, 7})
	z.Close()
	raw := drawing{1, 1, 8, 0, false, func(int, int, int) uint16 { return 7 }}.encode()
	out := append([]byte(nil), raw[:33]...)
	return append(append(out, chunk("IDAT", pixels.Bytes())...), chunk("IEND", nil)...)
}

// FuzzPNG holds our decoder against the standard library's: where that one reads an 8-bit colour
// picture, ours gives the same samples, and neither ever panics.
func FuzzPNG(f *testing.F) {
	for _, d := range []drawing{
		{5, 4, 8, 2, false, func(x, y, s int) uint16 { return uint16(x * y) }},
		{5, 4, 8, 6, true, func(x, y, s int) uint16 { return uint16(x + s) }},
		{5, 4, 4, 3, false, func(x, y, s int) uint16 { return uint16(x) }},
		{5, 4, 16, 0, false, func(x, y, s int) uint16 { return uint16(x << 9) }},
	} {
		f.Add(d.encode())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		set, err := openBytes(raw)
		if err != nil {
			return
		}
		defer set.Close()
		a := set.Images[0].Levels[0].Array
		s := a.Meta().Shape
		if s.Voxels() > 1<<20 {
			return
		}
		b, err := loadertest.Read(ctx, a, s.Whole())
		if err != nil {
			return
		}
		want, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			return
		}
		p, ok := want.(*image.NRGBA)
		if !ok || s[lazy.C] != 4 {
			return
		}
		for y := range s[lazy.Y] {
			for x := range s[lazy.X] {
				for c := range 4 {
					if got := b.Value(lazy.Index{0, 0, c, y, x}); got != float64(p.Pix[y*p.Stride+4*x+c]) {
						t.Fatalf("sample %d at %d, %d is %v, not %v", c, x, y, got, p.Pix[y*p.Stride+4*x+c])
					}
				}
			}
		}
	})
}
