package codec_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"lamella/lazy"
	"lamella/loaders/codec"
)

type decoder = func(dst, src []byte) (int, error)

var decoders = map[string]decoder{
	"zlib": codec.Zlib, "gzip": codec.Gzip, "bz2": codec.Bz2, "zstd": codec.Zstd, "lz4": codec.LZ4, "blosc": codec.Blosc,
	"packbools": codec.PackedBools, "lzma": codec.XZ,
	"lzmafile": func(dst, src []byte) (int, error) { return codec.LZMA(dst, src, 2, false, 0, 0) },
	"lzmaraw":  func(dst, src []byte) (int, error) { return codec.LZMA(dst, src, 3, false, 0, 2) },
	"lzmaold":  func(dst, src []byte) (int, error) { return codec.LZMA(dst, src, 3, true, 1+9*(1+5*1), 0) },
}

func TestWhatNumcodecsPackedUnpacks(t *testing.T) {
	for word, decode := range decoders {
		for _, v := range vectors(t, word) {
			got := make([]byte, len(v.raw)+5)
			if n, err := decode(got, v.packed); n != len(v.raw) || err != nil || !bytes.Equal(got[:n], v.raw) {
				t.Errorf("%s: %d of %d bytes, %v", v.Name, n, len(v.raw), err)
			}
		}
	}
}

func TestNoMoreIsDecodedThanTheDestinationTakes(t *testing.T) {
	for word, decode := range decoders {
		for _, v := range vectors(t, word) {
			if len(v.raw) == 0 {
				continue
			}
			short := make([]byte, len(v.raw)-1, len(v.raw)+100)
			if _, err := decode(short, v.packed); !errors.Is(err, codec.ErrLong) {
				t.Errorf("%s into one byte less: %v, want ErrLong", v.Name, err)
			}
			if !bytes.Equal(short[len(short):cap(short)], make([]byte, 101)) {
				t.Errorf("%s wrote beyond its destination", v.Name)
			}
		}
	}
}

func TestCutDataAreAnErrorOrShort(t *testing.T) {
	for word, decode := range decoders {
		for _, v := range vectors(t, word) {
			for _, n := range []int{0, 1, 5, 17, len(v.packed) / 2, len(v.packed) - 1} {
				if len(v.raw) == 0 || n >= len(v.packed) || word == "lzma" && n > len(v.packed)-40 {
					continue // the index and the footer of .xz are not looked at
				}
				got := make([]byte, len(v.raw))
				if m, err := decode(got, v.packed[:n]); err == nil && m == len(v.raw) {
					t.Errorf("%s cut to %d of %d bytes decodes whole", v.Name, n, len(v.packed))
				}
			}
		}
	}
}

func TestPartsOfABloscBufferAreThoseOfTheWhole(t *testing.T) {
	for _, v := range vectors(t, "blosc") {
		for range 50 {
			a := rand.N(len(v.raw) + 1)
			b := a + rand.N(len(v.raw)-a+1)
			got := make([]byte, b-a)
			if err := codec.BloscRange(got, v.packed, len(v.packed), a, len(v.raw)); err != nil || !bytes.Equal(got, v.raw[a:b]) {
				t.Fatalf("%s: bytes %d to %d: %v", v.Name, a, b, err)
			}
		}
		if codec.BloscRange(nil, v.packed, len(v.packed), 0, len(v.raw)+1) == nil {
			t.Errorf("%s: another size than expected gave no error", v.Name)
		}
	}
}

func TestPackedByBloscUnpacks(t *testing.T) {
	for _, name := range []string{"lz4", "zstd"} {
		for _, size := range []int{1, 2, 3, 4, 8} {
			for _, n := range []int{0, 1, 7, 16, 100, 256 << 10, 256<<10 + 1, 600_000} {
				for _, raw := range [][]byte{texture(n + 1)[:n], noise(n), make([]byte, n)} {
					p := codec.BloscPacker{Codec: name, TypeSize: size}
					packed, err := p.Pack([]byte("before"), raw)
					if err != nil {
						t.Fatal(err)
					}
					got := make([]byte, n)
					m, err := codec.Blosc(got, packed[6:])
					if m != n || err != nil || !bytes.Equal(got, raw) {
						t.Fatalf("%s, %d bytes of values of %d: %d bytes, %v", name, n, size, m, err)
					}
					if len(packed)-6 > n+16 {
						t.Errorf("%s, %d bytes became %d", name, n, len(packed)-6)
					}
					again, _ := p.Pack([]byte("before"), raw)
					if !bytes.Equal(again, packed) {
						t.Errorf("%s, %d bytes: packed differently the second time", name, n)
					}
				}
			}
		}
	}
	if _, err := (codec.BloscPacker{Codec: "none", TypeSize: 1}).Pack(nil, []byte("x")); err == nil {
		t.Error("a packer of no name gave no error")
	}
}

