package viewer

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"lamella/lazy"
	"pgregory.net/rapid"
)

// autoCase is a plane and its limits as testdata/auto.py finds them.
type autoCase struct {
	Name, DType    string
	Shape          [2]int
	Values         []*float64
	Robust, ImageJ [][2]float64
}

func (c autoCase) block(t *testing.T) *lazy.Block {
	d, err := lazy.ParseDType(c.DType)
	if err != nil {
		t.Fatal(err)
	}
	b := lazy.NewBlock(shape(c.Shape[0], c.Shape[1]).Whole(), d)
	for i, v := range c.Values {
		if v == nil {
			setValue(b, i, nan)
			continue
		}
		setValue(b, i, *v)
	}
	return b
}

func TestAutomaticLimitsAreThoseOfAnIndependentProgram(t *testing.T) {
	text, err := os.ReadFile("testdata/auto.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []autoCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 10 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		b := c.block(t)
		for press, want := range c.Robust {
			if got, ok := Find(b, Rule{Kind: Robust, Press: press}); !ok || got != (Limits{want[0], want[1]}) {
				t.Errorf("%s: Auto pressed %d times more: %v, want %v", c.Name, press, got, want)
			}
		}
		for press, want := range c.ImageJ {
			if got, ok := Find(b, Rule{Kind: ImageJ, Press: press}); !ok || got != (Limits{want[0], want[1]}) {
				t.Errorf("%s: ImageJ's Auto pressed %d times more: %v, want %v", c.Name, press, got, want)
			}
		}
	}
}

func TestBR006InfinitiesAndNaNDoNotCount(t *testing.T) {
	b := lazy.BlockOf(shape(4, 4).Whole(), []float32{float32(nan), float32(math.Inf(-1)), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, float32(math.Inf(1))})
	for _, k := range []RuleKind{Robust, MinMax} {
		if l, ok := Find(b, Rule{Kind: k}); !ok || l != (Limits{2, 14}) {
			t.Errorf("rule %d gives %v, want 2 and 14", k, l)
		}
	}
	if l, ok := Find(lazy.BlockOf(shape(1, 2).Whole(), []float32{float32(nan), float32(math.Inf(1))}), Rule{Kind: ImageJ}); ok {
		t.Errorf("no finite value, but limits %v", l)
	}
}

// Whatever the values, limits are finite and apart, so nothing divides by nothing later.
func TestLimitsAreAlwaysFiniteAndApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64(), 1, 50).Draw(t, "values")
		b := lazy.BlockOf(shape(1, len(v)).Whole(), v)
		r := Rule{Kind: RuleKind(rapid.IntRange(int(Robust), int(MinMax)).Draw(t, "kind")), Press: rapid.IntRange(0, 20).Draw(t, "press")}
		l, ok := Find(b, r)
		if ok && !(l.Low < l.High && !math.IsInf(l.High-l.Low, 0)) {
			t.Fatalf("limits %v", l)
		}
		if h := Count(b); !(h.Low < h.High) {
			t.Fatalf("histogram from %v to %v", h.Low, h.High)
		}
	})
}

func TestTheHistogramCountsEveryValueOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), 1, 500).Draw(t, "values")
		n := 0
		for _, c := range Count(lazy.BlockOf(shape(1, len(v)).Whole(), v)).Count {
			n += c
		}
		if n != len(v) {
			t.Fatalf("%d of %d values counted", n, len(v))
		}
	})
}
