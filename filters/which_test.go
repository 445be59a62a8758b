package filters_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A filter on some channels gives those what it gives them alone, and leaves the others as they are.
func TestAFilterActsOnItsChannelsAlone(t *testing.T) {
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	for text, d := range map[string]struct{ in, out lazy.DType }{
		"gaussian sigma=1.5":                     {lazy.U16, lazy.U16},
		"gradient":                               {lazy.U16, lazy.F32},
		"scharr":                                 {lazy.I32, lazy.F64},
		"median size=3":                          {lazy.U8, lazy.U8},
		"threshold value=40":                     {lazy.U16, lazy.U16},
		"flip axis=y":                            {lazy.F32, lazy.F32},
		"gaussian sigma=1 dtype=uint8":           {lazy.I32, lazy.I32},
		"gaussian | clip low=0 high=100":         {lazy.U32, lazy.U32},
		`stencil "0.5*x[0,-1] + 0.5*x[0,1]"`:     {lazy.U8, lazy.F32},
		"mean size=3 | unsharp sigma=1 amount=2": {lazy.U16, lazy.U16},
	} {
		a := threeChannels(d.in)
		var parts []string
		for _, step := range strings.Split(text, "|") {
			parts = append(parts, strings.TrimSpace(step)+" channels=3,1")
		}
		some, all := chained(t, a, strings.Join(parts, " | ")), chained(t, a, text)
		if got := some.Meta().DType; got != d.out {
			t.Errorf("%s on %v gives %v, want %v", text, d.in, got, d.out)
		}
		whole := a.Meta().Shape.Whole()
		for c := range 3 {
			want := all
			if c == 1 {
				want = a
			}
			r := whole.With(lazy.C, c, c+1).With(lazy.Z, 2, 3)
			got, stats, err := e.Get(context.Background(), some, r, engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := e.Get(context.Background(), want, r, engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			if c == 1 && stats.VoxelsComputed > 4*r.Voxels() {
				t.Errorf("%s: a channel that it does not act on computes %d voxels for %d", text, stats.VoxelsComputed, r.Voxels())
			}
			if !slices.Equal(lazytest.Values(got), lazytest.Values(b)) {
				t.Errorf("%s: channel %d is not as it should be", text, c+1)
			}
		}
	}
}

func TestChannelsOfAFilterAreInItsText(t *testing.T) {
	c, err := filters.Parse("gaussian sigma=2 channels=3,1 | median")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.String(); got != "gaussian sigma=2 channels=3,1 | median" {
		t.Error(got)
	}
	if got := c[0].Channels(); len(got) != 2 || got[0] != 0 || got[1] != 2 {
		t.Errorf("%v", got)
	}
	for text, want := range map[string]string{
		"gaussian channels=0":      "counted from 1",
		"gaussian channels=1,1":    "each once",
		"gaussian channels=dapi":   "counted from 1",
		`channels "c1" channels=1`: "has no parameter",
	} {
		if _, err := filters.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	a := threeChannels(lazy.U8)
	for text, want := range map[string]string{
		"gaussian channels=4":       "the image has 3 channels",
		"crop x=1:3 channels=1":     "another shape",
		"project axis=c channels=1": "range=A:B says which",
	} {
		c, err := filters.Parse(text)
		if err == nil {
			_, err = c.Apply(a)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Otsu's threshold is that of the channels that the step acts on.
func TestWhatIsFoundIsOfTheChannelsOfTheStep(t *testing.T) {
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	a := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 5, 3, 6, 7}, lazy.Shape{1, 2, 1, 4, 5}), func(i lazy.Index) float64 {
		return channelValue(i) + float64(60*i[lazy.C])
	})
	read := func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
		b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
		return b, err
	}
	found := func(a lazy.Array, text string) string {
		c, err := filters.Parse(text)
		if err == nil {
			c, err = c.Resolve(a, read, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c[0].Arg("value")
	}
	first, err := lazy.Take(a, lazy.C, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := found(a, "threshold method=otsu channels=1"), found(first, "threshold method=otsu"); got != want || want == found(a, "threshold method=otsu") {
		t.Errorf("found %s, want %s, of all %s", got, want, found(a, "threshold method=otsu"))
	}
}
