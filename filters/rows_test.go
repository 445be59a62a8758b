package filters

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lamella/lazy"
)

// The loops in use give what the plain ones give, at any length, also in place.
func TestLoopsAgreeWithPlainOnes(t *testing.T) {
	agree[uint8](t)
	agree[int8](t)
	agree[uint16](t)
	agree[int16](t)
	agree[uint32](t)
	agree[int32](t)
	agree[uint64](t)
	agree[int64](t)
}

func agree[K whole](t *testing.T) {
	loops, name := orderOf[K](), lazy.TypeOf[K]()
	for n := range 140 {
		a, b := make([]K, n), make([]K, n)
		for i := range n {
			a[i], b[i] = K(uint64(i*i+7)*0x9e3779b97f4a7c15>>20), K(uint64(i+n)*0xc2b2ae3d27d4eb4f>>20)
		}
		lo, hi := make([]K, n), make([]K, n)
		exchangeRows(lo, hi, a, b)
		for what, got := range map[string][2][]K{
			"lesser, greater": func() [2][]K {
				l, h := make([]K, n), make([]K, n)
				loops.lesser(l, a, b)
				loops.greater(h, a, b)
				return [2][]K{l, h}
			}(),
			"exchange in place": func() [2][]K {
				l, h := slices.Clone(a), slices.Clone(b)
				loops.exchange(l, h, l, h)
				return [2][]K{l, h}
			}(),
		} {
			if !slices.Equal(got[0], lo) || !slices.Equal(got[1], hi) {
				t.Fatal(fmt.Sprint(name, ": ", what, " of ", n, " voxels"))
			}
		}
	}
}

func TestKeysOfRealNumbersAgreeWithPlainOnes(t *testing.T) {
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), -math.MaxFloat32, 1e-40}
	for n := range 70 {
		values := make([]float32, n)
		for i := range values {
			if values[i] = float32(i*i) - 900.5; i%3 == 0 {
				values[i] = special[i/3%len(special)]
			}
		}
		got, want := make([]int32, n), make([]int32, n)
		keyRow32(got, values)
		plainKeys32(want, values)
		if !slices.Equal(got, want) {
			t.Fatalf("the keys of %v are %v, want %v", values, got, want)
		}
		numbers32(got)
		for i, v := range values {
			if b := math.Float32bits(v); uint32(got[i]) != b && v == v {
				t.Fatalf("the key of %v is that of %v", v, math.Float32frombits(uint32(got[i])))
			}
		}
	}
}
