package viewer

import (
	"strings"
	"testing"
)

func TestEveryFilterIsInTheMenuOnce(t *testing.T) {
	seen := map[string]int{}
	for _, g := range Groups() {
		for _, f := range g.Filters {
			seen[f.Name]++
		}
		if len(g.Filters) == 0 {
			t.Errorf("the group %s is empty", g.Name)
		}
	}
	for _, f := range Catalogue() {
		if want := map[bool]int{true: 0, false: 1}[HasText(f.Step())]; seen[f.Name] != want {
			t.Errorf("%s is there %d times, want %d", f.Name, seen[f.Name], want)
		}
	}
	for _, g := range groups {
		for _, name := range strings.Fields(g[1]) {
			if _, ok := LookupFilter(name); !ok {
				t.Errorf("the group %s names %s, which is no filter", g[0], name)
			}
		}
	}
}