// TestNumcodecsReadsWhatIsPacked hands buffers to c-blosc, by python3-numcodecs.
func TestNumcodecsReadsWhatIsPacked(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numcodecs").Run() != nil {
		t.Skip("c-blosc did not read our buffers: there is no python3-numcodecs")
	}
	dir := t.TempDir()
	for _, name := range []string{"lz4", "zstd"} {
		for _, size := range []int{1, 2, 4, 8} {
			for _, n := range []int{3, 1000, 700_001} {
				raw := texture(n + 1)[:n]
				packed, err := codec.BloscPacker{Codec: name, TypeSize: size}.Pack(nil, raw)
				if err != nil {
					t.Fatal(err)
				}
				base := filepath.Join(dir, fmt.Sprint(name, "-", size, "-", n))
				os.WriteFile(base+".raw", raw, 0o666)
				os.WriteFile(base+".packed", packed, 0o666)
			}
		}
	}
	out, err := exec.Command(python, "-c", `
import glob, sys, numcodecs
for p in glob.glob(sys.argv[1] + "/*.packed"):
    if bytes(numcodecs.Blosc().decode(open(p, "rb").read())) != open(p[:-6] + "raw", "rb").read():
        print("differs:", p)
`, dir).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

func TestUnshuffleIsTheInverseOfShuffle(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 5, 8, 16} {
		for n := range 200 {
			raw, mixed, back := noise(n), make([]byte, n), make([]byte, n)
			codec.Shuffle(mixed, raw, size)
			for i := range n / size * size {
				if want := raw[i]; mixed[i%size*(n/size)+i/size] != want {
					t.Fatalf("size %d, %d bytes: byte %d is not where it belongs", size, n, i)
				}
			}
			codec.Unshuffle(back, mixed, size)
			if !bytes.Equal(back, raw) {
				t.Fatalf("size %d, %d bytes: not the same", size, n)
			}
		}
	}
}

func TestFiltersOfNumcodecsAreUndone(t *testing.T) {
	for _, v := range vectors(t, "shuffle") {
		got := make([]byte, len(v.raw))
		if codec.Unshuffle(got, v.packed, v.Size); !bytes.Equal(got, v.raw) {
			t.Error(v.Name)
		}
	}
	for word, d := range map[string]lazy.DType{"delta i2": lazy.I16, "delta f4": lazy.F32} {
		v := vectors(t, word)[0]
		got := slices.Clone(v.packed)
		if codec.Undelta(got, d); !bytes.Equal(got, v.raw) {
			t.Error(v.Name)
		}
	}
	v := vectors(t, "scaleoffset")[0]
	got := make([]byte, len(v.raw))
	if err := codec.Unscale(got, lazy.F64, v.packed, lazy.U16, v.Scale, v.Offset); err != nil || !bytes.Equal(got, v.raw) {
		t.Errorf("%s: %v", v.Name, err)
	}
	if codec.Unscale(got, lazy.F64, v.packed[1:], lazy.U16, 1, 0) == nil {
		t.Error("half a value gave no error")
	}
}

