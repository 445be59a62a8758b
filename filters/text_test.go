package filters_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters"
	"lamella/lazy"
)

func ExampleParse() {
	chain, err := filters.Parse("gaussian sigma=0.4um | sobel dims=2 border=nearest")
	fmt.Println(len(chain), chain[1].Arg("dims"), chain[1].Arg("norm"), err)
	fmt.Println(chain)
	// Output:
	// 2 2 l2 <nil>
	// gaussian sigma=0.4um | sobel dims=2 border=nearest
}

func TestAChainIsReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c filters.Chain
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			spec := rapid.SampledFrom(filters.Catalogue()).Draw(t, "filter")
			s := spec.Step()
			for _, p := range spec.Params {
				if rapid.Bool().Draw(t, "given") {
					s = s.With(p.Name, valueOf(t, p))
				}
			}
			c = append(c, s)
		}
		again, err := filters.Parse(c.String())
		if err != nil {
			t.Fatalf("%q: %v", c, err)
		}
		if again.String() != c.String() || fmt.Sprint(again) != fmt.Sprint(c) {
			t.Fatalf("%q is read as %q", c, again)
		}
	})
}

func valueOf(t *rapid.T, p filters.Param) string {
	switch p.Kind {
	case filters.Choice:
		return rapid.SampledFrom(p.Choices).Draw(t, p.Name)
	case filters.Border:
		return rapid.SampledFrom([]string{"wrap", "constant:3.5", "blank"}).Draw(t, p.Name)
	case filters.Type:
		return rapid.SampledFrom(lazy.DTypes()).Draw(t, p.Name).String()
	case filters.File:
		return rapid.SampledFrom([]string{"a b.tif", "born-wolf(na=1,wavelength=500nm)"}).Draw(t, p.Name)
	case filters.Length:
		return rapid.SampledFrom([]string{"2", "1,2,3", "0.4um", "400nm", "1,0.5um,600nm"}).Draw(t, p.Name)
	}
	if p.Kind == filters.Text {
		return rapid.SampledFrom([]string{"x[0,1] - x[0,-1]", `m = x; m "|" \ `, "-x"}).Draw(t, p.Name)
	}
	return fmt.Sprint(rapid.IntRange(int(max(p.Min, -1e9))+1, int(min(p.Max, 1e9))).Draw(t, p.Name))
}

func TestADefaultIsNotWritten(t *testing.T) {
	spec, _ := filters.Lookup("gaussian")
	s := spec.Step().With("sigma", "2").With("border", "wrap").With("sigma", "1")
	if got := s.String(); got != "gaussian border=wrap" {
		t.Errorf("%q", got)
	}
}

func TestASwitchedOffStepIsNotApplied(t *testing.T) {
	c := must("gaussian | sobel")
	c[0].Off = true
	if got := c.String(); got != "sobel" {
		t.Errorf("%q", got)
	}
	a := volume()
	on, err := must("sobel").Apply(a)
	if err != nil {
		t.Fatal(err)
	}
	off, err := c.Apply(a)
	if err != nil || !reflect.DeepEqual(on.Node().Hash, off.Node().Hash) {
		t.Errorf("the chain differs from sobel alone: %v", err)
	}
}

// A box has no half voxels. A length in µm, of whatever voxel size, is turned into the nearest box.
func TestABoxIsAWholeNumberOfVoxels(t *testing.T) {
	for text, want := range map[string]string{
		"mean size=1.5":              "size=1.5: expected a whole number of voxels",
		"median size=1,2.5,3":        "size=2.5: expected a whole number of voxels",
		"opening size=0.5":           "size=0.5: expected a whole number of voxels",
		"mean size=1.5um":            "",
		"maximum size=0.4um,3,0.4um": "",
	} {
		_, err := filters.Parse(text)
		if want == "" && err != nil || want != "" && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"gaussian sigma=0.4um | sobel", `mean "size=3"`, `sobel border="constant:1"`, "|", `"`, "gaussian sigma=1,2,3 truncate=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := filters.Parse(text)
		if err != nil {
			return
		}
		again, err := filters.Parse(c.String())
		if err != nil || again.String() != c.String() {
			t.Errorf("%q is written %q and read as %q, %v", text, c, again, err)
		}
	})
}

// Every row of the catalogue is complete: the menu, the panel and the help are made from it.
func TestEveryFilterIsDescribed(t *testing.T) {
	for _, s := range filters.Catalogue() {
		if s.Name == "" || s.Title == "" || s.Doc == "" || s.Reference == "" {
			t.Errorf("%+v lacks a text", s)
		}
		for _, p := range s.Params {
			if p.Doc == "" || p.Kind == filters.Choice && len(p.Choices) == 0 || p.Kind == filters.Length && p.Unit == "" {
				t.Errorf("%s: %+v lacks a text", s.Name, p)
			}
		}
		if err := s.Step().Check(volume().Meta()); err != nil && !s.Outside {
			t.Errorf("%s with its defaults: %v", s.Name, err)
		}
	}
}
