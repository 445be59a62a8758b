package filters_test

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// fading is an image of 9 time points and two channels that lose 5 and 20 in a hundred each, above a background of 100.
func fading() lazy.Array {
	m := lazytest.Meta(lazy.F32, lazy.Shape{9, 3, 2, 4, 5}, lazy.Shape{1, 3, 1, 4, 5})
	return lazytest.Array(m, func(i lazy.Index) float64 {
		rate := []float64{0.05, 0.2}[i[lazy.C]]
		return 100 + float64(1000+10*i[lazy.X]+i[lazy.Y])*math.Exp(-rate*float64(i[lazy.T]))
	})
}

func TestBleachingIsFittedChannelByChannelAndTakenBack(t *testing.T) {
	e := engine.New(engine.Options{Workers: 1})
	defer e.Close()
	read := func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
		b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
		return b, err
	}
	chain, err := filters.Parse("bleach background=100")
	if err != nil {
		t.Fatal(err)
	}
	a := fading()
	if chain, err = chain.Resolve(a, read, nil); err != nil {
		t.Fatal(err)
	}
	// As numpy.polyfit(range(9), log(means - 100), 1) gives: an exponential is a straight line, whose slope is the rate.
	for c, text := range strings.Split(chain[0].Arg("rates"), ",") {
		if rate, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(rate-[]float64{0.05, 0.2}[c]) > 1e-6 {
			t.Fatalf("the rate of channel %d is %s", c+1, text)
		}
	}
	out, err := chain.Apply(a)
	if err != nil {
		t.Fatal(err)
	}
	b, err := read(out, out.Meta().Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	for at := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		i := at.Min
		if got, want := b.Value(i), float64(1100+10*i[lazy.X]+i[lazy.Y]); math.Abs(got-want) > 0.02 {
			t.Fatalf("at %v it is %v, want %v", i, got, want)
		}
	}
}

func TestBleachingIsTakenBackAtAStatedRate(t *testing.T) {
	a := fading()
	for text, want := range map[string]string{"bleach rates=0.05,0.2,0.1": "the image has 2 channels", "bleach rates=fast": "expected numbers", "bleach rates=0.05": ""} {
		chain, err := filters.Parse(text)
		if err == nil {
			_, err = chain.Apply(a)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	still := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 1, 1, 4, 4}, lazy.Shape{1, 1, 1, 4, 4}), func(lazy.Index) float64 { return 7 })
	if got := chained(t, still, "bleach rates=0.1"); got.Node().Hash != still.Node().Hash {
		t.Error("an image without time is computed")
	}
}
