package filters_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

func threeChannels(d lazy.DType) lazy.Array {
	return lazytest.Array(lazytest.Meta(d, lazy.Shape{2, 5, 3, 6, 7}, lazy.Shape{1, 2, 1, 4, 5}), channelValue)
}

func channelValue(i lazy.Index) float64 {
	return float64((i[lazy.T]*31 + i[lazy.Z]*17 + i[lazy.C]*59 + i[lazy.Y]*13 + i[lazy.X]*7) % 101)
}

func TestChannelsAreMadeByTheirFormulas(t *testing.T) {
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	for text, want := range map[string]struct {
		float bool
		of    []func(c1, c2, c3 float64) float64
	}{
		`channels "c1"`:                                {false, []func(a, b, c float64) float64{func(a, _, _ float64) float64 { return a }}},
		`channels "c2 - c1"`:                           {false, []func(a, b, c float64) float64{func(a, b, _ float64) float64 { return max(0, b-a) }}},
		`channels "c1 - 0.25*c2"`:                      {true, []func(a, b, c float64) float64{func(a, b, _ float64) float64 { return a - 0.25*b }}},
		`channels "c1 - 0.25*c2" dtype=uint8`:          {false, []func(a, b, c float64) float64{func(a, b, _ float64) float64 { return max(0, math.Floor(a-0.25*b+0.5)) }}},
		`channels "where(c3 > c1, min(c1, c2), c3)"`:   {false, []func(a, b, c float64) float64{where}},
		`channels "m = c1 + c3; (m + m) // 4, c2, c1"`: {false, []func(a, b, c float64) float64{func(a, _, c float64) float64 { return math.Floor((a + c) / 2) }, second, func(a, _, _ float64) float64 { return a }}},
		`channels "c2, sqrt(c2)"`:                      {true, []func(a, b, c float64) float64{second, func(_, b, _ float64) float64 { return float64(float32(math.Sqrt(b))) }}},
	} {
		for _, d := range []lazy.DType{lazy.U8, lazy.U16, lazy.I32, lazy.F32, lazy.F64} {
			if !strings.Contains(text, "dtype") && strings.Contains(text, "c2 - c1") && d != lazy.U8 && d != lazy.U16 {
				continue // nothing is cut off at 0
			}
			a := chained(t, threeChannels(d), text)
			if got := a.Meta().Shape[lazy.C]; got != len(want.of) {
				t.Errorf("%s: %d channels", text, got)
				continue
			}
			if f := a.Meta().DType.Float(); f != (want.float || d.Float() && !strings.Contains(text, "dtype")) {
				t.Errorf("%s of %v gives %v", text, d, a.Meta().DType)
			}
			whole := a.Meta().Shape.Whole()
			for _, axis := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X, lazy.C} {
				for n := range whole.Max[axis] {
					plane := whole.With(axis, n, n+1)
					b, _, err := e.Get(context.Background(), a, plane, engine.Priority{})
					if err != nil {
						t.Fatal(err)
					}
					lazytest.Each(plane, func(i lazy.Index) {
						var c [3]float64
						for k := range c {
							at := i
							at[lazy.C] = k
							c[k] = channelValue(at)
						}
						w := want.of[i[lazy.C]](c[0], c[1], c[2])
						if g := b.Value(i); math.Abs(g-w) > 1e-6*math.Max(1, math.Abs(w)) {
							t.Fatalf("%s of %v: voxel %v is %v, want %v of %v", text, d, i, g, w, c)
						}
					})
				}
			}
		}
	}
}

func second(_, b, _ float64) float64 { return b }

func where(a, b, c float64) float64 {
	if c > a {
		return min(a, b)
	}
	return c
}

func TestOnlyTheChannelsNamedAreRead(t *testing.T) {
	a := chained(t, threeChannels(lazy.U16), `channels "c2, c3 - c2"`)
	for c, chunks := range []int{4, 8} { // of one plane in one time point, in 2 by 2 chunks a channel
		r := a.Meta().Shape.Whole().With(lazy.T, 0, 1).With(lazy.Z, 3, 4).With(lazy.C, c, c+1)
		p, err := lazy.Build(lazy.Query{Array: a, Region: r}, nil)
		if err != nil || p.Cost.Chunks != chunks {
			t.Errorf("channel %d: %d chunks, want %d, %v", c+1, p.Cost.Chunks, chunks, err)
		}
	}
}

func TestWrongFormulasAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`channels "c4"`:                    "c4: the channels are c1 to c3",
		`channels "c0 + c1"`:               "c0: the channels are c1 to c3",
		`channels "c1, 2"`:                 "formula 2: a formula names a channel, such as c1",
		`channels ""`:                      "a formula names a channel",
		`channels "c1 +"`:                  "column 5",
		`channels "c1, c1 + x"`:            "formula 2: ",
		`channels "c1,"`:                   "formula 2: ",
		`channels "c99999999999999999999"`: "the channels are c1 to c3",
		"channels " + `"` + strings.Repeat("c1,", 64) + `c1"`: "65 formulas, more than 64",
	} {
		_, err := must(text).Apply(threeChannels(lazy.U8))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// Whatever the text, it is refused with a reason or makes channels of the image's shape.
func FuzzChannels(f *testing.F) {
	for _, text := range []string{"c1", "c1 - 0.2*c2, c2", "m = c1[0,1] + c3; m // 2", "where(c1 > c2, c1, c3),", "c1[1,0,0] % c2", "c4", ",,", "((", "c1 c2", "@param k = 1 0..2\nk*c1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := threeChannels(lazy.U16)
		out, err := filters.Chain{{Filter: "channels", Args: []filters.Arg{{Name: "text", Value: text}}}}.Apply(a)
		if err != nil {
			return
		}
		if s := a.Meta().Shape; out.Meta().Shape != (lazy.Shape{s[lazy.T], s[lazy.Z], out.Meta().Shape[lazy.C], s[lazy.Y], s[lazy.X]}) {
			t.Errorf("%q: shape %v", text, out.Meta().Shape)
		}
	})
}
