package stencil

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lamella/lazy"
)

func TestSumsOfNarrowRowsAreThoseOfWideOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 100 {
		summed[int16](t, func() []uint8 { return integers[uint8](r, n) })
		summed[int16](t, func() []int8 { return integers[int8](r, n) })
		summed[float32](t, func() []uint16 { return integers[uint16](r, n) })
		summed[int32](t, func() []int16 { return integers[int16](r, n) })
	}
}

// integers are n of all the numbers of a type, its ends more often.
func integers[S uint8 | int8 | uint16 | int16](r *rand.Rand, n int) []S {
	lo, hi := lazy.TypeOf[S]().Range()
	row := make([]S, n)
	for i := range row {
		row[i] = []S{S(lo), S(hi), S(r.Uint32()), S(r.Uint32())}[r.IntN(4)]
	}
	return row
}

func summed[D scalar, S lazy.Number](t *testing.T, row func() []S) {
	t.Helper()
	a, b, c := row(), row(), row()
	got, want := make([]D, len(a)), make([]D, len(a))
	summing[D, S]()(got, a, b, c)
	for i := range want {
		want[i] = D(int64(a[i]) + int64(b[i]) + int64(c[i]))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%v: sums %v, want %v", lazy.TypeOf[S](), got, want)
	}
}

func TestQuotientsAreStoredAsTheyWouldBeOneAfterAnother(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := 1; n < 100; n++ {
		for _, by := range []int16{2, 3, 8, 9, 27, 255, 1000, 10000} {
			// Sums of up to ten times what fits, and of all that the type may be given.
			for _, most := range []int64{min(1000, math.MaxInt16-int64(by)/2) / 3, (math.MaxInt16 - int64(by)/2) / 3} {
				row := func() []int16 { return numbers[int16](r, n, most) }
				a, b, c := row(), row(), row()
				stored[uint8](t, a, b, c, by, &tableI16)
				stored[int8](t, a, b, c, by, &tableI16)
			}
			for _, most := range []int64{300_000, 5_000_000} {
				row := func() []float32 { return numbers[float32](r, n, most) }
				stored[uint16](t, row(), row(), row(), float32(by), &tableF32)
			}
		}
	}
}

func stored[D uint8 | int8 | uint16, E scalar](t *testing.T, a, b, c []E, by E, loops *table[E]) {
	t.Helper()
	lo, hi := lazy.TypeOf[D]().Range()
	for code, quotient := range map[Code]func(float64) float64{fusedFloorDiv: math.Floor, fusedRoundDiv: math.Round} {
		s := &step[E]{code: code, by: by, width: len(a), loops: loops}
		for _, row := range [][]E{a, b, c} {
			s.terms = append(s.terms, operand[E]{of: &lineOf[E]{memory: row, at: []int{0}}})
		}
		block := lazy.NewBlock(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, len(a)}), lazy.TypeOf[D]())
		out := output{block: block, row: len(a), col: 1, whole: true}
		storerOf(&out, maker[E](s)).row(make([]E, len(a)), 0)
		for i, got := range lazy.View[D](block) {
			sum := float64(int64(a[i]) + int64(b[i]) + int64(c[i]))
			if want := D(min(max(quotient(sum/float64(by)), lo), hi)); got != want {
				t.Fatalf("%v by %v with code %d is %d, want %d", sum, by, code, got, want)
			}
		}
	}
}

func TestWhichRowsAreAddedAsTheyAreStored(t *testing.T) {
	const box = "x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]"
	for _, c := range []struct {
		name, text string
		in         lazy.DType
		want       bool
	}{
		{"those of bytes", box, lazy.U8, true},
		{"of numbers of 16 bits", "(" + box + ") // 9", lazy.U16, true},
		{"of three voxels in a row", "x[0,-1] + x[0,0] + x[0,1]", lazy.I8, true},
		{"not of three that are divided in the same loop", "(x[0,-1] + x[0,0] + x[0,1]) // 3", lazy.I8, false},
		{"not of what is stored as it is computed", box, lazy.F32, false},
		{"not where others look at them too", "(x[0,-1] + x[0,0] + x[0,1]) // 3 - x[1,0]", lazy.U8, false},
		{"not of two voxels", "(x[0,-1] + x[0,1]) // 2", lazy.U8, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := Parse("box", c.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := k.compile([]lazy.DType{c.in}, magnitude(c.in))
			if got := slices.Contains(p.direct, true); got != c.want {
				t.Errorf("they are: %v", got)
			}
		})
	}
}
