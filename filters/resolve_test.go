package filters_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// resolved is a chain with its questions answered, and how they were.
func resolved(t *testing.T, text string, a lazy.Array) (filters.Chain, []filters.Question) {
	t.Helper()
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	var asked []filters.Question
	c, err := must(text).Resolve(a, func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
		b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
		return b, err
	}, func(q filters.Question, _ filters.Step) { asked = append(asked, q) })
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c, asked
}

// statistics.json is made by testdata/reference.py with skimage and numpy.
func TestWhatIsFoundFromAWholeImageIsSkimages(t *testing.T) {
	var ref struct {
		Cases []struct {
			DType, Before, Filter string
			Found                 []float64
		}
	}
	b, err := os.ReadFile("testdata/statistics.json")
	if err == nil {
		err = json.Unmarshal(b, &ref)
	}
	if err != nil || len(ref.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(ref.Cases), err)
	}
	for _, c := range ref.Cases {
		d, _ := lazy.ParseDType(c.DType)
		a := lazytest.Array(lazytest.Meta(d, lazy.Shape{1, 7, 1, 9, 11}, lazy.Shape{1, 3, 1, 4, 5}), formula(d))
		text := strings.TrimPrefix(c.Before+" | "+c.Filter, " | ")
		chain, _ := resolved(t, text, a)
		last := chain[len(chain)-1]
		names := []string{"value"}
		if last.Filter == "rescale" {
			names = []string{"low", "high"}
		}
		for i, name := range names {
			got, err := strconv.ParseFloat(last.Arg(name), 64)
			if err != nil || !(math.Abs(got-c.Found[i]) <= 2e-6*math.Max(math.Abs(c.Found[i]), 1)) {
				t.Errorf("%s of %s: %s=%v, skimage has %v (%v)", text, c.DType, name, got, c.Found[i], err)
			}
		}
	}
}

func TestAResolvedChainReadsAsItIsWrittenAndComputesTheSame(t *testing.T) {
	a := lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 7, 2, 9, 11}, lazy.Shape{1, 3, 1, 4, 5}), formula(lazy.U16))
	open := must("median | rescale method=minmax dtype=uint8 newhigh=255 | threshold method=otsu")
	if _, err := open.Apply(a); !errors.Is(err, filters.ErrOpen) || !strings.Contains(err.Error(), "step 2") {
		t.Errorf("the open chain is applied: %v", err)
	}
	chain, asked := resolved(t, open.String(), a)
	if len(asked) != 2 || asked[0].Step != 1 || asked[1].Step != 2 {
		t.Fatalf("asked %+v", asked)
	}
	again := must(chain.String())
	x, err := chain.Apply(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := again.Apply(a)
	if err != nil || x.Node().Hash != y.Node().Hash {
		t.Errorf("%q computes something else than it was read from: %v", chain, err)
	}
	if _, open, err := again.Question(a); open || err != nil {
		t.Errorf("%q is open still: %v", again, err)
	}
	if chain[2].Reopened().String() != "threshold method=otsu" || open[2].Open(a.Meta()) == chain[2].Open(a.Meta()) {
		t.Errorf("%q reopened is %q", chain[2], chain[2].Reopened())
	}
}

