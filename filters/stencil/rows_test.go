package stencil

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lamella/lazy"
)

// rowOf is n numbers in which small integers, halves, large values, infinities and NaN occur.
func rowOf(r *rand.Rand, n int) []float32 {
	row := make([]float32, n)
	for i := range row {
		switch r.IntN(8) {
		case 0:
			row[i] = float32(r.IntN(600) - 100)
		case 1:
			row[i] = float32(r.IntN(600)-100) + 0.5
		case 2:
			row[i] = math.Nextafter32(float32(r.IntN(300))+0.5, 0)
		case 3:
			row[i] = float32(r.IntN(1 << 24))
		case 4:
			row[i] = []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0.49999997, 65535.5, 255.5, float32(math.Copysign(0, -1)), 1e30}[r.IntN(8)]
		default:
			row[i] = r.Float32()*2000 - 500
		}
	}
	return row
}

func sameBits[E scalar](a, b []E) error {
	for i := range a {
		if pattern(a[i]) != pattern(b[i]) && !(a[i] != a[i] && b[i] != b[i]) {
			return fmt.Errorf("at %d of %d: %v, the plain loop has %v", i, len(a), a[i], b[i])
		}
	}
	return nil
}

// pattern tells zeros apart.
func pattern[E scalar](v E) uint64 {
	if f, ok := any(v).(float32); ok {
		return uint64(math.Float32bits(f))
	}
	return uint64(v)
}

// loopsOf names the loops of a table, on rows that reach two voxels beyond dst.
func loopsOf[E scalar](a, b, c, d []E, v, w E) map[string]func(t *table[E], dst []E) {
	return map[string]func(t *table[E], dst []E){
		"difference":    func(t *table[E], dst []E) { t.difference(dst, a, b) },
		"smooth":        func(t *table[E], dst []E) { t.smooth(dst, a, b, c) },
		"scale":         func(t *table[E], dst []E) { t.scale(dst, a, v) },
		"addScaled":     func(t *table[E], dst []E) { t.addScaled(dst, a, v) },
		"sum3":          func(t *table[E], dst []E) { t.sum3(dst, a, b, c) },
		"sum5":          func(t *table[E], dst []E) { t.sum5(dst, a, b, c, d, a[1:]) },
		"add":           func(t *table[E], dst []E) { t.add(dst, a) },
		"add2":          func(t *table[E], dst []E) { t.add2(dst, a, b) },
		"add4":          func(t *table[E], dst []E) { t.add4(dst, a, b, c, d) },
		"scale2":        func(t *table[E], dst []E) { t.scale2(dst, a, b, v, w) },
		"addScaled2":    func(t *table[E], dst []E) { t.addScaled2(dst, a, b, v, w) },
		"scalePair":     func(t *table[E], dst []E) { t.scalePair(dst, a, b, c, v, w) },
		"scalePairs":    func(t *table[E], dst []E) { t.scalePairs(dst, a, b, c, d, d[1:], w, v, w) },
		"addPairs":      func(t *table[E], dst []E) { t.addPairs(dst, a, b, c, d, v, w) },
		"product":       func(t *table[E], dst []E) { t.product(dst, a, b) },
		"square":        func(t *table[E], dst []E) { t.square(dst, a) },
		"addSquare":     func(t *table[E], dst []E) { t.addSquare(dst, a) },
		"magnitude":     func(t *table[E], dst []E) { t.magnitude(dst, a) },
		"addMagnitude":  func(t *table[E], dst []E) { t.addMagnitude(dst, a) },
		"minimum":       func(t *table[E], dst []E) { t.minimum(dst, a, b) },
		"maximum":       func(t *table[E], dst []E) { t.maximum(dst, a, b) },
		"less":          func(t *table[E], dst []E) { t.less(dst, a, b) },
		"lessEqual":     func(t *table[E], dst []E) { t.lessEqual(dst, a, b) },
		"equal":         func(t *table[E], dst []E) { t.equal(dst, a, b) },
		"choose":        func(t *table[E], dst []E) { t.choose(dst, a, b, c) },
		"divide":        func(t *table[E], dst []E) { t.divide(dst, a, w) },
		"sumDivide":     func(t *table[E], dst []E) { t.sumDivide(dst, a, b, c, w) },
		"add4Divide":    func(t *table[E], dst []E) { t.add4Divide(dst, a, b, c, d, w) },
		"exp":           func(t *table[E], dst []E) { t.exp(dst, a) },
		"log":           func(t *table[E], dst []E) { t.log(dst, a) },
		"root":          func(t *table[E], dst []E) { t.root(dst, a) },
		"norm2":         func(t *table[E], dst []E) { t.norm2(dst, a, b) },
		"norm3":         func(t *table[E], dst []E) { t.norm3(dst, a, b, c) },
		"boxDivide":     func(t *table[E], dst []E) { t.boxDivide(dst, a, b, c, w) },
		"columnsDivide": func(t *table[E], dst []E) { t.columnsDivide(dst, a, b, c, w) },
		"edge2":         func(t *table[E], dst []E) { t.edge2(dst, a, b, c) },
		"slope2":        func(t *table[E], dst []E) { t.slope2(dst, a, b) },
		"slope3":        func(t *table[E], dst []E) { t.slope3(dst, a, b, c) },
	}
}

