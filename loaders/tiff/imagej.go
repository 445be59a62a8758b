package tiff

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A hyperstack is the description that ImageJ and its kin write into the first directory: lines of
// key=value that begin with ImageJ= or SCIFIO=.
type hyperstack map[string]string

// parseHyperstack finds such a description among the texts of a directory.
func parseHyperstack(descriptions []string) (hyperstack, bool) {
	for _, d := range descriptions {
		if !strings.HasPrefix(d, "ImageJ=") && !strings.HasPrefix(d, "SCIFIO=") {
			continue
		}
		h := hyperstack{}
		for line := range strings.Lines(readable(d)) {
			if key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "="); ok {
				h[strings.TrimSpace(key)] = strings.TrimSpace(value)
			}
		}
		return h, true
	}
	return nil, false
}

// count is a number of planes, 1 if the key is missing or its value is no such number.
func (h hyperstack) count(key string) int {
	n, err := strconv.Atoi(h[key])
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// number is a real value, NaN if the key is missing or its value is none.
func (h hyperstack) number(key string) float64 {
	v, err := strconv.ParseFloat(h[key], 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// nonsense names the keys whose values are no counts.
func (h hyperstack) nonsense() []string {
	var bad []string
	for _, key := range []string{"images", "channels", "slices", "frames"} {
		if v, ok := h[key]; ok && (h.count(key) == 1 && v != "1") {
			bad = append(bad, fmt.Sprintf("%s=%s", key, v))
		}
	}
	return bad
}

// dims is the axes of the planes, of which l is one: XYCZT, so that channels run fastest, unless
// "order" says otherwise. pages is how many there are.
func (h hyperstack) dims(l *layout, pages int) []dim {
	c, z, t, images := h.count("channels"), h.count("slices"), h.count("frames"), h.count("images")
	if c == l.samples && l.samples > 1 && (l.planar || images == z*t) {
		c = 1 // the samples of each page are the channels
	}
	size := map[byte]int{'c': c, 'z': z, 't': t}
	order := strings.ToLower(h["order"])
	if len(order) != 3 || strings.Trim(order, "czt") != "" || order[0] == order[1] || order[1] == order[2] || order[0] == order[2] {
		order = "czt"
	}
	var dims []dim
	for i := 2; i >= 0; i-- {
		dims = append(dims, dim{order[i], size[order[i]]})
	}
	known, ok := planesOf(dims, l)
	if n := max(images, pages); ok && known == 1 && n > 1 {
		// An old stack without axes: its planes are slices, but nobody said so.
		return []dim{{n: n}}
	} else if ok && pages > known && pages%known == 0 {
		return append([]dim{{n: pages / known}}, dims...)
	}
	return dims
}

// imageJ reads a file written by ImageJ: one series, whose planes are pages, or lie behind the only
// page with pixels, as ImageJ writes stacks of more than 4 GB. It gives nil and a warning if there
// are not as many planes as the description counts.
func (t *file) imageJ(ctx context.Context, r *reader, f front, h hyperstack) (*series, error) {
	p := t.pages[0]
	if p.bad != nil {
		return nil, nil
	}
	if bad := h.nonsense(); len(bad) > 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("the ImageJ description says %s, which is no number of planes; it is ignored", strings.Join(bad, ", ")))
	}
	dims := h.dims(p.layout, len(t.pages))
	n, ok := planesOf(dims, p.layout)
	if !ok {
		t.warnings = append(t.warnings, "the ImageJ description counts more planes than any file holds; it is ignored")
		return nil, nil
	}
	s := &series{dims: dims}
	switch {
	case n <= len(t.pages):
		for i, q := range t.pages[:n] {
			if q.bad != nil || !q.layout.alike(p.layout) {
				t.warnings = append(t.warnings, fmt.Sprintf("page %d is not like the first, so the ImageJ description is ignored", i))
				return nil, nil
			}
		}
		s.levels = [][]plane{pagesOf(t.pages[:n])}
		if n < len(t.pages) {
			t.warnings = append(t.warnings, fmt.Sprintf("%d pages beyond the %d that the ImageJ description counts are left out", len(t.pages)-n, n))
		}
	default:
		if p.layout.compression != rawData || len(t.pages) > 1 && t.follows(t.pages, n) != nil {
			t.warnings = append(t.warnings, fmt.Sprintf("the ImageJ description counts %d planes, the file has %d pages; it is cut short, or was changed by another program", n, len(t.pages)))
			return nil, nil
		}
		if err := t.follows(t.pages, n); err != nil {
			first, err := t.find(ctx, p, 0, 0)
			if err != nil {
				return nil, err
			}
			whole := max(0, t.Size()-first.off) / p.layout.planeBytes()
			if whole < 2 || p.at > first.off {
				t.warnings = append(t.warnings, fmt.Sprintf("the ImageJ description counts %d planes, the file holds one; it is cut short, or was changed by another program", n))
				return nil, nil
			}
			t.warnings = append(t.warnings, fmt.Sprintf("the file is cut short: %d of %d planes are whole, the others cannot be read", whole, n))
		}
		s.levels, s.stride = [][]plane{pagesOf(t.pages[:1])}, p.layout.planeBytes()
	}
	s.meta = h.meta(f)
	if s.meta.Scale[lazy.Z] == 0 && length(h.number("spacing")) != 0 && s.meta.Scale[lazy.X] == 0 && n > 1 {
		t.warnings = append(t.warnings, fmt.Sprintf("the ImageJ description gives a spacing of %s without a unit of length, so the voxel size is unknown", h["spacing"]))
	}
	x := t.imageJExtra(ctx, r, f)
	s.channels, s.recipe = x.channels(h, dims, p.layout), loaders.FindRecipe(x.info)
	return s, nil
}

// saysAll reports whether the directories behind the first, of which the next is at next, say nothing
// that is not known: ImageJ and tifffile write the planes of a stack one behind another, and the other
// directories behind all of them. Of these one is read, to be sure; a stack of 10,000 pages is then
// opened by a few small reads. If planes could stand between the last one counted and the next directory,
// the file may hold more than its description counts, and all are read.
func (t *file) saysAll(ctx context.Context, r *reader, next int64) bool {
	p := t.pages[0]
	if next == 0 || p.bad != nil || p.layout.compression != rawData || p.layout.segments() != 1 || len(p.subs) > 0 {
		return false
	}
	f, err := r.front(ctx, p.at)
	if err != nil {
		return false
	}
	h, ok := parseHyperstack(f.descriptions)
	if _, shaped := parseShape(f.descriptions); !ok || shaped || len(h.nonsense()) > 0 {
		return false
	}
	n, ok := planesOf(h.dims(p.layout, 1), p.layout)
	if !ok || n < 2 {
		return false
	}
	first, err := t.find(ctx, p, 0, 0)
	if err != nil || first.off == 0 {
		return false
	}
	size := p.layout.planeBytes()
	if behind := next - (first.off + int64(n)*size); behind < 0 || behind >= size {
		return false
	}
	entries, _, err := r.directory(ctx, next)
	if err != nil {
		return false
	}
	q := r.page(ctx, next, entries)
	if q.bad != nil || q.layout != p.layout {
		return false
	}
	second, err := t.find(ctx, q, 0, 0)
	return err == nil && second.off == first.off+size
}

// meta is the voxel size, time step and origin.
func (h hyperstack) meta(f front) lazy.Meta {
	var m lazy.Meta
	unit := func(key string) (float64, bool) {
		for _, k := range []string{key, "unit"} {
			if u, ok := h[k]; ok && spelled(u) != "" {
				return micrometres(u)
			}
		}
		return map[uint64]float64{2: 25400, 3: 10000}[f.resolution], f.resolution == 2 || f.resolution == 3
	}
	set := func(a lazy.Axis, unitKey string, size float64, originKey string) {
		um, ok := unit(unitKey)
		if !ok || length(size*um) == 0 {
			return
		}
		m.Scale[a], m.Unit[a] = length(size*um), "um"
		if o := h.number(originKey); !math.IsNaN(o) {
			m.Origin[a] = -o * m.Scale[a] // ImageJ keeps the voxel that lies at 0
		}
	}
	y, x := 1/f.perUnit[1], 1/f.perUnit[0]
	if _, stated := h["unit"]; !stated && f.resolution == 2 && (f.perUnit[0] == 72 || f.perUnit[0] == 96) {
		y, x = 0, 0
	}
	set(lazy.Z, "zunit", h.number("spacing"), "zorigin")
	set(lazy.Y, "yunit", y, "yorigin")
	set(lazy.X, "unit", x, "xorigin")
	factor := 1.0
	if u, ok := h["tunit"]; ok {
		if s, ok := seconds(u); ok {
			factor = s
		}
	}
	if step := length(h.number("finterval") * factor); step != 0 {
		m.Scale[lazy.T], m.Unit[lazy.T] = step, "s"
	}
	return m
}
