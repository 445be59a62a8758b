package tiff

import (
	"strconv"
	"strings"

	"lamella/lazy"
)

// isSVS reports whether a description is that of an Aperio slide scanner.
func isSVS(description string) bool { return strings.HasPrefix(description, "Aperio ") }

// svs sorts the pages of an Aperio slide: the slide itself, a thumbnail, tiled pages that are its
// lower resolutions, then a label and a picture of the whole glass. It gives nil if the pages do not come so.
func (t *file) svs(f front) []*series {
	for _, p := range t.pages {
		if p.bad != nil {
			return nil
		}
	}
	if !t.pages[0].layout.tiled {
		return nil
	}
	one := func(name string, p *page) *series {
		return &series{name: name, dims: []dim{{n: 1}}, levels: [][]plane{pagesOf([]*page{p})}}
	}
	slide := one("slide", t.pages[0])
	if mpp := aperioNumber(f.descriptions[0], "MPP"); length(mpp) != 0 {
		slide.meta.Scale[lazy.Y], slide.meta.Scale[lazy.X] = length(mpp), length(mpp)
		slide.meta.Unit[lazy.Y], slide.meta.Unit[lazy.X] = "um", "um"
	}
	found := []*series{slide}
	rest := t.pages[1:]
	if len(rest) > 0 {
		found = append(found, one("thumbnail", rest[0]))
		rest = rest[1:]
	}
	for len(rest) > 0 && rest[0].layout.tiled && !rest[0].reduced() {
		slide.levels = append(slide.levels, pagesOf(rest[:1]))
		rest = rest[1:]
	}
	for _, p := range rest {
		name := "label"
		if p.kind == 9 {
			name = "macro"
		}
		found = append(found, one(name, p))
	}
	return found
}

// aperioNumber is the value of a key in "...|MPP = 0.4990|..."; 0 if there is none.
func aperioNumber(description, key string) float64 {
	for _, part := range strings.Split(description, "|") {
		if k, v, ok := strings.Cut(part, "="); ok && strings.TrimSpace(k) == key {
			n, _ := strconv.ParseFloat(strings.TrimSpace(v), 64)
			return n
		}
	}
	return 0
}
