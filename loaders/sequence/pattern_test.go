package sequence_test

import (
	"fmt"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// named writes pictures with these names, of which each has the value of its place in the list.
func named(t *testing.T, names ...string) (dir string) {
	dir = t.TempDir()
	for i, n := range names {
		drawn(t, dir, n, 3, 2, uint8(i))
	}
	return dir
}

func TestWhatNamesCountIsTold(t *testing.T) {
	var all []string
	for z := range 3 {
		for c := range 2 {
			all = append(all, fmt.Sprintf("e1_z%02d_ch%d.png", z+7, c))
		}
	}
	for _, c := range []struct {
		what               string
		names              []string
		axes, words, about string
	}{
		{"numbers behind words", all, "zcyx", "e1_z{z}_ch{c}.png", "z 7 to 9 (3), c 0 to 1 (2); e1_z07_ch0.png to e1_z09_ch1.png"},
		{"one of them is missing", all[:5], "zcyx", "e1_z{z}_ch{c}.png", "z 7 to 9 (3), c 0 to 1 (2); e1_z07_ch0.png to e1_z09_ch0.png; 1 of 6 are missing"},
		{"a number alone", []string{"1.png", "2.png", "10.png"}, "zyx", "{z}.png", "z 1 to 10 (3); 1.png to 10.png"},
		{"a word beside them", []string{"e_GFP_z1.png", "e_GFP_z2.png", "e_DAPI_z1.png", "e_DAPI_z2.png"}, "czyx", "e_{c}_z{z}.png", "c DAPI to GFP (2), z 1 to 2 (2); e_DAPI_z1.png to e_GFP_z2.png"},
		{"names that say nothing", []string{"a.png", "b1.png"}, "zyx", "", "the names say no axes, the files follow each other; a.png to b1.png"},
	} {
		set, _ := stackOf(t, named(t, c.names...), loaders.Options{})
		if o := set.Images[0].Order; o.Axes != c.axes || o.Words != c.words || o.About != c.about || o.Fixed != 2 {
			t.Errorf("%s: %+v, want %q %q %q", c.what, o, c.axes, c.words, c.about)
		}
	}
}

func TestAPatternOfTheUsersSaysWhatNamesCount(t *testing.T) {
	words := []string{"cell_DAPI_1.png", "cell_DAPI_2.png", "cell_GFP_1.png", "cell_GFP_2.png", "notes_1.png"}
	for _, c := range []struct {
		pattern string
		shape   lazy.Shape
		value   float64 // at t=0, z=1, c=0, or at the last plane of what there is
		last    lazy.Index
	}{
		{"cell_{c}_{z}.png", lazy.Shape{1, 2, 2, 2, 3}, 2, lazy.Index{0, 0, 1}},
		{"cell_{c}_{t}.png", lazy.Shape{2, 1, 2, 2, 3}, 3, lazy.Index{1, 0, 1}},
		{"cell_GFP_{t}.png", lazy.Shape{2, 1, 1, 2, 3}, 3, lazy.Index{1, 0, 0}},
		{"{}_GFP_{z}.{}", lazy.Shape{1, 2, 1, 2, 3}, 2, lazy.Index{0, 0, 0}},
	} {
		set, a := stackOf(t, named(t, words...), loaders.Options{Axes: c.pattern})
		if a.Meta().Shape != c.shape {
			t.Errorf("%s: %v, want %v", c.pattern, a.Meta().Shape, c.shape)
			continue
		}
		if got := at(t, a, c.last); got != c.value {
			t.Errorf("%s: %v at %v, want %v", c.pattern, got, c.last, c.value)
		}
		if said := strings.Join(set.Warnings, " "); !strings.Contains(said, "not named by the pattern") {
			t.Errorf("%s: what is left out is not said: %q", c.pattern, said)
		}
		if o := set.Images[0].Order; o.Words != c.pattern {
			t.Errorf("%s is told as %q", c.pattern, o.Words)
		}
	}
	set, _ := stackOf(t, named(t, words...), loaders.Options{Axes: "cell_{c}_{z}.png"})
	if c := set.Images[0].Channels; len(c) != 2 || c[0].Name != "DAPI" || c[1].Name != "GFP" {
		t.Errorf("channels %v", c)
	}
}

func TestAPatternThatCannotBeIsRefusedInOneLine(t *testing.T) {
	dir := named(t, "a_1.png", "a_2.png", "b_1.png")
	for pattern, want := range map[string]string{
		"x_{z}.png":     "fits none of 3 names",
		"a_{y}.png":     "t, z or c",
		"a_{z":          "t, z or c",
		"{z}_{z}.png":   "each once",
		"{}_{z}.png":    "two files have one place",
		"a_{z}.png{t}}": "fits none",
	} {
		_, err := formats.Open(ctx, dir, loaders.Options{Axes: pattern})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", pattern, err, want)
		}
	}
}

func TestASequenceIsSplitToo(t *testing.T) {
	_, a := stackOf(t, named(t, "1.png", "2.png", "3.png", "4.png", "5.png", "6.png"), loaders.Options{Axes: "(zc3)yx"})
	if s := a.Meta().Shape; s != (lazy.Shape{1, 2, 3, 2, 3}) {
		t.Fatalf("got %v", s)
	}
	if got := at(t, a, lazy.Index{0, 1, 2}); got != 5 {
		t.Errorf("the last plane is %v, want 5", got)
	}
}
