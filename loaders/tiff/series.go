package tiff

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// A series is one image of the file before its axes are settled: levels of planes that are counted
// along dims, slowest first.
type series struct {
	name     string
	dims     []dim
	levels   [][]plane // finest first; the planes of each in the order of dims
	stride   int64     // see stack: then each level has one plane
	meta     lazy.Meta // Scale, Unit and Origin
	channels []lazy.Channel
	recipe   lazy.Recipe
	sub      bool // hangs in a SubIFD
	separate bool // samples are channels of their own, whatever the page calls them
}

// layout is how level n is stored.
func (s *series) layout(n int) *layout {
	for _, p := range s.levels[n] {
		if p.page != nil {
			return p.page.layout
		}
	}
	return nil
}

// pagesOf makes planes of pages of the first file.
func pagesOf(pages []*page) []plane {
	planes := make([]plane, len(pages))
	for i, p := range pages {
		planes[i] = plane{page: p}
	}
	return planes
}

// generic groups the pages, and those that hang from them, by layout, in the order in which each
// layout is first seen, and joins groups that are smaller copies of one before them. This is how
// tifffile counts the series of a file that describes itself no further.
func (t *file) generic(ctx context.Context, r *reader) ([]*series, error) {
	type key struct {
		l   *layout
		sub bool
	}
	groups := map[key]int{}
	var found []*series
	add := func(p *page, sub bool) {
		if p.bad != nil {
			return
		}
		k := key{p.layout, sub}
		i, ok := groups[k]
		if !ok {
			i = len(found)
			groups[k] = i
			found = append(found, &series{sub: sub, levels: make([][]plane, 1)})
		}
		found[i].levels[0] = append(found[i].levels[0], plane{page: p})
	}
	seen := map[int64]bool{}
	for _, p := range t.pages {
		seen[p.at] = true
	}
	for _, p := range t.pages {
		add(p, false)
		if p.bad != nil || len(p.subs) == 0 {
			continue
		}
		subs, err := t.subPages(ctx, r, p, seen)
		if err != nil {
			return nil, err
		}
		for _, s := range subs {
			if s.bad != nil {
				t.warnings = append(t.warnings, fmt.Sprintf("a picture behind a page is left out: %v", s.bad))
			}
			add(s, true)
		}
	}
	for _, s := range found {
		s.dims = []dim{{n: len(s.levels[0])}}
	}
	return pyramids(found), nil
}

// pyramids joins each series with those behind it that are its smaller copies: as many planes of the
// same kind, and smaller in y and x by the same factor of 2, 3 or 4 each time.
func pyramids(all []*series) []*series {
	for i := 0; i < len(all); i++ {
		top, factor := all[i], 0
		if top.sub {
			continue
		}
		for j := i + 1; j < len(all); {
			last := top.layout(len(top.levels) - 1)
			f := smaller(last, all[j].layout(0), factor)
			if f == 0 || len(all[j].levels[0]) != len(top.levels[0]) {
				j++
				continue
			}
			factor = f
			top.levels = append(top.levels, all[j].levels[0])
			all = append(all[:j], all[j+1:]...)
		}
	}
	return all
}

// smaller is the factor by which a was reduced to b, 0 if b is not a reduced a. A factor that is
// known already must be that one.
func smaller(a, b *layout, known int) int {
	if a.dtype() != b.dtype() || a.samples != b.samples || a.planar != b.planar {
		return 0
	}
	near := func(n, m, f int) bool { return n >= f && m*f > n-f && m*f < n+f }
	for f := 2; f <= 4; f++ {
		if (known == 0 || known == f) && near(a.width, b.width, f) && near(a.height, b.height, f) {
			return f
		}
	}
	return 0
}
