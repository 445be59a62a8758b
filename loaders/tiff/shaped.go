package tiff

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"lamella/loaders"
)

// A shape is what tifffile writes into the first description of each of its series: JSON such as
// {"shape": [31, 61, 57], "axes": "ZYX"}, or in old files shape=(31, 61, 57).
type shape struct {
	Shape     []int  `json:"shape"`
	Axes      string `json:"axes"`
	Name      string `json:"name"`
	Truncated bool   `json:"truncated"` // the planes follow each other behind one directory
}

// parseShape finds such a description among the texts of a directory.
func parseShape(descriptions []string) (shape, bool) {
	var s shape
	for _, d := range descriptions {
		if rest, ok := strings.CutPrefix(d, "shape=("); ok {
			for _, n := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' || r == ')' }) {
				v, err := strconv.Atoi(n)
				if err != nil {
					return s, false
				}
				s.Shape = append(s.Shape, v)
			}
			return s, len(s.Shape) > 0
		}
		if strings.HasPrefix(d, "{") && strings.Contains(d, `"shape":`) && !strings.Contains(d, `"mibi.`) {
			return s, json.Unmarshal([]byte(d), &s) == nil && len(s.Shape) > 0
		}
	}
	return s, false
}

// shaped reads the series of a file that tifffile wrote. Every series begins with a description; its
// pages follow, or its planes lie behind the single page.
func (t *file) shaped(ctx context.Context, r *reader) ([]*series, error) {
	var found []*series
	for i := 0; i < len(t.pages); {
		p := t.pages[i]
		if p.bad != nil {
			return nil, p.bad
		}
		f, err := r.front(ctx, p.at)
		if err != nil {
			return nil, err
		}
		said, ok := parseShape(f.descriptions)
		if !ok {
			return nil, fmt.Errorf("page %d has no shape", i)
		}
		s, used, err := t.shapedSeries(i, said)
		if err != nil {
			return nil, fmt.Errorf("page %d: %w", i, err)
		}
		s.meta = f.meta()
		levels, err := t.subLevels(ctx, r, s.levels[0])
		if err != nil {
			return nil, err
		}
		s.levels = append(s.levels, levels...)
		found = append(found, s)
		i += used
	}
	return reducedLevels(found), nil
}

// shapedSeries is the series that begins with page i, and how many pages it takes.
func (t *file) shapedSeries(i int, said shape) (*series, int, error) {
	l := t.pages[i].layout
	dims, err := said.dims(l)
	if err != nil {
		return nil, 0, err
	}
	n, ok := planesOf(dims, l)
	if !ok {
		return nil, 0, fmt.Errorf("shape %v: %w", said.Shape, loaders.ErrDamaged)
	}
	s := &series{name: said.Name, dims: dims}
	rest := t.pages[i:]
	if n > 1 && (said.Truncated || len(rest) < n) {
		if err := t.follows(rest, n); err != nil {
			return nil, 0, err
		}
		s.levels, s.stride = [][]plane{pagesOf(rest[:1])}, l.planeBytes()
		return s, 1, nil
	}
	for k, p := range rest[:n] {
		if p.bad != nil || p.layout != l {
			return nil, 0, fmt.Errorf("page %d of the series is stored in another way", k)
		}
	}
	s.levels = [][]plane{pagesOf(rest[:n])}
	return s, n, nil
}

// dims is the axes along which planes are counted: the shape without its y, x and samples.
func (s shape) dims(l *layout) ([]dim, error) {
	axes := s.Axes
	if len(axes) != len(s.Shape) {
		axes = strings.Repeat("?", len(s.Shape))
	}
	tail := []int{l.height, l.width}
	switch {
	case l.planar:
		tail = []int{l.samples, l.height, l.width}
	case l.samples > 1:
		tail = []int{l.height, l.width, l.samples}
	}
	n := len(s.Shape) - len(tail)
	// Axes of length 1 may stand between the planes and the pixels, or be left out of both.
	for n >= 0 {
		if equal(s.Shape[n:], tail) {
			break
		}
		if n--; n < 0 {
			return nil, fmt.Errorf("shape %v does not end in pages of %v: %w", s.Shape, tail, loaders.ErrDamaged)
		}
	}
	n = max(n, 0)
	dims := make([]dim, n)
	for i := range dims {
		dims[i] = dim{axisOf(axes[i]), s.Shape[i]}
	}
	return dims, nil
}

// equal compares lengths without those of 1.
func equal(a, b []int) bool {
	long := func(v []int) []int {
		var out []int
		for _, n := range v {
			if n != 1 {
				out = append(out, n)
			}
		}
		return out
	}
	x, y := long(a), long(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// follows says why n planes cannot lie behind each other after the first of pages, before the
// next directory.
func (t *file) follows(pages []*page, n int) error {
	p := pages[0]
	l := p.layout
	if l.compression != rawData || l.tiled && (l.width != l.segW || l.height%l.segH != 0) {
		return fmt.Errorf("%d planes behind one page that is compressed or tiled: %w", n, loaders.ErrUnsupported)
	}
	first, err := t.find(context.Background(), p, 0, 0)
	if err != nil {
		return err
	}
	end := t.Size()
	for _, q := range pages[:min(2, len(pages))] {
		if q.at > first.off {
			end = min(end, q.at)
		}
	}
	if need := int64(n) * l.planeBytes(); first.off == 0 || need > end-first.off {
		return fmt.Errorf("%d planes of %d bytes need %d bytes, but %d follow: %w", n, l.planeBytes(), need, end-first.off, loaders.ErrDamaged)
	}
	return nil
}

// reducedLevels joins series with the smaller copies behind them that are marked as such.
func reducedLevels(all []*series) []*series {
	var kept []*series
	for _, s := range all {
		if p := s.levels[0][0].page; p.reduced() && len(kept) > 0 {
			top := kept[len(kept)-1]
			if smaller(top.layout(len(top.levels)-1), p.layout, 0) != 0 && len(top.levels[0]) == len(s.levels[0]) {
				top.levels = append(top.levels, s.levels...)
				continue
			}
		}
		kept = append(kept, s)
	}
	return kept
}
