package viewer

import (
	"context"
	"fmt"
	"image"
	"math"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// largest is the most pixels of a picture: 1 GiB of them.
const largest = 1 << 28

// Picture draws the whole plane on view from the finest level, at one pixel a voxel of the finer of its
// two axes, in the colours and limits of s. It is what "export picture" writes. progress may be nil.
// A plane of more than 2^28 pixels is refused, and so is a chain with a Fault.
func Picture(ctx context.Context, e *engine.Engine, sc *Scene, s State, progress func(done, total int)) (*image.RGBA, error) {
	if sc.Fault != nil {
		return nil, sc.Fault
	}
	s, err := sc.whole(s)
	if err != nil {
		return nil, err
	}
	return render(ctx, e, sc, s, progress)
}

// render draws what s looks at. Filtered values are always those of the finest level; without filters a level that the
// picture cannot tell from it will do.
func render(ctx context.Context, e *engine.Engine, sc *Scene, s State, progress func(done, total int)) (*image.RGBA, error) {
	level := 0
	if !sc.Filtered() {
		level = sc.level(s)
	}
	v := view{wish{sc, s}, map[int]*Cut{}}
	shown := s.Shown()
	for n, c := range shown {
		q, ok := sc.requestAt(s, c, level)
		if !ok {
			continue
		}
		cut := newCut(sc, q, s.Cut)
		_, err := e.Stream(ctx, q.Array, q.Region, engine.Priority{Tier: engine.Background}, func(b *lazy.Block) error {
			cut.put(b, s.Cut)
			return nil
		}, func(done, total int) {
			if progress != nil {
				progress(n*total+done, len(shown)*total)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("viewer: drawing the plane of channel %d: %w", c+1, err)
		}
		v.cuts[c] = cut
	}
	if q, stands, ok := sc.overlayRequest(s); ok {
		cut := newCut(sc.over, q, s.Cut)
		stands(cut)
		_, err := e.Stream(ctx, q.Array, q.Region, engine.Priority{Tier: engine.Background}, func(b *lazy.Block) error {
			cut.put(b, s.Cut)
			return nil
		}, nil)
		if err != nil {
			return nil, fmt.Errorf("viewer: drawing the labels: %w", err)
		}
		v.cuts[overlaid] = cut
	}
	var l loop
	dst := image.NewRGBA(image.Rectangle{Max: s.Size})
	l.composer.compose(dst, picture{geometry: sc.Geometry(s), sampling: s.Sampling, blend: s.Blend, layers: l.layers(0, v), over: l.overlayOf(s, v, nil), clip: dst.Rect})
	return dst, nil
}

// whole is s with a viewport that holds the plane at its full resolution.
func (sc *Scene) whole(s State) (State, error) {
	across, down, _ := s.Cut.Axes()
	shape := sc.Meta().Shape
	finer := min(sc.aspect(across), sc.aspect(down))
	w := math.Round(float64(shape[across]) * sc.aspect(across) / finer)
	h := math.Round(float64(shape[down]) * sc.aspect(down) / finer)
	if w*h > largest {
		return s, fmt.Errorf("viewer: a picture of %.0f by %.0f pixels is too large; export the data instead", w, h)
	}
	s.Size = image.Pt(max(1, int(w)), max(1, int(h)))
	s.Zoom, s.Fitted = 1/finer, false
	s.Center[across], s.Center[down] = float64(shape[across]-1)/2, float64(shape[down]-1)/2
	return s, nil
}

// Plane is the region of the finest level that is on view as data: the whole plane, all channels.
func (sc *Scene) Plane(s State) lazy.Region {
	across, down, _ := s.Cut.Axes()
	shape := sc.Meta().Shape
	r := lazy.At(s.At, lazy.Shape{1, 1, 1, 1, 1})
	for _, a := range []lazy.Axis{across, down, lazy.C} {
		r = r.With(a, 0, shape[a])
	}
	return r
}
