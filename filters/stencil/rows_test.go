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

func sameBits(a, b []float32) error {
	for i := range a {
		if a[i] != b[i] && !(a[i] != a[i] && b[i] != b[i]) {
			return fmt.Errorf("at %d of %d: %v, the plain loop has %v", i, len(a), a[i], b[i])
		}
	}
	return nil
}

// The loops in use give the bits of the plain ones, whatever the length of the row.
func TestFastLoopsGiveThePlainLoopsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	slow := plain[float32]()
	for n := range 70 {
		a, b, c, d, e := rowOf(r, n), rowOf(r, n), rowOf(r, n), rowOf(r, n), rowOf(r, n)
		for name, run := range map[string]func(t *table[float32], dst []float32){
			"difference": func(t *table[float32], dst []float32) { t.difference(dst, a, b) },
			"smooth":     func(t *table[float32], dst []float32) { t.smooth(dst, a, b, c) },
			"scale":      func(t *table[float32], dst []float32) { t.scale(dst, a, 0.3) },
			"addScaled":  func(t *table[float32], dst []float32) { t.addScaled(dst, a, 0.3) },
			"sum3":       func(t *table[float32], dst []float32) { t.sum3(dst, a, b, c) },
			"add":        func(t *table[float32], dst []float32) { t.add(dst, a) },
			"add2":       func(t *table[float32], dst []float32) { t.add2(dst, a, b) },
			"add4":       func(t *table[float32], dst []float32) { t.add4(dst, a, b, c, d) },
			"addPair":    func(t *table[float32], dst []float32) { t.addPair(dst, a, b, 0.3) },
			"addPairs":   func(t *table[float32], dst []float32) { t.addPairs(dst, a, b, c, d, 0.3, 0.7) },
			"divide":     func(t *table[float32], dst []float32) { t.divide(dst, a, 9) },
			"norm2":      func(t *table[float32], dst []float32) { t.norm2(dst, a, b) },
			"norm3":      func(t *table[float32], dst []float32) { t.norm3(dst, a, b, c) },
		} {
			got, want := append([]float32(nil), e...), append([]float32(nil), e...)
			run(&tableF32, got)
			run(&slow, want)
			if err := sameBits(got, want); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, by := range []float32{1, 3, 9, 7, 0.1, 1000, 65535} {
			got, want := make([]float32, n), make([]float32, n)
			tableF32.floorDiv(got, a, by)
			slow.floorDiv(want, a, by)
			for i := range a {
				if math.Abs(float64(a[i]/by)) > 1<<22 { // beyond, float32 has no fractions that // could drop
					got[i], want[i] = 0, 0
				}
			}
			if err := sameBits(got, want); err != nil {
				t.Errorf("%v // %v: %v", a, by, err)
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
		src := rowOf(r, n)
		region := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, n + 3})
		for _, d := range []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16} {
			b := lazy.NewBlock(region, d)
			storeRow(b, 3, 1, src)
			for i, v := range src {
				one := lazy.NewBlock(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1}), d)
				lazy.Fill(one, float64(v))
				if got, want := b.Value(lazy.Index{0, 0, 0, 0, i + 3}), one.Value(lazy.Index{}); got != want {
					t.Fatalf("%v in %v is %v, want %v", v, d, got, want)
				}
			}
		}
	}
}
