package filters

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters/fft"
)

// A scene is a small deconvolution.
type scene struct {
	data, psf [3]int
	edges     edges
	method    lucyMethod
	voxel     func(i int) float32
	spread    func(i int) float32
}

func (s scene) field() field {
	whole := [3]fft.Span{{Max: s.data[0]}, {Max: s.data[1]}, {Max: s.data[2]}}
	return newField(s.data, whole, s.psf, s.edges == dark)
}

func (s scene) prepared(t fataler) *lucy {
	f := s.field()
	data := make([]float32, size(f.data))
	for i := range data {
		data[i] = s.voxel(i)
	}
	psf := spread{n: s.psf, values: make([]float32, s.psf[0]*s.psf[1]*s.psf[2])}
	sum := 0.0
	for i := range psf.values {
		sum += float64(s.spread(i))
	}
	for i := range psf.values {
		psf.values[i] = float32(float64(s.spread(i)) / sum)
	}
	if s.method.start == "" {
		s.method.start = "mean"
	}
	s.method.thick, s.method.epsilon = [3]float64{1, 1, 1}, 1e-6
	l, err := s.method.begun(context.Background(), f, psf, data, s.edges)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

type fataler interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

func speckled(seed int) func(i int) float32 {
	return func(i int) float32 {
		h := uint32(i+1)*2654435761 + uint32(seed)*40503
		h ^= h >> 15
		h *= 2246822519
		h ^= h >> 13
		return float32(h>>8) / (1 << 24)
	}
}

func drawScene(t *rapid.T) scene {
	length := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	s := scene{
		data:   [3]int{length("z", 9), length("y", 24), length("x", 24)},
		edges:  edges(rapid.SampledFrom([]int{int(unseen), int(dark)}).Draw(t, "edges")),
		voxel:  speckled(rapid.IntRange(0, 1000).Draw(t, "image")),
		spread: speckled(rapid.IntRange(0, 1000).Draw(t, "psf")),
	}
	for a, n := range s.data {
		if s.psf[a] = 1; n > 1 {
			s.psf[a] = length("psf", 9)
		}
	}
	return s
}

// The light of the estimate, each voxel by the share of it that the data see, is the light of the data.
func TestTheEstimateHasTheLightOfTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		s.edges = unseen
		n := rapid.IntRange(1, 8).Draw(t, "iterations")
		l := s.prepared(t)
		if err := l.run(n); err != nil {
			t.Fatal(err)
		}
		sum, want := 0.0, 0.0
		var r shareRow
		for z := range l.field.estimate[0].Max {
			for y := range l.field.estimate[1].Max {
				inverse := l.shares.row(z, y, &r)
				for x, u := range row(l.estimate, l.field.estimate, z, y) {
					if inverse[x] > 0 {
						sum += float64(u) / float64(inverse[x])
					}
				}
			}
		}
		for _, d := range l.data {
			want += float64(d)
		}
		if math.Abs(sum-want) > 1e-5*want {
			t.Fatalf("%v of %v: %v, want %v", s.psf, s.data, sum, want)
		}
	})
}

// With noncirculant edges what is the same everywhere stays so, up to the border.
func TestAConstantStaysConstantToTheBorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		s.edges = unseen
		s.voxel = func(int) float32 { return 3 }
		l := s.prepared(t)
		if err := l.run(rapid.IntRange(1, 20).Draw(t, "iterations")); err != nil {
			t.Fatal(err)
		}
		f := l.field
		for z := f.data[0].Min; z < f.data[0].Max; z++ {
			for y := f.data[1].Min; y < f.data[1].Max; y++ {
				for _, u := range row(l.estimate, f.estimate, z, y)[f.data[2].Min:f.data[2].Max] {
					if math.Abs(float64(u)-3) > 3e-4 {
						t.Fatalf("a voxel is %v", u)
					}
				}
			}
		}
	})
}

// The shares from the table are those that a correlation of the data's box with the PSF gives.
func TestSharesAreTheCorrelationOfTheBoxOfTheData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		l := s.prepared(t)
		f := l.field
		o := [3]int{s.psf[0] / 2, s.psf[1] / 2, s.psf[2] / 2}
		sum := 0.0
		for i := range s.psf[0] * s.psf[1] * s.psf[2] {
			sum += float64(s.spread(i))
		}
		var r shareRow
		for z := range f.estimate[0].Max {
			for y := range f.estimate[1].Max {
				inverse := l.shares.row(z, y, &r)
				for x := range f.estimate[2].Max {
					want := 0.0
					for i := range s.psf[0] * s.psf[1] * s.psf[2] {
						at := [3]int{z + i/(s.psf[1]*s.psf[2]) - o[0], y + i/s.psf[2]%s.psf[1] - o[1], x + i%s.psf[2] - o[2]}
						inside := true
						for a := range at {
							inside = inside && at[a] >= f.data[a].Min && at[a] < f.data[a].Max
						}
						if inside || s.edges == dark { // beyond a dark edge nothing is to be seen, and that is seen
							want += float64(s.spread(i)) / sum
						}
					}
					got := 0.0
					if inverse[x] > 0 {
						got = 1 / float64(inverse[x])
					}
					if want < leastShare {
						want = 0
					}
					if math.Abs(got-want) > 1e-5 {
						t.Fatalf("at %d,%d,%d: %v, want %v", z, y, x, got, want)
					}
				}
			}
		}
	})
}

func TestVectorLoopsOfDeconvolutionGiveThePlainBits(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	odd := []float32{0, 1, -1, nan, inf, -inf, 1e-38, 1e-44, 3e38, 0.5, 1e-7}
	var a, b, c []float32
	for _, x := range odd {
		for _, y := range odd {
			for _, z := range odd {
				a, b, c = append(a, x), append(b, y), append(c, z)
			}
		}
	}
	same := func(name string, got, want []float32) {
		t.Helper()
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(want[i]) && !(got[i] != got[i] && want[i] != want[i]) {
				t.Errorf("%s(%v, %v, %v) = %v, want %v", name, a[i], b[i], c[i], got[i], want[i])
			}
		}
	}
	run := func(do func(row []float32)) []float32 {
		row := append([]float32(nil), a...)
		do(row)
		return row
	}
	same("quotient", run(func(r []float32) { lucyLoops.quotient(r, b, 0.25, 1e-6) }), run(func(r []float32) { quotientRow(r, b, 0.25, 1e-6) }))
	same("multiply", run(func(r []float32) { lucyLoops.multiply(r, b, c) }), run(func(r []float32) { multiplyRow(r, b, c) }))
	same("times", run(func(r []float32) { lucyLoops.times(r, b) }), run(func(r []float32) { timesRow(r, b) }))
}
