package codec_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lamella/loaders/codec"
)

func TestWhatLibtiffPackedUnpacks(t *testing.T) {
	for word, decode := range map[string]func(dst, src []byte) (int, error){"lzw": codec.LZW, "packbits": codec.PackBits} {
		for _, v := range vectors(t, word) {
			got := make([]byte, len(v.raw))
			if n, err := decode(got, v.packed); n != len(got) || err != nil || !bytes.Equal(got, v.raw) {
				t.Errorf("%s: %d of %d bytes, %v", v.Name, n, len(got), err)
			}
			// A shorter destination gets the first bytes of the same.
			for _, n := range []int{0, 1, 7, 100, len(got) - 1} {
				short := make([]byte, n)
				if m, err := decode(short, v.packed); m != n || err != nil || !bytes.Equal(short, v.raw[:n]) {
					t.Errorf("%s: %d bytes of it: %d, %v", v.Name, n, m, err)
				}
			}
			// Cut data give what they hold and say that they end early.
			for _, n := range []int{0, 1, 2, 10} {
				m, err := decode(got, v.packed[:n])
				if m == len(got) || !bytes.Equal(got[:m], v.raw[:m]) || word == "lzw" && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s cut to %d: %d bytes, %v", v.Name, n, m, err)
				}
			}
		}
	}
}