func TestChecksums(t *testing.T) {
	for _, c := range []struct {
		name string
		got  uint32
		want uint32
	}{
		// RFC 3720, B.4: 32 bytes of zeros, and of ones.
		{"crc32c of zeros", codec.CRC32C(make([]byte, 32)), 0x8a9136aa},
		{"crc32c of ones", codec.CRC32C(bytes.Repeat([]byte{0xff}, 32)), 0x62a8ab43},
		{"crc32 of 123456789", codec.CRC32([]byte("123456789")), 0xcbf43926},
		{"adler32 of Wikipedia", codec.Adler32([]byte("Wikipedia")), 0x11e60398},
		// By hand: the words 0x0102 and 0x0300; sums 0x0102, then 0x0402; 0x0102 + 0x0402 = 0x0504.
		{"fletcher32 of 1 2 3", codec.Fletcher32([]byte{1, 2, 3}), 0x05040402},
	} {
		if c.got != c.want {
			t.Errorf("%s: %08x, want %08x", c.name, c.got, c.want)
		}
	}
	body := []byte("voxels")
	trailing := binary.LittleEndian.AppendUint32(slices.Clone(body), codec.CRC32C(body))
	if p, err := codec.TrailingSum(trailing, codec.CRC32C); err != nil || string(p) != "voxels" {
		t.Errorf("%q, %v", p, err)
	}
	leading := append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)), body...)
	if p, err := codec.LeadingSum(leading, codec.CRC32); err != nil || string(p) != "voxels" {
		t.Errorf("%q, %v", p, err)
	}
	trailing[0]++
	if _, err := codec.TrailingSum(trailing, codec.CRC32C); !errors.Is(err, codec.ErrCorrupt) {
		t.Errorf("a changed byte: %v", err)
	}
	if _, err := codec.LeadingSum([]byte{1, 2, 3}, codec.CRC32); err == nil {
		t.Error("three bytes gave no error")
	}
}

// TestEveryHalfIsItsValue compares with the definition: sign * 2^(e-15) * 1.f, subnormals below.
func TestEveryHalfIsItsValue(t *testing.T) {
	src, dst := make([]byte, 2), make([]byte, 4)
	for h := range 1 << 16 {
		binary.NativeEndian.PutUint16(src, uint16(h))
		codec.Half(dst, src)
		got := math.Float32frombits(binary.NativeEndian.Uint32(dst))
		exp, frac := h>>10&31, float64(h&1023)
		want := math.Ldexp(1+frac/1024, exp-15)
		switch {
		case exp == 31 && frac != 0:
			want = math.NaN()
		case exp == 31:
			want = math.Inf(1)
		case exp == 0:
			want = math.Ldexp(frac, -24)
		}
		if h>>15 == 1 {
			want = -want
		}
		if float64(got) != want && (got == got || want == want) || math.Signbit(float64(got)) != (h>>15 == 1) {
			t.Fatalf("%04x: %v, want %v", h, got, want)
		}
	}
}

func TestBloscHeadersThatCannotBeAreRefused(t *testing.T) {
	good := slices.Clone(vectors(t, "blosc lz4 1 <u2")[0].packed)
	for name, change := range map[string]func(p []byte){
		"version 4":               func(p []byte) { p[0] = 4 },
		"compressor 7":            func(p []byte) { p[2] |= 7 << 5 },
		"blocks of no bytes":      func(p []byte) { binary.LittleEndian.PutUint32(p[8:], 0) },
		"blocks longer than all":  func(p []byte) { binary.LittleEndian.PutUint32(p[8:], 1<<30) },
		"values of no bytes":      func(p []byte) { p[3] = 0 },
		"more packed than is":     func(p []byte) { binary.LittleEndian.PutUint32(p[12:], uint32(len(p)+1)) },
		"2 GiB":                   func(p []byte) { binary.LittleEndian.PutUint32(p[4:], 1<<31) },
		"a block beyond the end":  func(p []byte) { binary.LittleEndian.PutUint32(p[16:], 1<<30) },
		"a block in the header":   func(p []byte) { binary.LittleEndian.PutUint32(p[16:], 3) },
		"a stream beyond the end": func(p []byte) { binary.LittleEndian.PutUint32(p[20:], 1<<31) },
		"stored, of another size": func(p []byte) { p[2] |= 2 },
	} {
		p := slices.Clone(good)
		change(p)
		if _, err := codec.Blosc(make([]byte, 1<<20), p); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChangedBytesNeverPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for word, decode := range decoders {
		all := vectors(t, word)
		for range 3000 {
			v := all[r.IntN(len(all))]
			p := slices.Clone(v.packed)
			for range 1 + r.IntN(3) {
				p[r.IntN(min(len(p), 64))] = byte(r.Uint32())
				p[r.IntN(len(p))] ^= 1 << r.IntN(8)
			}
			got := make([]byte, len(v.raw))
			if n, err := decode(got, p); n > len(got) || err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %d of %d bytes, %v", v.Name, n, len(got), err)
			}
		}
	}
}

