package viewer

import (
	"context"
	"image"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// draw is the picture of a view from one level, without a Session.
func draw(t testing.TB, sc *Scene, s State, level int) *image.RGBA {
	t.Helper()
	l, v := preparedAt(t, sc, s, level)
	dst := image.NewRGBA(image.Rectangle{Max: s.Size})
	l.composer.compose(dst, picture{
		geometry: sc.Geometry(s), sampling: s.Sampling, layers: l.layers(0, v), backdrop: Backdrop{40, 40, 40}, clip: dst.Rect,
	})
	return dst
}

// prepared is a loop that never runs, and the voxels of a view.
func prepared(t testing.TB, sc *Scene, s State) (*loop, view) {
	return preparedAt(t, sc, s, sc.level(s))
}

func preparedAt(t testing.TB, sc *Scene, s State, level int) (*loop, view) {
	t.Helper()
	e := engine.New(engine.Options{Memory: 256 << 20, Workers: 1})
	defer e.Close()
	v := view{wish{sc, s}, map[int]*Cut{}}
	for _, c := range s.Shown() {
		q, ok := sc.requestAt(s, c, level)
		if !ok {
			continue
		}
		v.cuts[c] = newCut(sc, q, s.Cut)
		_, err := e.Stream(context.Background(), q.Array, q.Region, engine.Priority{}, func(b *lazy.Block) error {
			v.cuts[c].put(b, s.Cut)
			return nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !v.cuts[c].whole() {
			t.Fatalf("%d samples are missing", v.cuts[c].missing)
		}
	}
	return &loop{}, v
}

// drawn is the picture of a view from the level that it calls for.
func drawn(t testing.TB, sc *Scene, s State) *image.RGBA { return draw(t, sc, s, sc.level(s)) }