// divisionsOf names the loops that divide integers.
func divisionsOf[E scalar](a, b, c []E, by E) map[string]func(t *table[E], dst []E) {
	return map[string]func(t *table[E], dst []E){
		"floorDiv":    func(t *table[E], dst []E) { t.floorDiv(dst, a, by) },
		"roundDiv":    func(t *table[E], dst []E) { t.roundDiv(dst, a, by) },
		"sumFloorDiv": func(t *table[E], dst []E) { t.sumFloorDiv(dst, a, b, c, by) },
		"sumRoundDiv": func(t *table[E], dst []E) { t.sumRoundDiv(dst, a, b, c, by) },
	}
}

func compareLoops[E scalar](t *testing.T, fast *table[E], before []E, loops map[string]func(t *table[E], dst []E)) {
	slow := plain[E]()
	for name, run := range loops {
		got, want := append([]E(nil), before...), append([]E(nil), before...)
		run(fast, got)
		run(&slow, want)
		if err := sameBits(got, want); err != nil {
			t.Errorf("%s of %T: %v", name, got, err)
		}
	}
}

func numbers[E scalar](r *rand.Rand, n int, most int64) []E {
	row := make([]E, n)
	for i := range row {
		row[i] = E(r.Int64N(2*most+1) - most)
		switch r.IntN(8) {
		case 0:
			row[i] = E(most)
		case 1:
			row[i] = E(-most)
		case 2:
			row[i] = 0
		}
	}
	return row
}

// The loops in use give the bits of the plain ones, whatever the length of the row.
func TestFastLoopsGiveThePlainLoopsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		f := func() []float32 { return rowOf(r, n+2) }
		compareLoops(t, &tableF32, f()[:n], loopsOf(f(), f(), f(), f(), 0.3, 0.7))
		compareLoops(t, &tableF32, f()[:n], loopsOf(f(), f(), f(), f(), -3, 9))
		i := func() []int32 { return numbers[int32](r, n+2, 1<<20) }
		compareLoops(t, &tableI32, i()[:n], loopsOf(i(), i(), i(), i(), 7, -5))
		s := func() []int16 { return numbers[int16](r, n+2, 1000) }
		compareLoops(t, &tableI16, s()[:n], loopsOf(s(), s(), s(), s(), 3, -2))
	}
}

