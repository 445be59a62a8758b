// Package filtertest is the suite that every executor of filters runs: the plain loops, the vector loops and
// the device. It is a list of arrays, each a filter of the catalogue on a small random volume, with every
// type, every border, odd widths, halos wider than the volume and several inputs among them.
//
//	for c := range filtertest.Cases() {
//		got, err := compute(c.Array, c.Region)
//		want, err := filtertest.Processor(c)
//		if err := filtertest.Same(got, want, 0); err != nil {
//			t.Errorf("%s: %v", c.Name, err)
//		}
//	}
package filtertest

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"strings"

	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A Case is one array to be computed.
type Case struct {
	Name   string
	Array  lazy.Array
	Region lazy.Region
}

// volumes are a thick one of odd lengths in small chunks, and one that most halos reach beyond.
var volumes = []struct{ shape, chunk lazy.Shape }{
	{lazy.Shape{2, 5, 2, 9, 37}, lazy.Shape{1, 2, 1, 4, 16}},
	{lazy.Shape{1, 2, 2, 3, 5}, lazy.Shape{1, 1, 1, 3, 5}},
}

var borders = []string{"reflect", "mirror", "nearest", "wrap", "constant:3.5", "blank"}

// more are filters with other parameters than their defaults, where those lead to other kernels.
var more = []string{
	"mean size=2,5,4", "gaussian sigma=3", "gaussian sigma=1.3 dtype=float32", "sobel dims=2", "sobel norm=l1", "sobel axis=y dtype=int16",
	"scharr axis=z norm=l1", "prewitt dims=2", "median size=3,5,5", "percentile percentile=20 size=3",
	`stencil "(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9"`,
	`stencil "where(x > x[0,1], min(x, x[1,0]) % 7, -x // 5) + 2*(x != 3) - (x[1,0,0] <= 20)"`,
	`stencil "sqrt(abs(0.5*x[-1,0,0]*x[1,0,0])) / 3 - max(x[0,1], 0.5) * x / 7 + abs(x/2 - x[0,2])**2" dtype=float32`,
	`stencil "exp(x / 40) * 0.5 - exp(-abs(x - x[0,1]) / 3) + log(abs(x[1,0]) + 0.1) + log(x / 1e38)" dtype=float32`,
	`stencil "exp(x / 4e9) + log(abs(x) + 1) * pow(abs(x), 0.3)" dtype=float32`,
	`stencil "pow(x - x[0,1], 3) + pow(abs(x[1,0]) / 100, x[0,-1] / 50) - x[-1,0] // 7.5" dtype=float32`,
	"rescale low=3 high=90 newlow=0 newhigh=7 | clip low=2 high=5 | invert",
}

// Cases visits them in a fixed order. Each filter meets each type with each volume, and each border with an
// integer and a real type.
func Cases() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		chains := append([]string(nil), more...)
		for _, s := range filters.Catalogue() {
			if !s.Outside {
				chains = append(chains, s.Name)
			}
		}
		for n, text := range chains {
			for v := range volumes {
				for i, d := range lazy.DTypes() {
					if strings.Contains(text, "invert") && (d == lazy.U64 || d == lazy.I64) {
						continue // which is refused
					}
					if !yield(caseOf(text, borders[(n+i+v)%len(borders)], d, v)) {
						return
					}
				}
			}
			for _, border := range borders {
				if !yield(caseOf(text, border, lazy.U16, 0)) || !yield(caseOf(text, border, lazy.F32, 1)) {
					return
				}
			}
		}
		for _, d := range lazy.DTypes() {
			for _, border := range borders {
				if !yield(several(border, d)) {
					return
				}
			}
		}
	}
}

// caseOf applies a chain, whose steps take the border if they have one. It panics where that cannot be: all
// chains of the suite can.
func caseOf(text, border string, d lazy.DType, volume int) Case {
	c := Case{Name: fmt.Sprintf("%s, %s, of %v, volume %d", text, border, d, volume)}
	chain, err := filters.Parse(text)
	if err != nil {
		panic(err)
	}
	for i, s := range chain {
		if spec, _ := filters.Lookup(s.Filter); has(spec, "border") {
			chain[i] = s.With("border", border)
		}
	}
	m := lazytest.Meta(d, volumes[volume].shape, volumes[volume].chunk)
	a, err := chain.Provisional().Apply(array(c.Name, m))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", c.Name, err))
	}
	c.Array, c.Region = a, a.Meta().Shape.Whole()
	return c
}

