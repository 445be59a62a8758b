package loaders_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"math"
	"os/exec"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

func gz(p []byte, extra string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Extra = []byte(extra)
	w.Write(p)
	w.Close()
	return b.Bytes()
}

func zl(p []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(p)
	w.Close()
	return b.Bytes()
}

// bz is made by the program bzip2, since Go has no writer; nil without it.
func bz(p []byte) []byte {
	c := exec.Command("bzip2")
	c.Stdin = bytes.NewReader(p)
	out, _ := c.Output()
	return out
}

func ramp(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i>>3) ^ byte(i*7>>9)
	}
	return p
}

func TestAPackingIsKnownAndReadAtAnyPlace(t *testing.T) {
	ctx := context.Background()
	want := ramp(2_000_000)
	for _, c := range []struct {
		name string
		file []byte
		want loaders.Packing
	}{
		{"gzip", gz(want, ""), loaders.Gzip},
		{"gzip of two members", append(gz(want[:700_000], ""), gz(want[700_000:], "")...), loaders.Gzip},
		{"gzip with zeros behind", append(gz(want, ""), make([]byte, 512)...), loaders.Gzip},
		{"zlib", zl(want), loaders.Zlib},
		{"bzip2", bz(want), loaders.Bzip2},
	} {
		if c.file == nil {
			t.Log("bzip2 was not tried: there is no such program")
			continue
		}
		p := loaders.PackingOf(c.file[:16])
		if p != c.want {
			t.Errorf("%s: taken for %q", c.name, p)
		}
		f, err := p.Open(store.Bytes("a", c.file), int64(len(want)))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 1000)
		for _, off := range []int{1_500_000, 0, len(want) - 1000} {
			if err := f.ReadAt(ctx, got, int64(off)); err != nil || !bytes.Equal(got, want[off:off+1000]) {
				t.Errorf("%s: at %d: %v", c.name, off, err)
			}
		}
		f.Close()
	}
}

func TestAFileThatIsNotPackedIsPlain(t *testing.T) {
	for _, head := range []string{"", "B", "BZh9 is no block", "\x1f\x8b\x00", "NRRD0004", "\x00\x00\x01\x5c", "\x78\x9d"} {
		if p := loaders.PackingOf([]byte(head)); p != loaders.Plain {
			t.Errorf("%q is taken for %s", head, p)
		}
	}
}

func TestNoPackedFileIsBelievedToHoldMoreThanItCan(t *testing.T) {
	file := gz(make([]byte, 100), "")
	for _, size := range []int64{1 << 20, math.MaxInt64} {
		if _, err := loaders.Gzip.Open(store.Bytes("a", file), size); !errors.Is(err, loaders.ErrDamaged) {
			t.Errorf("%d bytes of gzip for %d: %v", len(file), size, err)
		}
	}
}

func TestTheEndOfAGzipFileIsFound(t *testing.T) {
	ctx := context.Background()
	want := ramp(100_000)
	f, err := loaders.Gzip.OpenTail(ctx, store.Bytes("a", gz(want, "")), 1000)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 1000)
	if err := f.ReadAt(ctx, got, 0); err != nil || !bytes.Equal(got, want[99_000:]) {
		t.Errorf("the last 1000 bytes: %v", err)
	}
	if _, err := loaders.Bzip2.OpenTail(ctx, store.Bytes("a", nil), 1); !errors.Is(err, loaders.ErrUnsupported) {
		t.Errorf("bzip2: %v", err)
	}
}

func TestPeekSeesBehindALongHeader(t *testing.T) {
	ctx := context.Background()
	want := ramp(100_000)
	for name, file := range map[string][]byte{
		"plain": want, "gzip": gz(want, ""), "gzip with a long header": gz(want, strings.Repeat("n", 8000)), "bzip2": bz(want),
	} {
		if len(file) == 0 {
			continue
		}
		in := loaders.Input{Store: store.Memory{"a": file}, Key: "a", Head: file[:min(4096, len(file))]}
		if got := loaders.Peek(ctx, in, 1024); !bytes.Equal(got, want[:1024]) {
			t.Errorf("%s: %d bytes, or others", name, len(got))
		}
		f, _, head, err := loaders.Unpack(ctx, in, 1024)
		if err != nil || !bytes.Equal(head, want[:1024]) {
			t.Errorf("%s: %d bytes, or others, %v", name, len(head), err)
		}
		f.Close()
	}
}

