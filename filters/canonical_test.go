package filters_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters"
)

func ExampleChain_Canonical() {
	chain, _ := filters.Parse("gaussian border=reflect sigma=400nm | sobel norm=l2 | mean size=5,5,5")
	fmt.Println(chain.Canonical())
	// Output:
	// gaussian sigma=0.4um | sobel | mean size=5
}

func TestChainsThatMeanTheSameAreWrittenTheSame(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"gaussian sigma=1", "gaussian"},
		{"gaussian truncate=4.0 sigma=1,1,1 dtype=", "gaussian"},
		{"gaussian dtype=float32 truncate=3 sigma=2e0", "gaussian sigma=2 truncate=3 dtype=float32"},
		{"gaussian sigma=0.0004mm", "gaussian sigma=0.4um"},
		{"gaussian sigma=1,0.5um,600nm", "gaussian sigma=1,0.5um,0.6um"},
		{"gaussian sigma=1um", "gaussian sigma=1um"},
		{"mean border=constant:3.50 channels=2,1", "mean border=constant:3.5 channels=1,2"},
		{"rescale high=1e6 low=1000000", "rescale low=1000000 high=1000000"},
		{"threshold value=0 method=value", "threshold"},
		{"threshold value=0 method=otsu channel=1", "threshold method=otsu channel=1 value=0"}, // it was found
		{"stencil \"@param a = 2 0..9; x * a\" border=wrap a=3.0", "stencil \"@param a = 2 0..9; x * a\" a=3 border=wrap"},
		{"richardson-lucy start=0.50 psf=\"a b.tif\" block=9,9,9 halo=0", "richardson-lucy psf=\"a b.tif\" start=0.5 block=9 halo=0"},
	} {
		chain, err := filters.Parse(c.typed)
		if err != nil {
			t.Fatal(err)
		}
		if got := chain.Canonical().String(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.typed, got, c.want)
		}
		if chain.String() != c.typed && !strings.Contains(c.typed, "dtype=") {
			t.Errorf("%s has become %v itself", c.typed, chain)
		}
	}
}

// However the parameters are ordered and their numbers written, the canonical chain is the same, is read as it is written, and
// names the same voxels.
func TestTheCanonicalChainComputesTheSame(t *testing.T) {
	image := volume()
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(filters.Catalogue()).Draw(t, "filter")
		var args, others []filters.Arg
		for _, p := range spec.Params {
			if !rapid.Bool().Draw(t, "given") {
				continue
			}
			value := p.Default
			if rapid.Bool().Draw(t, "own") {
				value = valueOf(t, p)
			}
			args = append(args, filters.Arg{Name: p.Name, Value: value})
			others = append(others, filters.Arg{Name: p.Name, Value: otherwise(t, p, value)})
		}
		others = rapid.Permutation(others).Draw(t, "order")
		one, other := filters.Chain{{Filter: spec.Name, Args: args}}, filters.Chain{{Filter: spec.Name, Args: others}}
		want := one.Canonical().String()
		if got := other.Canonical().String(); got != want {
			t.Fatalf("%v is written %s, and %v %s", one, want, other, got)
		}
		again, err := filters.Parse(want)
		if err != nil || again.Canonical().String() != want {
			t.Fatalf("%s is read as %v: %v", want, again, err)
		}
		a, e1 := one.Apply(image)
		b, e2 := again.Apply(image)
		c, e3 := other.Apply(image)
		if (e1 == nil) != (e2 == nil) || (e1 == nil) != (e3 == nil) {
			t.Fatalf("%v: %v; %v: %v; %v: %v", one, e1, again, e2, other, e3)
		}
		if e1 == nil && (a.Node().Hash != b.Node().Hash || a.Node().Hash != c.Node().Hash) {
			t.Fatalf("%v, %v and %v name different voxels", one, again, other)
		}
	})
}

// otherwise is a value of a parameter, written in another form.
func otherwise(t *rapid.T, p filters.Param, value string) string {
	number := slices.Contains([]filters.Kind{filters.Number, filters.Integer, filters.Length}, p.Kind)
	if !number || value == "" || !rapid.Bool().Draw(t, "otherwise") {
		return value
	}
	if p.PerAxis && !strings.Contains(value, ",") && rapid.Bool().Draw(t, "thrice") {
		return value + "," + value + "," + value
	}
	var n float64
	if k, err := fmt.Sscanf(value, "%g", &n); k == 1 && err == nil && fmt.Sprint(n) == value && math.Abs(n) < 1e15 {
		return fmt.Sprintf("%.17e", n)
	}
	return value
}
