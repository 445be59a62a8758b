package filters_test

import (
	"context"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// The whole numbers 0 to 1999 along z are projected in groups; what they come to is Gauss's sum.
func TestALongRangeComesToTheSameAsAShortOne(t *testing.T) {
	shape := lazy.Shape{1, 2000, 1, 2, 40}
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	for _, d := range []lazy.DType{lazy.U16, lazy.I32, lazy.I64, lazy.F32, lazy.F64} {
		a := lazytest.Array(lazytest.Meta(d, shape, lazy.Shape{1, 64, 1, 2, 40}), func(i lazy.Index) float64 { return float64(i[lazy.Z]) })
		for text, want := range map[string]float64{
			"project": 1999, "project how=min range=5:1900": 5, "project how=mean": 999.5, "project how=mean dtype=float64 range=10:": 1004.5,
			"project how=sum dtype=uint32": 1999000, "project how=sum dtype=float64 range=1:1001": 500500, "project how=max range=:77": 76,
		} {
			p := chained(t, a, text)
			if s := p.Meta().Shape; s != (lazy.Shape{1, 1, 1, 2, 40}) {
				t.Fatalf("%s: shape %v", text, s)
			}
			b, _, err := e.Get(context.Background(), p, p.Meta().Shape.Whole(), engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range lazytest.Values(b) {
				if v != want {
					t.Errorf("%s of %v: voxel %d is %v, want %v", text, d, i, v, want)
					break
				}
			}
		}
	}
}

func TestAProjectionStandsInTheMiddleOfItsRange(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 500, 1, 4, 4}, lazy.Shape{1, 4, 1, 4, 4})
	m.Scale[lazy.Z], m.Origin[lazy.Z] = 0.5, 10
	for text, want := range map[string]float64{"project": 10 + 0.5*249.5, "project range=20:23 how=sd": 10 + 0.5*21, "project range=100:300 how=mean": 10 + 0.5*199.5, "project around=3": 10} {
		got := chained(t, lazytest.Array(m, nil), text).Meta()
		if got.Origin[lazy.Z] != want || got.Scale[lazy.Z] != 0.5 {
			t.Errorf("%s: origin %v, scale %v, want origin %v", text, got.Origin[lazy.Z], got.Scale[lazy.Z], want)
		}
	}
}

func TestAProjectionStreamsThroughLittleMemory(t *testing.T) {
	const budget = 6 << 20
	shape := lazy.Shape{1, 512, 1, 128, 128} // 16 MiB
	a := lazytest.Array(lazytest.Meta(lazy.U16, shape, lazy.Shape{1, 32, 1, 64, 64}), func(i lazy.Index) float64 { return float64(i[lazy.Z] % 7) })
	e := engine.New(engine.Options{Workers: 2, Memory: budget})
	defer e.Close()
	p := chained(t, a, "project")
	b, s, err := e.Get(context.Background(), p, p.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	if v := b.Value(lazy.Index{0, 0, 0, 100, 100}); v != 6 || s.PeakBytes > budget {
		t.Errorf("value %v, peak %d bytes: want 6 within %d bytes", v, s.PeakBytes, budget)
	}
}

func TestWrongParametersAreToldInOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"project range=5":                "range=5: expected A:B, such as 10:20",
		"project range=5:x":              "range=5:x: expected A:B",
		"project range=600:700":          "range=600:700: holds none of the 512 planes, which are 0:512",
		"project range=0:5 around=2":     "range=0:5 around=2: expected one of the two",
		"project how=median":             "how=median: expected one of max, min, mean, sum, sd",
		"clip low=5 high=5":              "low=5 high=5: expected low below high",
		"rescale low=5 high=-1":          "low=5 high=-1: expected low below high",
		"median size=200":                "size=200: expected 1 to 101",
		"percentile percentile=101":      "percentile=101: expected 0 to 100",
		"cast dtype=int64 | invert":      "integers of 64 bits cannot be inverted exactly",
		"threshold method=otsu":          "threshold: its values are not found yet",
		"threshold method=otso":          "method=otso: expected one of value, otsu",
		"clahe low=3 high=3":             "low=3 high=3: expected low below high",
		"subtract-background radius=251": "radius=251: expected 0 to 250",
		"gaussian-derivative order=3":    "order=3: expected 0 to 2",
		"remove-outliers threshold=-1":   "threshold=-1: expected 0 to",
		"unsharp amount=-1":              "amount=-1: expected 0 to 100",
		"erosion size=1,2":               "size=1,2: expected one value, or three for z,y,x",
		"project around=1.5 how=mean":    "around=1.5: expected a whole number",
		"gamma gamma=0":                  "gamma=0: expected 0.01 to 100",
		"black-tophat border=mirrored":   "border=mirrored: expected reflect",
	} {
		c, err := filters.Parse(text)
		if err == nil {
			_, err = c.Apply(volume())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestAThresholdIsNotRounded(t *testing.T) {
	tenth := float64(float32(0.1)) // a little above 0.1
	near(t, "above a tenth", middle(t, chained(t, rowOf(lazy.F32, 3, 0, 0.0999, tenth, 1), "threshold value=0.1")), 0, 0, 0, 1, 1)
	near(t, "above 2.5", middle(t, chained(t, rowOf(lazy.U8, 3, 0, 2, 3, 255), "threshold value=2.5")), 0, 0, 0, 1, 1)
	near(t, "above -2.5", middle(t, chained(t, rowOf(lazy.I16, 3, -4, -3, -2, 0), "threshold value=-2.5")), 0, 0, 0, 1, 1)
	near(t, "above 2", middle(t, chained(t, rowOf(lazy.U32, 3, 0, 2, 3, 1<<32-1), "threshold value=2")), 0, 0, 0, 1, 1)
}