func TestTextIsReadAsNumbers(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		text string
		d    lazy.DType
		want []float64
		says string
	}{
		{"1 2\n3,4\t5", lazy.U8, []float64{1, 2, 3, 4, 5}, ""},
		{"  -1\r\n-32768\n", lazy.I16, []float64{-1, -32768}, ""},
		{"18446744073709551615 0", lazy.U64, []float64{1 << 64, 0}, ""},
		{"1.5 -2e3 nan inf", lazy.F32, []float64{1.5, -2000, math.NaN(), math.Inf(1)}, ""},
		{"1e400 1", lazy.F64, []float64{math.Inf(1), 1}, ""},
		{"1 256", lazy.U8, []float64{1, 0}, `"256" is no uint8`},
		{"1 x", lazy.U8, []float64{1, 0}, `"x" is no uint8`},
		{"1.5 2", lazy.I32, []float64{1, 0}, `"1.5" is no int32`},
		{"1 ", lazy.U8, []float64{1, 0}, "unexpected EOF"},
		{strings.Repeat("1", 500), lazy.F64, []float64{1}, "400 digits"},
	} {
		f, err := loaders.Text(store.Bytes("text", []byte(c.text)), c.d, int64(len(c.want)))
		if err != nil {
			t.Errorf("%.20q: %v", c.text, err)
			continue
		}
		b := lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 1, len(c.want)}}, c.d)
		err = f.ReadAt(ctx, b.Bytes(), 0)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%.20q: %v, want %q", c.text, err, c.says)
			}
			continue
		}
		for i, want := range c.want {
			if got := b.Value(lazy.Index{0, 0, 0, 0, i}); err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%.20q: number %d is %v, %v; want %v", c.text, i, got, err, want)
			}
		}
	}
	if _, err := loaders.Text(store.Bytes("text", []byte("1 2 3")), lazy.U8, 4); !errors.Is(err, loaders.ErrDamaged) {
		t.Errorf("four numbers in five bytes: %v", err)
	}
}

func TestHexadecimalTextIsReadAsBytes(t *testing.T) {
	for _, c := range []struct{ text, want, says string }{
		{"00ff\n a B\t10", "\x00\xff\xab\x10", ""},
		{"00 0g 11 ", "\x00\x00\x00", `'g' is no hexadecimal digit`},
		{"00 1    ", "\x00\x00", "unexpected EOF"},
	} {
		f, err := loaders.Hex(store.Bytes("text", []byte(c.text)), int64(len(c.want)))
		if err != nil {
			t.Fatal(err)
		}
		p := make([]byte, len(c.want))
		err = f.ReadAt(context.Background(), p, 0)
		if c.says == "" && (err != nil || string(p) != c.want) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q: %q, %v", c.text, p, err)
		}
	}
}

func TestAPatternStandsForNames(t *testing.T) {
	for _, c := range []struct {
		pattern           string
		first, last, step int
		want              string
	}{
		{"s%02d.raw", 8, 12, 2, "s08.raw s10.raw s12.raw"},
		{"s%d.raw", 3, 1, -1, "s3.raw s2.raw s1.raw"},
		{"100%%_%3d", 1, 1, 1, "100%_  1"},
		{"s%05u", -1, 0, 1, "s-0001 s00000"},
	} {
		got, err := loaders.Numbered(c.pattern, c.first, c.last, c.step, 10)
		if strings.Join(got, " ") != c.want || err != nil {
			t.Errorf("%s: %v, %v; want %s", c.pattern, got, err, c.want)
		}
	}
	for _, pattern := range []string{"none", "%s", "%d%d", "%n%d", "%", "%999d", "%1$d"} {
		if got, err := loaders.Numbered(pattern, 1, 2, 1, 10); err == nil {
			t.Errorf("%s: %v", pattern, got)
		}
	}
	for _, r := range [][3]int{{1, 2, 0}, {1, 2, -1}, {1, 11, 1}, {math.MinInt, math.MaxInt, 1}} {
		if got, err := loaders.Numbered("%d", r[0], r[1], r[2], 10); err == nil {
			t.Errorf("%v: %v", r, got)
		}
	}
}

func TestUnitsAreKnownByTheirSpellings(t *testing.T) {
	for unit, want := range map[string]float64{"mm": 1e3, "Millimetres": 1e3, "\u00b5m": 1, "\u03bcm": 1, "um": 1, "microns": 1, " nm ": 1e-3, "Å": 1e-4, "inches": 25400, "m": 1e6} {
		if got, ok := loaders.Micrometres(unit); !ok || got != want {
			t.Errorf("%q is %v µm, %v", unit, got, ok)
		}
	}
	for unit, want := range map[string]float64{"s": 1, "secs": 1, "ms": 1e-3, "\u00b5s": 1e-6, "minutes": 60} {
		if got, ok := loaders.Seconds(unit); !ok || got != want {
			t.Errorf("%q is %v s, %v", unit, got, ok)
		}
	}
	for _, unit := range []string{"", "?", "pixel", "parsec"} {
		if _, ok := loaders.Micrometres(unit); ok {
			t.Errorf("%q is a length", unit)
		}
	}
}

func TestWhatAHeaderNamesLiesBesideIt(t *testing.T) {
	ctx := context.Background()
	files := store.Memory{"set/a.mhd": nil, "set/a.raw": []byte("1"), "set/sub/b.raw": []byte("2"), "other.raw": nil}
	in := loaders.Input{Store: files, Key: "set/a.mhd"}
	for _, name := range []string{"a.raw", "./a.raw", " sub/b.raw ", "sub/../a.raw"} {
		if _, err := in.Beside(ctx, name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"../other.raw", "/dev/zero", "sub/../../other.raw", "..", "", "."} {
		if _, err := in.Beside(ctx, name); !errors.Is(err, store.ErrOutside) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
