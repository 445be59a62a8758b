package tiff

import (
	"context"
	"fmt"
	"math"

	"lamella/lazy"
)

// stk reads a MetaMorph stack: one page, whose tag 33629 has as many values as there are planes; they
// follow the first one (MetaMorph Stack File Format, Universal Imaging). It gives nil if the planes are not there.
//
//	33629  for each plane: distance in z (a rational), date and time made, date and time changed
//	33628  pairs of a number and a value, or the offset of one: 4, 5 pixel size x, y (rationals),
//	       6 their unit, 7 the name
func (t *file) stk(ctx context.Context, r *reader, f front, e entry) (*series, error) {
	p := t.pages[0]
	if p.bad != nil {
		return nil, nil
	}
	n, l := int(min(e.count, maxPages)), p.layout
	s := &series{dims: []dim{{n: n}}, levels: [][]plane{pagesOf(t.pages[:1])}, stride: l.planeBytes()}
	if n < 1 || n > 1 && t.follows(t.pages[:1], n) != nil {
		t.warnings = append(t.warnings, fmt.Sprintf("the file counts %d planes, which do not all follow the first one; only this is shown", e.count))
		s.dims[0].n = 1
	}
	if n == 1 {
		s.stride = 0
	}
	if raw, err := t.readAt(ctx, e.where, n*24); err == nil && n > 1 {
		if zs := t.stkDistances(raw, n); zs != 0 {
			s.meta.Scale[lazy.Z], s.meta.Unit[lazy.Z] = zs, "um"
		}
		// Planes apart in z are slices. Planes at one depth and different times are frames.
		s.dims[0].axis = t.stkAxis(raw, n)
	}
	if uic, ok := find(f.entries, tagUIC1); ok {
		t.stkSizes(ctx, r, uic, s)
	}
	return s, ctx.Err()
}

func (t *file) readAt(ctx context.Context, off int64, n int) ([]byte, error) {
	if _, err := t.within(place{off, int64(n)}); err != nil {
		return nil, err
	}
	b := make([]byte, n)
	return b, t.ReadAt(ctx, b, off)
}

func (t *file) rational(b []byte) float64 {
	return float64(t.order.Uint32(b)) / float64(t.order.Uint32(b[4:]))
}

// stkDistances is the step in z: the value itself if all planes state the same, or the difference if
// they state positions at equal distances; 0 if neither.
func (t *file) stkDistances(raw []byte, n int) float64 {
	first, second := t.rational(raw), t.rational(raw[24:])
	same, even := true, true
	for i := range n {
		z := t.rational(raw[24*i:])
		same = same && z == first
		even = even && math.Abs(z-first-float64(i)*(second-first)) <= 1e-6*math.Abs(second-first)*float64(i)
	}
	switch {
	case same:
		return length(first)
	case even:
		return length(second - first)
	}
	return 0
}

func (t *file) stkAxis(raw []byte, n int) byte {
	apart, later := true, true
	for i := range n {
		apart = apart && t.rational(raw[24*i:]) != 0
		later = later && (i == 0 || t.order.Uint32(raw[24*i+12:]) != t.order.Uint32(raw[24*i-12:]))
	}
	switch {
	case apart:
		return 'z'
	case later:
		return 't'
	}
	return 0
}

// stkSizes reads the pixel size and the name.
func (t *file) stkSizes(ctx context.Context, r *reader, e entry, s *series) {
	if e.kind != kindLong || e.inline {
		return // MetaMorph's older form
	}
	pairs, err := t.readAt(ctx, e.where, int(min(e.count, 1<<12))*8)
	if err != nil {
		return
	}
	var size [2]float64
	unit := ""
	for ; len(pairs) >= 8; pairs = pairs[8:] {
		id, at := t.order.Uint32(pairs), int64(t.order.Uint32(pairs[4:]))
		switch id {
		case 4, 5:
			if b, err := t.readAt(ctx, at, 8); err == nil {
				size[id-4] = t.rational(b)
			}
		case 6, 7:
			text := t.stkText(ctx, at)
			if id == 6 {
				unit = text
			} else {
				s.name = text
			}
		}
	}
	um, ok := micrometres(unit)
	for i, a := range []lazy.Axis{lazy.X, lazy.Y} {
		if v := length(size[i] * um); ok && v != 0 {
			s.meta.Scale[a], s.meta.Unit[a] = v, "um"
		}
	}
}

// stkText is a text with its length (4) before it.
func (t *file) stkText(ctx context.Context, at int64) string {
	b, err := t.readAt(ctx, at, 4)
	if err != nil {
		return ""
	}
	n := t.order.Uint32(b)
	if n > 1<<12 {
		return ""
	}
	if b, err = t.readAt(ctx, at+4, int(n)); err != nil {
		return ""
	}
	return readable(string(trimZeros(b)))
}
