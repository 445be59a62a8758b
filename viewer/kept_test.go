package viewer

import (
	"slices"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

func TestChainsAreKeptUnderNamesInTheirOrderAndUsedOnAnyImage(t *testing.T) {
	chain := func(text string) filters.Chain {
		c, err := filters.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	var kept KeptChains
	for _, one := range [][2]string{{"spots", "dog sigma1=0.5um"}, {"Edges", "gaussian | sobel"}, {"  spots  ", "log sigma=2"}, {"细胞", "median"}} {
		next, err := kept.With(one[0], chain(one[1]))
		if err != nil {
			t.Fatal(err)
		}
		kept = next
	}
	if want := (KeptChains{{"Edges", "gaussian | sobel"}, {"spots", "log sigma=2"}, {"细胞", "median"}}); !slices.Equal(kept, want) {
		t.Errorf("kept are %v, want %v", kept, want)
	}
	for _, c := range []struct{ name, text, want string }{
		{" ", "sobel", "a name of 1 to 60"}, {strings.Repeat("x", 61), "sobel", "a name of 1 to 60"}, {"none", "", "none that take part"},
	} {
		if same, err := kept.With(c.name, chain(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || len(same) != 3 {
			t.Errorf("%q: %v, want %q", c.name, err, c.want)
		}
	}
	use, err := kept.Use("Edges")
	if err != nil {
		t.Fatal(err)
	}
	sc, s := scene(t, dataset(zyx("ramp", lazy.U8, shape(9, 32, 32), nil)), 200, 200)
	if got := use(sc, s).Chain.String(); got != "gaussian | sobel" {
		t.Errorf("used, the chain is %q", got)
	}
	left := kept.Without("Edges")
	if _, err := left.Use("Edges"); err == nil || len(left) != 2 || len(kept) != 3 {
		t.Errorf("taken out: %v, %v", left, err)
	}
	if _, err := (KeptChains{{"old", "no-such-filter"}}).Use("old"); err == nil || !strings.Contains(err.Error(), `kept as "old"`) {
		t.Errorf("a chain of another version: %v", err)
	}
}