func has(s filters.Spec, param string) bool {
	_, ok := s.Param(param)
	return ok
}

// several is a kernel of two arrays, each seen from another place.
func several(border string, d lazy.DType) Case {
	c := Case{Name: fmt.Sprintf("of two arrays, %s, of %v", border, d)}
	k := stencil.Build("two arrays", func(b *stencil.Builder) stencil.Value {
		x, y := b.LoadOf(0, -1), b.LoadOf(1, 1)
		return b.Linear(stencil.W(1, x, 0, -3), stencil.W(2, y, 2, 1), stencil.W(-1, x, 1, 0))
	})
	edge, err := lazy.ParseBorder(border)
	if err != nil {
		panic(err)
	}
	m := lazytest.Meta(d, volumes[0].shape, volumes[0].chunk)
	other := m
	other.Chunk = lazy.Shape{2, 1, 2, 7, 11}
	a, err := lazy.Apply(stencil.Op{Kernel: k, Edge: edge}, array(c.Name, m), array(c.Name+" too", other))
	if err != nil {
		panic(err)
	}
	c.Array, c.Region = a, m.Shape.Whole()
	return c
}

// array is random numbers over the range of their type, the same for the same name.
func array(name string, m lazy.Meta) lazy.Array {
	h := fnv.New64a()
	h.Write([]byte(name))
	seed := h.Sum64()
	lo, hi := m.DType.Range()
	if m.DType.Float() {
		lo, hi = -500, 1500
	}
	return lazytest.Array(m, func(i lazy.Index) float64 {
		n := seed
		for _, v := range i {
			n = (n ^ uint64(v)) * 0x9E3779B97F4A7C15
			n ^= n >> 29
		}
		return lo + float64(n>>11)/(1<<53)*(hi-lo)
	})
}

// Processor computes a case with the loops that this process has chosen.
func Processor(c Case) (*lazy.Block, error) {
	e := engine.New(engine.Options{Workers: 1, Memory: 64 << 20})
	defer e.Close()
	b, _, err := e.Get(context.Background(), c.Array, c.Region, engine.Priority{})
	return b, err
}

// Same reports where two blocks differ: integers by anything, real numbers by more than so many units in the
// last place of the wanted one. All NaN are the same.
func Same(got, want *lazy.Block, ulps int) error {
	if got.Region != want.Region || got.DType != want.DType {
		return fmt.Errorf("%v of %v, want %v of %v", got.Region, got.DType, want.Region, want.DType)
	}
	if string(got.Bytes()) == string(want.Bytes()) {
		return nil
	}
	g, w := lazytest.Values(got), lazytest.Values(want)
	n := 0
	var first error
	for i := range g {
		if g[i] == w[i] || math.IsNaN(g[i]) && math.IsNaN(w[i]) {
			continue
		}
		if want.DType.Float() && math.Abs(g[i]-w[i]) <= float64(ulps)*ulp(w[i], want.DType) {
			continue
		}
		if n++; first == nil {
			first = fmt.Errorf("voxel %d is %v, want %v", i, g[i], w[i])
		}
	}
	if n > 1 {
		return fmt.Errorf("%w, and %d more differ", first, n-1)
	}
	return first
}

// Near reports where the voxels of two blocks differ by more than a part of the largest wanted one.
func Near(got, want *lazy.Block, part float64) error {
	if got.Region != want.Region || got.DType != want.DType {
		return fmt.Errorf("%v of %v, want %v of %v", got.Region, got.DType, want.Region, want.DType)
	}
	g, w := lazytest.Values(got), lazytest.Values(want)
	most := 0.0
	for _, v := range w {
		most = max(most, math.Abs(v))
	}
	for i := range g {
		if !(math.Abs(g[i]-w[i]) <= part*most) {
			return fmt.Errorf("voxel %d is %v, want %v within %.2g of %v", i, g[i], w[i], part, most)
		}
	}
	return nil
}

// ulp is the distance from v to the next number of the type.
func ulp(v float64, d lazy.DType) float64 {
	if d == lazy.F32 {
		f := float32(math.Abs(v))
		return float64(math.Nextafter32(f, math.MaxFloat32) - f)
	}
	return math.Nextafter(math.Abs(v), math.MaxFloat64) - math.Abs(v)
}