func TestWhatTheUserGivesIsNotFound(t *testing.T) {
	a := lazytest.Array(lazytest.Meta(lazy.F32, lazy.Shape{1, 1, 1, 1, 3}, lazy.Shape{1, 1, 1, 1, 3}), func(i lazy.Index) float64 {
		return []float64{-5, math.NaN(), 20}[i[lazy.X]]
	})
	for text, want := range map[string]string{
		"threshold method=otsu value=0":       "threshold method=otsu value=0",
		"rescale method=minmax low=-1":        "rescale method=minmax low=-1 high=20",
		"rescale method=minmax":               "rescale method=minmax low=-5 high=20",
		"threshold method=mean | invert":      "threshold method=mean value=7.5 | invert",
		"rescale method=percentile above=100": "rescale method=percentile above=100 low=-4.875 high=20",
	} {
		if got, _ := resolved(t, text, a); got.String() != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestAnAnswerThatCannotBeIsRefused(t *testing.T) {
	flat := lazytest.Array(lazytest.Meta(lazy.F64, lazy.Shape{1, 2, 1, 2, 2}, lazy.Shape{1, 2, 1, 2, 2}), func(lazy.Index) float64 { return 3 })
	empty := lazytest.Array(lazytest.Meta(lazy.F64, lazy.Shape{1, 2, 1, 2, 2}, lazy.Shape{1, 2, 1, 2, 2}), func(lazy.Index) float64 { return math.Inf(1) })
	if c, _ := resolved(t, "threshold method=otsu | threshold method=triangle | threshold method=li", flat); c[0].Arg("value") != "3" || c[1].Arg("value") != "0" {
		t.Errorf("of one value: %v", c)
	}
	e := engine.New(engine.Options{Workers: 1})
	defer e.Close()
	read := func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
		b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
		return b, err
	}
	for text, want := range map[string]string{
		"gaussian | rescale method=minmax":     "", // 3 and 4
		"threshold method=otsu channel=3":      "channel=3: the image has 1 channel (step 1",
		"clip | gaussian sigma=1um,2um,3um":    "",
		"threshold method=otsu | sobel axis=z": "",
	} {
		_, err := must(text).Resolve(flat, read, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := must("threshold method=li").Resolve(empty, read, nil); err == nil || !strings.Contains(err.Error(), "holds no number") {
		t.Errorf("of nothing: %v", err)
	}
}

func TestASampleIsBoundedWhateverTheImage(t *testing.T) {
	for _, c := range []struct {
		shape   lazy.Shape
		text    string
		regions int
		about   string
	}{
		{lazy.Shape{1, 64, 1, 256, 256}, "threshold method=otsu", 1, "all 4194304 voxels"},
		{lazy.Shape{1, 64, 2, 256, 256}, "threshold method=otsu channel=2", 1, "all 4194304 voxels"},
		{lazy.Shape{1, 64, 2, 256, 256}, "threshold method=otsu", 5, "655360 voxels in 5 planes"},
		{lazy.Shape{1, 1000000, 1, 900, 900}, "gaussian sigma=0,1,1 | threshold method=otsu", 5, "4050000 voxels in 5 planes"},
		{lazy.Shape{1000, 1, 1, 512, 512}, "threshold method=otsu", 5, "1310720 voxels in 5 planes"},
		{lazy.Shape{1, 1, 1, 100000, 100000}, "threshold method=otsu", 16, "4194304 voxels in 16 tiles of 1 planes"},
		{lazy.Shape{1, 1, 1, 3, 1 << 40}, "threshold method=otsu", 12, ""},
		{lazy.Shape{1 << 20, 1 << 20, 3, 1 << 20, 1 << 20}, "rescale method=minmax", 80, ""},
	} {
		a := lazytest.Array(lazytest.Meta(lazy.U16, c.shape, lazy.Shape{1, 1, 1, min(64, c.shape[lazy.Y]), 64}), nil)
		q, open, err := must(c.text).Question(a)
		if !open || err != nil || len(q.Regions) != c.regions || c.about != "" && q.About != c.about {
			t.Errorf("%v: %d regions, %q, %v", c.shape, len(q.Regions), q.About, err)
			continue
		}
		total := 0
		for i, r := range q.Regions {
			total += r.Voxels()
			if !c.shape.Whole().Contains(r) || r.Empty() {
				t.Errorf("%v: region %v", c.shape, r)
			}
			for _, other := range q.Regions[:i] {
				if !other.Intersect(r).Empty() {
					t.Errorf("%v: %v and %v overlap", c.shape, r, other)
				}
			}
		}
		if total > 4<<20 || total < 1<<18 {
			t.Errorf("%v: %d voxels", c.shape, total)
		}
	}
}

func TestQuestionsOfOtherStepsAreOtherQuestions(t *testing.T) {
	a := lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 7, 2, 9, 11}, lazy.Shape{1, 3, 1, 4, 5}), formula(lazy.U16))
	keys := map[string]string{}
	for _, text := range []string{"threshold method=otsu", "threshold method=li", "threshold method=otsu channel=1", "gaussian | threshold method=otsu", "gaussian sigma=2 | threshold method=otsu"} {
		q, _, err := must(text).Question(a)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := keys[q.Key()]; ok {
			t.Errorf("%s asks what %s asks", text, other)
		}
		keys[q.Key()] = text
		again, _, _ := must(text + " | clip").Question(a)
		if again.Key() != q.Key() {
			t.Errorf("%s: what follows changes the question", text)
		}
	}
	if got := fmt.Sprint(must("threshold method=otsu").Provisional()); got != "threshold method=otsu value=0" {
		t.Errorf("provisional: %s", got)
	}
}