// In float32 the numbers that are divided as integers are integers, of a magnitude that leaves room for half of the divisor.
func TestFastDivisionsGiveThePlainLoopsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 100 {
		for _, by := range []int64{1, 2, 3, 7, 8, 9, 27, 100, 255, 1000, 4095, 10000} {
			f := func() []float32 { return numbers[float32](r, n, 5_000_000) }
			compareLoops(t, &tableF32, f(), divisionsOf(f(), f(), f(), float32(by)))
			i := func() []int32 { return numbers[int32](r, n, 1<<28) }
			compareLoops(t, &tableI32, i(), divisionsOf(i(), i(), i(), int32(by)))
			s := func() []int16 { return numbers[int16](r, n, (math.MaxInt16-by/2)/3) }
			compareLoops(t, &tableI16, s(), divisionsOf(s(), s(), s(), int16(by)))
		}
		for _, by := range []float32{0.1, 0.5, 3.7} { // of real numbers
			a := rowOf(r, n)
			for i, v := range a {
				if math.Abs(float64(v/by)) > 1<<22 { // beyond, float32 has no fractions that // could drop
					a[i] = 0
				}
			}
			compareLoops(t, &tableF32, a, map[string]func(t *table[float32], dst []float32){
				"floorDiv": func(t *table[float32], dst []float32) { t.floorDiv(dst, a, by) },
			})
		}
	}
}

// Every number that int16 holds, by every divisor that a kernel of int16 may have.
func TestDivisionsOfSmallIntegersAreExact(t *testing.T) {
	all := make([]int16, 0, 1<<16)
	for v := -math.MaxInt16; v <= math.MaxInt16; v++ {
		all = append(all, int16(v))
	}
	got := make([]int16, len(all))
	for _, by := range []int{1, 2, 3, 4, 5, 6, 7, 9, 10, 16, 25, 27, 81, 125, 128, 255, 1000, 4096, 9999, 16384, 20000, math.MaxInt16} {
		tableI16.floorDiv(got, all, int16(by))
		for i, v := range all {
			if want := int16(math.Floor(float64(v) / float64(by))); got[i] != want {
				t.Fatalf("%d // %d is %d, want %d", v, by, got[i], want)
			}
		}
		room := all[by/2 : len(all)-by/2]
		tableI16.roundDiv(got[:len(room)], room, int16(by))
		for i, v := range room {
			if want := int16(math.Round(float64(v) / float64(by))); got[i] != want {
				t.Fatalf("%d / %d to nearest is %d, want %d", v, by, got[i], want)
			}
		}
	}
}

func TestWholeDivisionIsPythons(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		by := 1 + r.Int32N(math.MaxInt32-1)>>r.IntN(32)
		a := []int32{r.Int32() - 1<<30, -r.Int32(), math.MinInt32, math.MaxInt32, 0, by, -by, by - 1, -by - 1}
		dst := make([]int32, len(a))
		floorDivInts(dst, a, by)
		for i, v := range a {
			if want := int32(math.Floor(float64(v) / float64(by))); dst[i] != want {
				t.Fatalf("%d // %d is %d, want %d", v, by, dst[i], want)
			}
		}
	}
}

func TestRowsAreNarrowedAsConvertDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 1; n < 80; n++ {
		narrowed(t, output{}, rowOf(r, n))
		whole := output{whole: true}
		narrowed(t, whole, numbers[int16](r, n, math.MaxInt16))
		narrowed(t, whole, numbers[int16](r, n, 300))
		narrowed(t, whole, numbers[int32](r, n, 100_000))
		narrowed(t, whole, numbers[float32](r, n, 100_000))
		narrowed(t, whole, numbers[float32](r, n, mantissa))
	}
}

func narrowed[E scalar](t *testing.T, out output, src []E) {
	region := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, len(src) + 3})
	for _, d := range []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16, lazy.I32, lazy.F32} {
		b := lazy.NewBlock(region, d)
		out.block, out.origin, out.row, out.col = b, 3, len(src)+3, 1
		storerOf(&out, maker[E](given[E](src))).row(make([]E, len(src)), 0)
		for i, v := range src {
			one := lazy.NewBlock(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1}), d)
			lazy.Fill(one, float64(v))
			if got, want := b.Value(lazy.Index{0, 0, 0, 0, i + 3}), one.Value(lazy.Index{}); got != want && got == got {
				t.Fatalf("%v in %v is %v, want %v", v, d, got, want)
			}
		}
	}
}

// given makes the rows that it is.
type given[E scalar] []E

func (g given[E]) row(own []E, _ int) { copy(own, g) }
