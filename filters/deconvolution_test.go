package filters_test

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// speckle, lines and leaning are noise, image and psf of deconvolution.py.
func speckle(n int) float64 {
	h := (uint64(n)*2654435761 + 12345) % (1 << 32)
	h ^= h >> 15
	h = h * 2246822519 % (1 << 32)
	h ^= h >> 13
	return float64(float32(float64(h) / (1 << 32)))
}

func at(shape [3]int, i lazy.Index) int {
	return (i[lazy.Z]*shape[1]+i[lazy.Y])*shape[2] + i[lazy.X]
}

func lines(shape [3]int) func(lazy.Index) float64 {
	return func(i lazy.Index) float64 {
		z, y, x := i[lazy.Z], i[lazy.Y], i[lazy.X]
		v := 0.05 + 0.1*speckle(at(shape, i)+7)
		if (2*y+3*z)%11 == 4 {
			v += 0.5
		}
		if (x+2*y+z)%17 == 5 {
			v += 0.8
		}
		return v
	}
}

func leaning(shape [3]int) func(lazy.Index) float64 {
	return func(i lazy.Index) float64 {
		z, y, x := float64(i[lazy.Z]-shape[0]/2), float64(i[lazy.Y]-shape[1]/2), float64(i[lazy.X]-shape[2]/2)
		sq := func(v float64) float64 { return v * v }
		return math.Exp(-0.5*(sq(z/1.2)+sq((y-0.3*z)/1.1)+sq((x-0.2)/0.9))) + 0.02*speckle(at(shape, i)+99)
	}
}

// stack is an array of float32 in one chunk.
func stack(shape [3]int, value func(lazy.Index) float64) lazy.Array {
	s := lazy.Shape{1, shape[0], 1, shape[1], shape[2]}
	return lazytest.Array(lazytest.Meta(lazy.F32, s, s), value)
}

// deconvolved resolves and runs a filter with a PSF on all of an image.
func deconvolved(t testing.TB, e *engine.Engine, filter string, image, psf lazy.Array) *lazy.Block {
	t.Helper()
	b, err := tryDeconvolve(e, filter, image, psf)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	return b
}

func tryDeconvolve(e *engine.Engine, filter string, image, psf lazy.Array) (*lazy.Block, error) {
	c, err := filters.Parse(filter)
	if err != nil {
		return nil, err
	}
	c, err = c.Open(func(string) (lazy.Array, error) { return psf, nil })
	if err != nil {
		return nil, err
	}
	if c, err = c.Settle(image, nil); err != nil {
		return nil, err
	}
	a, err := c.Apply(image)
	if err != nil {
		return nil, err
	}
	b, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
	return b, err
}

func deconvolver(t testing.TB) *engine.Engine {
	e := engine.New(engine.Options{Workers: 2, Memory: 1 << 30})
	t.Cleanup(e.Close)
	return e
}

// farthest is the largest difference of a block from some values, and the largest of those.
func farthest(b *lazy.Block, want []float32) (apart, most float64) {
	for i, v := range lazytest.Values(b) {
		if math.IsNaN(v) {
			return math.NaN(), 0
		}
		apart, most = math.Max(apart, math.Abs(v-float64(want[i]))), math.Max(most, float64(want[i]))
	}
	return apart, most
}

func TestDeconvolutionIsSkimagesAndThatOfTheFormulas(t *testing.T) {
	f, err := os.Open("testdata/deconvolution.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Cases []struct {
			Chain      string
			Shape, PSF [3]int
			Want       string
		}
	}
	if err := json.NewDecoder(z).Decode(&ref); err != nil || len(ref.Cases) < 30 {
		t.Fatal(len(ref.Cases), err)
	}
	e := deconvolver(t)
	for _, c := range ref.Cases {
		t.Run(fmt.Sprint(c.Shape, c.PSF, c.Chain), func(t *testing.T) {
			raw, err := base64.StdEncoding.DecodeString(c.Want)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float32, len(raw)/4)
			for i := range want {
				want[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
			got := deconvolved(t, e, "richardson-lucy psf=p "+c.Chain, stack(c.Shape, lines(c.Shape)), stack(c.PSF, leaning(c.PSF)))
			if apart, most := farthest(got, want); !(apart <= 1e-4*most) {
				t.Errorf("differs by %.3g of %.3g", apart, most)
			}
		})
	}
}

func BenchmarkRichardsonLucy(b *testing.B) {
	e := deconvolver(b)
	image, psf := stack([3]int{64, 256, 256}, lines([3]int{64, 256, 256})), stack([3]int{33, 33, 33}, leaning([3]int{33, 33, 33}))
	for b.Loop() {
		e.Clear()
		deconvolved(b, e, "richardson-lucy psf=p edges=zero start=0.5", image, psf)
	}
}
