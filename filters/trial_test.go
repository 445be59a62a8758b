package filters_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// watched is a Trial of a box of an image with all of a PSF.
func watched(t testing.TB, filter string, image, psf lazy.Array, box lazy.Region) filters.Trial {
	t.Helper()
	c, err := filters.Parse(filter)
	if err == nil {
		c, err = c.Open(func(string) (lazy.Array, error) { return psf, nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	var all filters.Support
	for i, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		all.Size[i], all.Of[i] = psf.Meta().Shape[a], psf.Meta().Shape[a]
	}
	trial, err := c.Trial(image, 0, box, all)
	if err != nil {
		t.Fatal(err)
	}
	return trial
}

func read(t testing.TB, e *engine.Engine, a lazy.Array, err error, r lazy.Region) *lazy.Block {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := e.Get(context.Background(), a, r, engine.Priority{Tier: engine.Background})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func same(t *testing.T, what string, got, want *lazy.Block) {
	t.Helper()
	lazytest.Each(got.Region, func(i lazy.Index) {
		if got.Value(i) != want.Value(i) {
			t.Fatalf("%s: at %v %v, want %v", what, i, got.Value(i), want.Value(i))
		}
	})
}

// A trial gives what the filter gives with the box as a block and the same halo, in any order, and whether what it was
// gone on from is still there or not: resumed is uninterrupted, bit for bit.
func TestATrialHasTheBitsOfTheFilter(t *testing.T) {
	shape, n := [3]int{12, 40, 48}, [3]int{5, 7, 9}
	image, psf := stack(shape, dots), stack(n, leaning(n))
	for _, how := range []string{"", "accelerate=true", "tv=0.01", "edges=mirror", "edges=zero start=input background=2"} {
		for name, box := range map[string]lazy.Region{
			"xy": {Min: lazy.Index{0, 6, 0, 20, 24}, Max: lazy.Index{1, 7, 1, 40, 48}},
			"xz": {Min: lazy.Index{0, 6, 0, 20, 24}, Max: lazy.Index{1, 12, 1, 21, 48}},
		} {
			e := deconvolver(t)
			trial := watched(t, "richardson-lucy psf=p "+how, image, psf, box)
			blocks := fmt.Sprintf("richardson-lucy psf=p %s block=%d,%d,%d halo=4,6,8 iterations=", how, box.Len(lazy.Z), box.Len(lazy.Y), box.Len(lazy.X))
			for _, k := range []int{3, 1, 8} {
				if k == 8 {
					e.Clear()
				}
				got, err := trial.At(k)
				want, _ := settle(t, blocks+fmt.Sprint(k), image, psf, 1<<30)
				a, applied := want.Apply(image)
				same(t, fmt.Sprintf("%s %s, %d iterations", name, how, k), read(t, e, got, err, box), read(t, e, a, applied, box))
			}
		}
	}
}

func TestWhoeverHasSeenAStagePaysForTheRestAlone(t *testing.T) {
	shape, n := [3]int{12, 40, 48}, [3]int{5, 7, 9}
	box := lazy.Region{Min: lazy.Index{0, 6, 0, 0, 0}, Max: lazy.Index{1, 7, 1, 40, 48}}
	trial := watched(t, "richardson-lucy psf=p", stack(shape, dots), stack(n, leaning(n)), box)
	e := deconvolver(t)
	computed := func(k int) int {
		a, err := trial.At(k)
		if err != nil {
			t.Fatal(err)
		}
		_, s, err := e.Get(context.Background(), a, box, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		return s.TasksRun
	}
	if a, b := computed(2), computed(5); a <= b || b != 3 {
		t.Errorf("2 iterations took %d tasks, and 5 then %d: want two passes and the box", a, b)
	}
	if n := computed(3); n != 1 {
		t.Errorf("3 iterations, computed already, took %d tasks: want the box", n)
	}
	p := trial.Padded()
	if p != [3]int{13, 46, 56} {
		t.Errorf("each iteration is of %v voxels, want the plane, its halo and what the PSF reaches beyond", p)
	}
}

func TestStagesGrow(t *testing.T) {
	for most, want := range map[int]string{
		1: "[1]", 2: "[1 2]", 4: "[1 2 3 4]", 10: "[1 2 3 5 10]", 12: "[1 2 3 5 10 12]", 50: "[1 2 3 5 10 15 20 25 30 40 50]",
	} {
		if got := fmt.Sprint(filters.Stages(most)); got != want {
			t.Errorf("up to %d: %s, want %s", most, got, want)
		}
	}
}

// The I-divergence of an estimate falls with every iteration, and so does what is moved but for the first few; both are what the
// formulas say, here of a constant first estimate.
func TestTheCourseIsThatOfTheFormulas(t *testing.T) {
	shape, n := [3]int{8, 30, 34}, [3]int{3, 5, 5}
	image, psf := stack(shape, lines(shape)), stack(n, leaning(n))
	box := image.Meta().Shape.Whole()
	trial := watched(t, "richardson-lucy psf=p start=0.5", image, psf, box)
	e := deconvolver(t)
	c, err := trial.Course(30)
	course := filters.ReadCourse(read(t, e, c, err, lazy.Region{Max: lazy.Index{1, 1, 1, 30, 2}}))
	want := 0.0 // of the first estimate, which blurs to itself
	lazytest.Each(box, func(i lazy.Index) {
		d := lines(shape)(i)
		want += d*math.Log(d/0.5) - d + 0.5
	})
	want /= float64(box.Voxels())
	if got := course[0].Divergence; math.Abs(got-want) > 1e-4*want {
		t.Errorf("the I-divergence of the first estimate is %g, want %g", got, want)
	}
	for k := 1; k < len(course); k++ {
		if course[k].Divergence >= course[k-1].Divergence {
			t.Errorf("after %d iterations the I-divergence is %g, and before it was %g", k, course[k].Divergence, course[k-1].Divergence)
		}
	}
	before, err := trial.At(9)
	a := read(t, e, before, err, box)
	after, err := trial.At(10)
	b := read(t, e, after, err, box)
	moved, light := 0.0, 0.0
	lazytest.Each(box, func(i lazy.Index) { moved, light = moved+math.Abs(b.Value(i)-a.Value(i)), light+b.Value(i) })
	if got := course[9].Change; math.Abs(got-moved/light) > 1e-5*got {
		t.Errorf("the tenth iteration moved %g of the light, want %g", got, moved/light)
	}
}

// The table in docs/DECONVOLUTION.md: with the PSF cropped to its support and a halo of twice its reach a trial differs from the
// whole by next to nothing. -v tells by how much.
func TestAPlaneOnViewDiffersFromTheWholeByLessThanStated(t *testing.T) {
	e := deconvolver(t)
	shape, n := [3]int{32, 96, 96}, [3]int{17, 13, 13}
	psf := stack(n, bellOf(n))
	box := lazy.Region{Min: lazy.Index{0, 15, 0, 24, 24}, Max: lazy.Index{1, 16, 1, 72, 72}}
	blurred, err := filters.Parse("blur psf=p dtype=float32 block=0")
	if err == nil {
		blurred, err = blurred.Open(func(string) (lazy.Array, error) { return psf, nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	soft, err := blurred.Apply(stack(shape, dots))
	if err != nil {
		t.Fatal(err)
	}
	for _, image := range []struct {
		name string
		of   lazy.Array
	}{{"lines", stack(shape, lines(shape))}, {"points", stack(shape, dots)}, {"points, blurred", soft}, {"ramps", stack(shape, ramps)}} {
		c, err := filters.Parse("richardson-lucy psf=p")
		if err == nil {
			c, err = c.Open(func(string) (lazy.Array, error) { return psf, nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.PSFs(image.of)
		if err != nil || len(p) != 1 {
			t.Fatal(p, err)
		}
		s, err := p[0].Support(read(t, e, p[0].Array, nil, psf.Meta().Shape.Whole()))
		if err != nil || s.Size == s.Of || s.Kept < 0.998 {
			t.Fatalf("the support is %+v, %v", s, err)
		}
		trial, err := c.Trial(image.of, 0, box, s)
		if err != nil {
			t.Fatal(err)
		}
		reference, whole, err := c.Against(image.of, 0, box, 1<<30)
		if err != nil || !whole {
			t.Fatal(whole, err)
		}
		for _, k := range []int{10, 40} {
			one, err := trial.At(k)
			got := read(t, e, one, err, box)
			other, err := reference.At(k)
			want := read(t, e, other, err, box)
			full, _ := settle(t, fmt.Sprint("richardson-lucy psf=p iterations=", k), image.of, psf, 1<<30)
			filter, err := full.Apply(image.of)
			same(t, "the reference", want, read(t, e, filter, err, box))
			apart := filters.Apart(got, want)
			t.Logf("%s, %d iterations: at most %.4f, %.5f rms", image.name, k, apart.Most, apart.Mean)
			if !(apart.Most > 0 && apart.Most < 0.01 && apart.Mean < 0.005) {
				t.Errorf("%s, %d iterations: %+v", image.name, k, apart)
			}
		}
	}
}

func bellOf(n [3]int) func(lazy.Index) float64 {
	return func(i lazy.Index) float64 {
		sum := 0.0
		for a, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			d := float64(i[ax]-n[a]/2) / (float64(n[a]) / 8.6)
			sum += d * d
		}
		return math.Exp(-sum / 2)
	}
}

func TestAMeasureNeedsMemoryOrSaysSo(t *testing.T) {
	shape, n := [3]int{24, 60, 64}, [3]int{5, 5, 5}
	c, err := filters.Parse("richardson-lucy psf=p")
	if err == nil {
		c, err = c.Open(func(string) (lazy.Array, error) { return stack(n, leaning(n)), nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	box := lazy.Region{Min: lazy.Index{0, 11, 0, 10, 10}, Max: lazy.Index{1, 12, 1, 50, 54}}
	if r, whole, err := c.Against(stack(shape, dots), 0, box, 1<<20); err != nil || whole || r.Memory() > 1<<20 {
		t.Errorf("%v: %v, %d bytes", err, whole, r.Memory())
	}
	if _, _, err := c.Against(stack(shape, dots), 0, box, 1<<10); err == nil || !strings.Contains(err.Error(), "not enough memory") {
		t.Error(err)
	}
}

func TestAStopRuleEndsAllBlocksAtOneIterationThatStandsInTheChain(t *testing.T) {
	shape, n := [3]int{12, 40, 48}, [3]int{5, 7, 9}
	image, psf := stack(shape, lines(shape)), stack(n, leaning(n))
	e := deconvolver(t)
	box := image.Meta().Shape.Whole()
	for _, c := range []struct {
		rule   string
		enough func(so []filters.Progress, i int) bool
	}{
		{"stop=0.02", func(so []filters.Progress, i int) bool { return so[i].Change < 0.02 }},
		{"stop-divergence=0.02", func(so []filters.Progress, i int) bool {
			return i > 0 && so[i-1].Divergence-so[i].Divergence < 0.02*so[i-1].Divergence
		}},
		{"stop=0.000001", func([]filters.Progress, int) bool { return false }},
	} {
		course, err := watched(t, "richardson-lucy psf=p", image, psf, box).Course(40)
		so := filters.ReadCourse(read(t, e, course, err, lazy.Region{Max: lazy.Index{1, 1, 1, 40, 2}}))
		want := 40
		for i := range so {
			if c.enough(so, i) {
				want = i + 1
				break
			}
		}
		chain, _ := settle(t, "richardson-lucy psf=p iterations=40 "+c.rule, image, psf, 1<<30)
		about := ""
		chain, err = chain.Resolve(image, func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
			return read(t, e, a, nil, r), nil
		}, func(q filters.Question, _ filters.Step) { about = q.About })
		if err != nil {
			t.Fatal(err)
		}
		if got := chain[0].Arg("stopped"); got != fmt.Sprint(want) || about != "12 x 40 x 48 voxels in the middle" {
			t.Errorf("%s: it stops at %s, want %d; from %q", c.rule, got, want, about)
		}
		if q, open, err := chain.Question(image); open || err != nil {
			t.Errorf("%s: asked again: %v %v", c.rule, q.About, err)
		}
		ended, err := chain.Apply(image)
		if err != nil {
			t.Fatal(err)
		}
		full, _ := settle(t, fmt.Sprint("richardson-lucy psf=p iterations=", want), image, psf, 1<<30)
		as, err := full.Apply(image)
		same(t, c.rule, read(t, e, ended, nil, box), read(t, e, as, err, box))
	}
}

// Of several channels the one that takes longest says where all end; where all is 0 nothing moves, and every rule holds at once.
func TestAStopRuleLooksAtAllChannels(t *testing.T) {
	shape := lazy.Shape{1, 6, 3, 32, 32}
	dotted := lines([3]int{6, 32, 32})
	of := func(channels ...int) lazy.Array { // 0 is darkness, 1 the same everywhere, 2 dots
		s := shape
		s[lazy.C] = len(channels)
		return lazytest.Array(lazytest.Meta(lazy.F32, s, s), func(i lazy.Index) float64 {
			at := i
			at[lazy.C] = 0
			return []float64{0, 10, dotted(at)}[channels[i[lazy.C]]]
		})
	}
	e := deconvolver(t)
	stopped := func(filter string, a lazy.Array) (n int, about string) {
		c, err := filters.Parse(filter + " psf=gaussian(sigma=1) iterations=30")
		if err == nil {
			c, err = c.Settle(a, nil)
		}
		if err == nil {
			c, err = c.Resolve(a, func(a lazy.Array, r lazy.Region) (*lazy.Block, error) { return read(t, e, a, nil, r), nil },
				func(q filters.Question, _ filters.Step) { about = q.About })
		}
		if err == nil {
			n, err = strconv.Atoi(c[0].Arg("stopped"))
		}
		if err != nil {
			t.Fatal(err)
		}
		return n, about
	}
	for _, method := range []string{"richardson-lucy", "landweber"} {
		for _, rule := range []string{"stop=0.02", "stop-divergence=0.02"} {
			filter := method + " " + rule
			longest, _ := stopped(filter, of(2))
			if n, _ := stopped(filter, of(0)); n != 1 {
				t.Errorf("%s of zeros ends at %d", filter, n)
			}
			for _, channels := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 1}} {
				n, about := stopped(filter, of(channels...))
				if n != longest || longest < 3 || about != "6 x 32 x 32 voxels in the middle, the last of 3 channels" {
					t.Errorf("%s of %v ends at %d, the slowest channel at %d; from %q", filter, channels, n, longest, about)
				}
			}
		}
	}
}

// A PSF is known by its name and refused before any voxel of the image is computed.
func TestWhatIsWrongWithAPSFIsToldWithItsNameBeforeTheWork(t *testing.T) {
	e := deconvolver(t)
	image := stack([3]int{5, 9, 9}, lines([3]int{5, 9, 9}))
	psf := stack([3]int{3, 3, 3}, func(i lazy.Index) float64 { return float64(i[lazy.X]) - 0.5 })
	c, err := filters.Parse("gaussian | richardson-lucy psf=measured.tif")
	if err == nil {
		c, err = c.Open(func(string) (lazy.Array, error) { return psf, nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.PSFs(image)
	if err != nil || len(p) != 1 || p[0].Step != 1 {
		t.Fatal(p, err)
	}
	if _, err := p[0].Support(read(t, e, p[0].Array, nil, psf.Meta().Shape.Whole())); err == nil || err.Error() != "filters: psf=measured.tif: the PSF holds negative values, such as -0.5: take its background away, or let prepare=true do that" {
		t.Error(err)
	}
}

func TestOfAPSFLargerThanTheImageTheMiddleIsUsed(t *testing.T) {
	image := stack([3]int{5, 9, 9}, lines([3]int{5, 9, 9}))
	large, small := [3]int{21, 33, 9}, [3]int{9, 17, 9}
	c, about := settle(t, "richardson-lucy psf=p iterations=3", image, stack(large, bellOf(large)), 1<<30)
	if want := "a PSF of 9 x 17 x 9 voxels (the middle of 21 x 33 x 9: the image is smaller), 3 iterations and 1024 MiB of memory"; about != want {
		t.Errorf("told %q, want %q", about, want)
	}
	cut := stack(small, func(i lazy.Index) float64 {
		i[lazy.Z], i[lazy.Y] = i[lazy.Z]+6, i[lazy.Y]+8
		return bellOf(large)(i)
	})
	same2, _ := settle(t, "richardson-lucy psf=p iterations=3", image, cut, 1<<30)
	e := deconvolver(t)
	a, err := c.Apply(image)
	b, err2 := same2.Apply(image)
	same(t, "cropped by hand", read(t, e, a, err, image.Meta().Shape.Whole()), read(t, e, b, err2, image.Meta().Shape.Whole()))
}
