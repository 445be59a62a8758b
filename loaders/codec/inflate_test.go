package codec

import (
	"bytes"
	"compress/flate"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// kinds of data that make kinds of streams: hardly packed, packed well, runs, and few symbols.
var deflateData = map[string]func(r *rand.Rand, i int) byte{
	"noise":          func(r *rand.Rand, _ int) byte { return byte(r.Uint32()) },
	"camera":         func(r *rand.Rand, i int) byte { return byte(int(r.NormFloat64()*9)+100) * byte(1-i%2) },
	"text":           func(r *rand.Rand, _ int) byte { return "etaoin shrdlu etao eta e"[r.IntN(24)] },
	"runs":           func(_ *rand.Rand, i int) byte { return byte(i / 700) },
	"one byte":       func(*rand.Rand, int) byte { return 7 },
	"a short period": func(_ *rand.Rand, i int) byte { return byte(i % 5) },
	"skewed":         func(r *rand.Rand, _ int) byte { return byte(r.ExpFloat64() * 4) },
}

// deflated packs n bytes of a kind at a level of the standard library.
func deflated(t testing.TB, kind string, n, level int) (raw, packed []byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(n)))
	raw = make([]byte, n)
	for i := range raw {
		raw[i] = deflateData[kind](r, i)
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return raw, b.Bytes()
}

func TestInflatingAtOnceGivesWhatWasPacked(t *testing.T) {
	for kind := range deflateData {
		for _, n := range []int{0, 1, 2, 3, 257, 258, 300, 1000, 65535, 65536, 300000} {
			for level := -2; level <= 9; level++ {
				raw, packed := deflated(t, kind, n, level)
				for _, room := range []int{0, 1, 300} {
					dst := make([]byte, n+room)
					written, read, ok := inflateAll(dst, append(packed, "behind"...))
					if !ok || written != n || read != len(packed) || !bytes.Equal(dst[:n], raw) {
						t.Fatalf("%s, %d bytes, level %d, %d to spare: %d of %d written, %d of %d read, %v", kind, n, level, room, written, n, read, len(packed), ok)
					}
				}
				if n > 0 {
					if _, _, ok := inflateAll(make([]byte, n-1), packed); ok {
						t.Fatalf("%s, %d bytes, level %d: fit into one byte less", kind, n, level)
					}
				}
			}
		}
	}
}

// A stream that was changed is refused, or gives what the standard library gives for it.
func TestInflatingDamageAgreesWithTheStandardLibrary(t *testing.T) {
	_, packed := deflated(t, "text", 5000, 6)
	rapid.Check(t, func(t *rapid.T) {
		src := bytes.Clone(packed)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			src[rapid.IntRange(0, len(src)-1).Draw(t, "at")] ^= byte(1 << rapid.IntRange(0, 7).Draw(t, "bit"))
		}
		agrees(t, src[:rapid.IntRange(0, len(src)).Draw(t, "length")])
	})
}

// The lengths of its codes leave some unused, which the standard library refuses before it decodes anything.
func TestInflatingRefusesCodesThatAreIncomplete(t *testing.T) {
	src, err := hex.DecodeString("35515d8a353b08dc4a6d4db0c04088102bfb1faa0fc3f732dc9bee8e5a7f")
	if err != nil {
		t.Fatal(err)
	}
	if n, _, ok := inflateAll(make([]byte, 8000), src); ok {
		t.Errorf("%d bytes were taken for all", n)
	}
}

func FuzzInflate(f *testing.F) {
	for kind := range deflateData {
		_, packed := deflated(f, kind, 900, 9)
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, src []byte) { agrees(t, src) })
}

func agrees(t interface{ Fatalf(string, ...any) }, src []byte) {
	dst := make([]byte, 8000)
	n, _, ok := inflateAll(dst, src)
	if !ok {
		return
	}
	want, err := io.ReadAll(flate.NewReader(bytes.NewReader(src)))
	if err != nil || !bytes.Equal(want, dst[:n]) {
		t.Fatalf("%x: %d bytes; the standard library: %d bytes, %v", src, n, len(want), err)
	}
}

func BenchmarkInflate(b *testing.B) {
	for _, kind := range []string{"camera", "text", "runs"} {
		b.Run(kind, func(b *testing.B) {
			raw, packed := deflated(b, kind, 1<<18, 6)
			dst := make([]byte, len(raw))
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, _, ok := inflateAll(dst, packed); !ok {
					b.Fatal("refused")
				}
			}
		})
	}
}

func BenchmarkInflateByTheLibrary(b *testing.B) {
	for _, kind := range []string{"camera", "text", "runs"} {
		b.Run(kind, func(b *testing.B) {
			raw, packed := deflated(b, kind, 1<<18, 6)
			dst := make([]byte, len(raw))
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(packed)), dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
