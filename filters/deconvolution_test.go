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
	"strings"
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

// A row of 0 with one voxel of 5, and a PSF of 0.25 0.5 0.25: where the estimate blurs to 0 the plain formula makes
// NaN of it from the second iteration on.
func TestBR016ZerosStayFiniteUnderDeconvolution(t *testing.T) {
	e := deconvolver(t)
	psf := stack([3]int{1, 1, 3}, func(i lazy.Index) float64 { return []float64{1, 2, 1}[i[lazy.X]] })
	spot := stack([3]int{1, 1, 17}, func(i lazy.Index) float64 {
		if i[lazy.X] == 8 {
			return 5
		}
		return 0
	})
	nothing := stack([3]int{3, 9, 17}, func(lazy.Index) float64 { return 0 })
	for _, how := range []string{"", "edges=zero", "edges=mirror", "start=input", "start=0.5", "accelerate=true", "tv=0.01"} {
		for _, n := range []int{1, 2, 3, 100} {
			filter := fmt.Sprintf("richardson-lucy psf=p iterations=%d %s", n, how)
			sum, most, where := 0.0, 0.0, 0
			for i, v := range lazytest.Values(deconvolved(t, e, filter, spot, psf)) {
				if !(v >= 0) || math.IsInf(v, 0) {
					t.Fatalf("%s: voxel %d is %v", filter, i, v)
				}
				if sum += v; v > most {
					most, where = v, i
				}
			}
			if where != 8 || math.Abs(sum-5) > 5e-5 && how != "tv=0.01" {
				t.Errorf("%s: the sum is %v, the largest voxel %d", filter, sum, where)
			}
			for i, v := range lazytest.Values(deconvolved(t, e, filter, nothing, psf)) {
				if v != 0 {
					t.Fatalf("%s: of an empty image voxel %d is %v", filter, i, v)
				}
			}
		}
	}
}

// What is no number says nothing about the light; around it the rest does.
func TestVoxelsThatAreNoNumbersDoNotSpread(t *testing.T) {
	shape := [3]int{4, 12, 14}
	image := stack(shape, func(i lazy.Index) float64 {
		switch i {
		case lazy.Index{0, 1, 0, 5, 6}:
			return math.NaN()
		case lazy.Index{0, 2, 0, 9, 3}:
			return math.Inf(1)
		}
		return lines(shape)(i)
	})
	b := deconvolved(t, deconvolver(t), "richardson-lucy psf=p start=input", image, stack([3]int{3, 5, 5}, leaning([3]int{3, 5, 5})))
	for i, v := range lazytest.Values(b) {
		if !(v >= 0 && v < 100) {
			t.Fatalf("voxel %d is %v", i, v)
		}
	}
}

// A bead, blurred by a PSF without any symmetry, goes back to the voxel that it was at: the mirror is exact, for even
// sizes too.
func TestABeadReturnsToItsVoxel(t *testing.T) {
	e := deconvolver(t)
	for _, n := range [][3]int{{5, 7, 3}, {4, 6, 2}, {1, 4, 5}} {
		shape := [3]int{17, 32, 30}
		if n[0] == 1 {
			shape[0] = 1
		}
		bead := lazy.Index{0, shape[0] / 2, 0, 13, 16}
		p := leaning(n)
		image := stack(shape, func(i lazy.Index) float64 {
			var k lazy.Index
			for a, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
				if k[ax] = i[ax] - bead[ax] + n[a]/2; k[ax] < 0 || k[ax] >= n[a] {
					return 0
				}
			}
			return 100 * p(k)
		})
		b := deconvolved(t, e, "richardson-lucy psf=p iterations=200", image, stack(n, p))
		sum := 0.0
		for _, v := range lazytest.Values(b) {
			sum += v
		}
		if got := b.Value(bead) / sum; got < 0.9 {
			t.Errorf("a PSF of %v: %.3g of the light is at the bead's voxel", n, got)
		}
	}
}

func TestOnePSFForAllChannelsOrOneForEach(t *testing.T) {
	e := deconvolver(t)
	shape, n := [3]int{3, 10, 12}, [3]int{3, 3, 3}
	many := func(shape [3]int, c int, value func(c int, i lazy.Index) float64) lazy.Array {
		s := lazy.Shape{2, shape[0], c, shape[1], shape[2]}
		if c == 1 {
			s[lazy.T] = 1
		}
		return lazytest.Array(lazytest.Meta(lazy.U16, s, s), func(i lazy.Index) float64 { return value(i[lazy.C], i) })
	}
	counts := func(_ int, i lazy.Index) float64 { return math.Round(1000 * lines(shape)(i)) }
	psfs := [2]func(lazy.Index) float64{leaning(n), func(i lazy.Index) float64 { return 1 + float64(i[lazy.X]) }}
	image := many(shape, 2, counts)
	each := lazytest.Array(lazytest.Meta(lazy.F32, lazy.Shape{1, 3, 2, 3, 3}, lazy.Shape{1, 3, 2, 3, 3}), func(i lazy.Index) float64 { return psfs[i[lazy.C]](i) })
	got := deconvolved(t, e, "richardson-lucy psf=p", image, each)
	for c, psf := range psfs {
		want := deconvolved(t, e, "richardson-lucy psf=p", image, stack(n, psf))
		lazytest.Each(want.Region, func(i lazy.Index) {
			if i[lazy.C] == c && got.Value(i) != want.Value(i) {
				t.Fatalf("at %v: %v, want %v", i, got.Value(i), want.Value(i))
			}
		})
	}
}

func TestPSFsThatDoNotSuitAreToldOf(t *testing.T) {
	e := deconvolver(t)
	image := stack([3]int{5, 9, 9}, lines([3]int{5, 9, 9}))
	plane := stack([3]int{1, 9, 9}, lines([3]int{1, 9, 9}))
	one := func(lazy.Index) float64 { return 1 }
	for _, c := range []struct {
		image, psf lazy.Array
		want       string
	}{
		{image, stack([3]int{3, 3, 3}, func(i lazy.Index) float64 { return float64(i[lazy.X]) - 0.5 }), "negative"},
		{image, stack([3]int{3, 3, 3}, func(lazy.Index) float64 { return 0 }), "0 everywhere"},
		{image, stack([3]int{3, 3, 3}, func(lazy.Index) float64 { return math.NaN() }), "no numbers"},
		{plane, stack([3]int{3, 3, 3}, one), "3 voxels along z and the image 1"},
		{image, lazytest.Array(lazytest.Meta(lazy.F32, lazy.Shape{1, 3, 2, 3, 3}, lazy.Shape{1, 3, 2, 3, 3}), one), "2 channels"},
		{image, lazytest.Array(lazytest.Meta(lazy.F32, lazy.Shape{2, 3, 1, 3, 3}, lazy.Shape{1, 3, 1, 3, 3}), one), "2 time points"},
	} {
		if _, err := tryDeconvolve(e, "richardson-lucy psf=p", c.image, c.psf); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := tryDeconvolve(e, "richardson-lucy psf=", image, image); err == nil || !strings.Contains(err.Error(), "expected a file") {
		t.Error(err)
	}
}