func FuzzBloscNeverPanics(f *testing.F) {
	for _, v := range vectors(f, "blosc") {
		if len(v.packed) < 1500 {
			f.Add(v.packed)
		}
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		whole := make([]byte, 5000)
		n, err := codec.Blosc(whole, p)
		if err != nil || n < 10 {
			return
		}
		part := make([]byte, n/2)
		if err := codec.BloscRange(part, p, len(p), n/3, n); err != nil || !bytes.Equal(part, whole[n/3:][:n/2]) {
			t.Errorf("a part differs from the whole: %v", err)
		}
	})
}

func FuzzPackersRoundTrip(f *testing.F) {
	f.Add([]byte("round and round and round"), 2)
	f.Fuzz(func(t *testing.T, raw []byte, size int) {
		size = max(1, min(size, 255))
		for _, name := range []string{"lz4", "zstd"} {
			packed, err := codec.BloscPacker{Codec: name, TypeSize: size}.Pack(nil, raw)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(raw))
			if n, err := codec.Blosc(got, packed); n != len(raw) || err != nil || !bytes.Equal(got, raw) {
				t.Fatalf("%s: %d of %d bytes, %v", name, n, len(raw), err)
			}
		}
	})
}

func FuzzStreamsNeverPanic(f *testing.F) {
	for word := range decoders {
		f.Add(vectors(f, word)[0].packed)
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		for word, decode := range decoders {
			if n, _ := decode(make([]byte, 5000), p); n < 0 || n > 5000 {
				t.Errorf("%s: %d bytes", word, n)
			}
		}
	})
}

func BenchmarkBlosc(b *testing.B) {
	raw := make([]byte, 0, 2<<20)
	x := uint16(1000)
	for _, d := range slices.Collect(slices.Chunk(texture(2<<20), 2)) {
		x += binary.LittleEndian.Uint16(d) // a smooth picture with noise
		raw = binary.LittleEndian.AppendUint16(raw, x&4095)
	}
	for _, c := range []struct {
		codec string
		size  int
	}{{"lz4", 1}, {"lz4", 2}, {"lz4", 4}, {"lz4", 8}, {"zstd", 2}} {
		packed, err := codec.BloscPacker{Codec: c.codec, TypeSize: c.size}.Pack(nil, raw)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]byte, len(raw))
		b.Run(fmt.Sprint(c.codec, " values of ", c.size), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := codec.Blosc(dst, packed); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("packing ", c.codec, " values of ", c.size), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				packed, _ = codec.BloscPacker{Codec: c.codec, TypeSize: c.size}.Pack(packed[:0], raw)
			}
		})
	}
}

func BenchmarkStreams(b *testing.B) {
	raw := texture(2 << 20)
	strong, _ := zstd.NewWriter(nil)
	var small bytes.Buffer
	w := zlib.NewWriter(&small)
	if _, err := w.Write(raw); err != nil || w.Close() != nil {
		b.Fatal(err)
	}
	dst := make([]byte, len(raw))
	for name, c := range map[string]struct {
		decode decoder
		packed []byte
	}{"zlib": {codec.Zlib, small.Bytes()}, "zstd": {codec.Zstd, strong.EncodeAll(raw, nil)}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if n, err := c.decode(dst, c.packed); n != len(raw) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}

func BenchmarkUnshuffle(b *testing.B) {
	src := noise(256 << 10)
	dst, tmp := make([]byte, len(src)), make([]byte, len(src))
	for _, size := range []int{2, 4, 8} {
		b.Run(fmt.Sprint("bytes of ", size), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				codec.Unshuffle(dst, src, size)
			}
		})
		b.Run(fmt.Sprint("bits of ", size), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				codec.UnshuffleBits(dst, src, tmp, size)
			}
		})
	}
}

func BenchmarkShuffle(b *testing.B) {
	src := noise(256 << 10)
	dst := make([]byte, len(src))
	for _, size := range []int{2, 4, 8} {
		b.Run(fmt.Sprint("bytes of ", size), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				codec.Shuffle(dst, src, size)
			}
		})
	}
}
