package filters_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/filters/fft"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// dots is points of light on a ground, and ramps a slope with steps, as other images than lines.
func dots(i lazy.Index) float64 {
	n := (i[lazy.Z]*131+i[lazy.Y])*137 + i[lazy.X]
	if speckle(n) > 0.99 {
		return 1000
	}
	return 10 * speckle(n+5)
}

func ramps(i lazy.Index) float64 {
	return float64(i[lazy.X]) + 50*float64(i[lazy.Y]/9%2) + 30*float64(i[lazy.Z]/4%2)
}

// What docs/DECONVOLUTION.md says of blocks: with the halo that is chosen they differ from the whole by less than 0.01 of
// the largest value, though a quarter of this PSF's light is in its flat tails.
func TestBlocksDifferFromTheWholeByLessThanStated(t *testing.T) {
	e := deconvolver(t)
	shape, n := [3]int{24, 60, 64}, [3]int{7, 9, 9}
	for name, image := range map[string]func(lazy.Index) float64{"lines": lines(shape), "dots": dots, "ramps": ramps} {
		for _, edges := range []string{"noncirculant", "mirror", "zero"} {
			a, psf := stack(shape, image), stack(n, leaning(n))
			filter := "richardson-lucy psf=p iterations=20 edges=" + edges
			whole := deconvolved(t, e, filter+" block=0 halo=9,12,12", a, psf)
			cut := deconvolved(t, e, filter+" block=8,32,24", a, psf)
			want := make([]float32, 0, whole.Len())
			for _, v := range lazytest.Values(whole) {
				want = append(want, float32(v))
			}
			if apart, most := farthest(cut, want); !(apart > 0 && apart <= 1e-2*most) {
				t.Errorf("%s, edges=%s: blocks differ by %.3g of %.3g", name, edges, apart, most)
			}
		}
	}
}

func settle(t *testing.T, filter string, image, psf lazy.Array, memory int64) (filters.Chain, string) {
	t.Helper()
	c, err := filters.Parse(filter)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.Open(func(string) (lazy.Array, error) { return psf, nil }); err != nil {
		t.Fatal(err)
	}
	about := ""
	if c, err = c.Within(memory).Settle(image, func(_ filters.Step, from string) { about = from }); err != nil {
		t.Fatal(err)
	}
	return c, about
}

// The same chain gives the same bits whoever computes how much of it at once, so work that was stopped can be gone on
// with anywhere.
func TestBlocksHaveTheSameBitsWhoeverComputesThem(t *testing.T) {
	shape, n := [3]int{10, 40, 50}, [3]int{5, 7, 3}
	image, psf := stack(shape, dots), stack(n, leaning(n))
	for _, how := range []string{"", "accelerate=true tv=0.01"} {
		c, _ := settle(t, "richardson-lucy psf=p iterations=5 block=6,16,24 "+how, image, psf, 1<<30)
		a, err := c.Apply(image)
		if err != nil {
			t.Fatal(err)
		}
		var first *lazy.Block
		for _, workers := range []int{1, 2, 5} {
			e := engine.New(engine.Options{Workers: workers, Memory: 1 << 28})
			whole, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = whole
			}
			e.Clear()
			part, _, err := e.Get(context.Background(), a, lazy.At(lazy.Index{0, 5, 0, 3, 20}, lazy.Shape{1, 2, 1, 30, 9}), engine.Priority{})
			e.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range []*lazy.Block{whole, part} {
				lazytest.Each(b.Region, func(i lazy.Index) {
					if b.Value(i) != first.Value(i) {
						t.Fatalf("%d workers, %s: at %v %v, want %v", workers, how, i, b.Value(i), first.Value(i))
					}
				})
			}
		}
	}
}

func TestBlocksAreChosenForTheMemoryAndStandInTheChain(t *testing.T) {
	shape, n := [3]int{64, 256, 256}, [3]int{9, 17, 17}
	image, psf := stack(shape, ramps), stack(n, leaning(n))
	voxels := func(block [3]int) int64 { return int64(block[0] * block[1] * block[2]) }
	last := int64(math.MaxInt64)
	for _, mib := range []int64{4096, 256, 64, 16} {
		c, about := settle(t, "richardson-lucy psf=p iterations=7", image, psf, mib<<20)
		m := regexp.MustCompile(`^richardson-lucy psf=p iterations=7 block=(\d+),(\d+),(\d+) halo=(\d+),(\d+),(\d+)$`).FindStringSubmatch(c.String())
		if m == nil {
			t.Fatalf("%q", c)
		}
		var block [3]int
		if _, err := fmt.Sscan(strings.Join(m[1:4], " "), &block[0], &block[1], &block[2]); err != nil {
			t.Fatal(err)
		}
		if v := voxels(block); v > last || v < 1 {
			t.Errorf("with %d MiB blocks are %v", mib, block)
		} else {
			last = v
		}
		if want := fmt.Sprintf("a PSF of 9 x 17 x 17 voxels, 7 iterations and %d MiB of memory", mib); about != want {
			t.Errorf("told %q, want %q", about, want)
		}
		again, err := filters.Parse(c.String())
		if err != nil {
			t.Fatal(err)
		}
		if again, _ = settle(t, again.String(), image, psf, 1<<20); again.String() != c.String() {
			t.Errorf("with less memory later %q became %q", c, again)
		}
		if mib == 4096 && (block != shape || m[4] != "0") {
			t.Errorf("what fits is cut: %v, halo %v", block, m[4:])
		}
	}
}

// One block takes at most eight volumes of its grid in float32, its data and result included.
func TestABlockTakesAtMostEightVolumesOfItsGrid(t *testing.T) {
	shape, n := [3]int{20, 60, 64}, [3]int{7, 9, 9}
	for _, how := range []string{"", "edges=zero", "accelerate=true", "accelerate=true tv=0.01"} {
		e := engine.New(engine.Options{Workers: 2, Memory: 1 << 30})
		image, psf := stack(shape, ramps), stack(n, leaning(n))
		c, _ := settle(t, "richardson-lucy psf=p iterations=2 "+how, image, psf, 1<<30)
		a, err := c.Apply(image)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := e.Walk(context.Background(), a, a.Meta().Shape.Whole(), lazy.Shape{1, 20, 1, 60, 64}, func(*lazy.Block) error { return nil }, nil)
		e.Close()
		grid := int64(4 * fft.Floats(fft.Good(20+6), fft.Good(60+8), fft.GoodReal(64+8)))
		if err != nil || stats.PeakBytes > 8*grid {
			t.Errorf("%s: %.2f volumes (%v)", how, float64(stats.PeakBytes)/float64(grid), err)
		}
	}
}

// Work on a block ends soon after nobody waits for it.
func TestADeconvolutionCanBeCancelled(t *testing.T) {
	shape, n := [3]int{20, 60, 64}, [3]int{7, 9, 9}
	e := deconvolver(t)
	image, psf := stack(shape, ramps), stack(n, leaning(n))
	c, _ := settle(t, "richardson-lucy psf=p iterations=10000", image, psf, 1<<30)
	a, err := c.Apply(image)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() {})
	go cancel()
	if _, _, err := e.Get(ctx, a, a.Meta().Shape.Whole(), engine.Priority{}); err == nil {
		t.Error("10000 iterations were done")
	}
	e.Close() // waits for what runs
}