func TestPredictorsOfLibtiffAreUndone(t *testing.T) {
	for _, v := range vectors(t, "undiff") {
		got := slices.Clone(v.packed)
		if err := codec.Undiff(got, v.Row, v.Samples, v.Size); err != nil || !bytes.Equal(got, v.raw) {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	for _, v := range vectors(t, "float") {
		got := make([]byte, len(v.raw))
		if err := codec.UndiffFloat(got, slices.Clone(v.packed), v.Row, v.Samples, v.Size); err != nil || !bytes.Equal(got, v.raw) {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

func TestUndiffIsTheSumAlongTheRowModuloItsType(t *testing.T) {
	for _, c := range []struct {
		name               string
		row, samples, size int
		in, want           []byte
	}{
		{"bytes wrap at 256", 4, 1, 1, []byte{200, 100, 1, 255}, []byte{200, 44, 45, 44}},
		{"two rows do not mix", 2, 1, 1, []byte{1, 1, 5, 5}, []byte{1, 2, 5, 10}},
		{"samples do not mix", 6, 3, 1, []byte{1, 2, 3, 1, 1, 1}, []byte{1, 2, 3, 2, 3, 4}},
		{"a cut row of three samples", 9, 3, 1, []byte{1, 2, 3, 4, 5}, []byte{1, 2, 3, 5, 7}},
		{"two samples of two bytes", 8, 2, 2, le16(1, 2, 65535, 3), le16(1, 2, 0, 5)},
		{"four bytes", 8, 1, 4, []byte{255, 255, 255, 255, 2, 0, 0, 0}, []byte{255, 255, 255, 255, 1, 0, 0, 0}},
		{"eight bytes", 16, 1, 8, append(bytes.Repeat([]byte{255}, 8), 1, 0, 0, 0, 0, 0, 0, 0), append(bytes.Repeat([]byte{255}, 8), make([]byte, 8)...)},
	} {
		p := slices.Clone(c.in)
		codec.Native(p, c.size, binary.LittleEndian)
		err := codec.Undiff(p, c.row, c.samples, c.size)
		codec.Native(p, c.size, binary.LittleEndian)
		if err != nil || !bytes.Equal(p, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, p, err, c.want)
		}
	}
	for _, bad := range [][3]int{{0, 1, 1}, {3, 2, 1}, {4, 0, 1}, {4, 1, 0}, {6, 1, 3}, {-4, 1, 1}} {
		if codec.Undiff(make([]byte, 12), bad[0], bad[1], bad[2]) == nil {
			t.Errorf("row %d, samples %d, size %d: no error", bad[0], bad[1], bad[2])
		}
	}
}

func le16(v ...uint16) []byte {
	var p []byte
	for _, x := range v {
		p = binary.LittleEndian.AppendUint16(p, x)
	}
	return p
}

// TestPredictor3OfEverySizeIsUndone packs by the rule of the technical note and undoes it.
func TestPredictor3OfEverySizeIsUndone(t *testing.T) {
	for _, size := range []int{2, 3, 4, 8} {
		for _, samples := range []int{1, 3} {
			const columns, rows = 10, 3
			n := columns * samples
			want := make([]byte, rows*n*size) // big-endian values
			for i := range want {
				want[i] = byte(rand.N(256))
			}
			var packed []byte
			for r := range rows {
				row := make([]byte, n*size)
				for i := range n {
					for b := range size {
						row[b*n+i] = want[(r*n+i)*size+b]
					}
				}
				for i := len(row) - 1; i >= samples; i-- {
					row[i] -= row[i-samples]
				}
				packed = append(packed, row...)
			}
			got := make([]byte, len(want))
			if err := codec.UndiffFloat(got, packed, n*size, samples, size); err != nil {
				t.Fatal(err)
			}
			if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 { // to big-endian, whatever the size
				for v := range slices.Chunk(got, size) {
					slices.Reverse(v)
				}
			}
			if !bytes.Equal(got, want) {
				t.Errorf("size %d, %d samples: wrong", size, samples)
			}
		}
	}
	if codec.UndiffFloat(make([]byte, 10), make([]byte, 10), 4, 1, 4) == nil {
		t.Error("half a row gave no error")
	}
}

func TestSwapReversesEachValueAndIsItsOwnInverse(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8} {
		for n := range 40 {
			p := make([]byte, n)
			for i := range p {
				p[i] = byte(i)
			}
			codec.Swap(p, size)
			for i := range p {
				want := i/size*size + size - 1 - i%size
				if i >= n/size*size {
					want = i
				}
				if int(p[i]) != want {
					t.Fatalf("size %d, %d bytes: %v", size, n, p)
				}
			}
		}
	}
	p := binary.BigEndian.AppendUint32(nil, math.Float32bits(1.5))
	codec.Native(p, 4, binary.BigEndian)
	if v := math.Float32frombits(binary.NativeEndian.Uint32(p)); v != 1.5 {
		t.Errorf("1.5 became %v", v)
	}
}

// lzwPack is TIFF's LZW encoder by the book (TIFF 6.0, section 13), in both packings.
func lzwPack(raw []byte, old bool) []byte {
	var out []byte
	var acc, have uint
	put := func(code, width uint) {
		if old {
			acc |= code << have
			for have += width; have >= 8; have -= 8 {
				out = append(out, byte(acc))
				acc >>= 8
			}
			return
		}
		acc = acc<<width | code
		for have += width; have >= 8; have -= 8 {
			out = append(out, byte(acc>>(have-8)))
		}
		acc &= 1<<have - 1
	}
	early := uint(1)
	if old {
		early = 0
	}
	table, next, width := map[string]uint{}, uint(258), uint(9)
	code := func(s string) uint {
		if len(s) == 1 {
			return uint(s[0])
		}
		return table[s]
	}
	put(256, 9)
	w := ""
	for _, b := range raw {
		if _, known := table[w+string([]byte{b})]; known || w == "" {
			w += string([]byte{b})
			continue
		}
		put(code(w), width)
		table[w+string([]byte{b})] = next
		if next++; next > 1<<width-early {
			width++
		}
		if next == 4094 {
			put(256, width)
			table, next, width = map[string]uint{}, 258, 9
		}
		w = string([]byte{b})
	}
	if w != "" {
		put(code(w), width)
		if next++; next > 1<<width-early && width < 12 {
			width++
		}
	}
	put(257, width)
	put(0, 7)
	return out
}

func FuzzLZWRoundTrip(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaabababababab"), false)
	f.Add(bytes.Repeat([]byte{0, 1, 2, 3, 5, 8}, 4000), true)
	long := make([]byte, 60_000)
	for i := range long {
		long[i] = byte(i * i >> 7)
	}
	f.Add(long, false)
	f.Fuzz(func(t *testing.T, raw []byte, old bool) {
		packed := lzwPack(raw, old)
		if old && (packed[0] != 0 || packed[1]&1 != 1) {
			t.Fatal("the old packing does not look like it")
		}
		got := make([]byte, len(raw)+1)
		if n, err := codec.LZW(got, packed); n != len(raw) || err != nil || !bytes.Equal(got[:n], raw) {
			t.Fatalf("%d of %d bytes, %v", n, len(raw), err)
		}
		codec.LZW(got, raw) // never panics
	})
}

func TestLZWRefusesCodesBeforeTheyAreDefined(t *testing.T) {
	// 256 (clear), 65, then 300, nine bits each from the high bit on.
	packed := []byte{0x80, 0x10, 0x65, 0x80}
	n, err := codec.LZW(make([]byte, 100), packed)
	if n != 1 || !errors.Is(err, codec.ErrCorrupt) {
		t.Errorf("%d, %v", n, err)
	}
}

func FuzzPackBitsNeverPanics(f *testing.F) {
	// The example of TIFF 6.0, section 9.
	example := []byte{0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa}
	want := []byte{0xaa, 0xaa, 0xaa, 0x80, 0x00, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa, 0x80, 0x00, 0x2a, 0x22, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa}
	got := make([]byte, 24)
	if n, err := codec.PackBits(got, example); n != 24 || err != nil || !bytes.Equal(got, want) {
		f.Errorf("the example of the specification: %x, %v", got[:n], err)
	}
	f.Add(example, 24)
	f.Fuzz(func(t *testing.T, src []byte, n int) {
		codec.PackBits(make([]byte, max(0, min(n, 1000))), src)
	})
}

func BenchmarkLZW(b *testing.B) {
	raw := texture(2 << 20)
	packed := lzwPack(raw, false)
	dst := make([]byte, len(raw))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := codec.LZW(dst, packed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUndiff16(b *testing.B) {
	p := texture(2 << 20)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		codec.Undiff(p, 4096, 1, 2)
	}
}

// texture is predicted 12-bit voxels, little-endian: small differences with noise, as microscopes
// give them.
func texture(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	p := make([]byte, 0, n)
	for len(p) < n {
		p = binary.LittleEndian.AppendUint16(p, uint16(int16(r.NormFloat64()*6)))
	}
	return p
}
