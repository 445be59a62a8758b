package lazy_test

import (
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

func TestRestatedVoxelsKeepTheirName(t *testing.T) {
	shape := lazy.Shape{1, 2, 1, 3, 4}
	a := lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(lazy.Index) float64 { return 1 })
	m := a.Meta()
	m.Scale[lazy.X], m.Unit[lazy.X], m.Shape = 0.25, "um", lazy.Shape{9, 9, 9, 9, 9}
	b := lazy.Restate(a, m)
	if b.Node().Hash != a.Node().Hash || b.Meta().Scale[lazy.X] != 0.25 || b.Meta().Shape != a.Meta().Shape {
		t.Errorf("%v became %v", a.Meta(), b.Meta())
	}
	if a.Meta().Scale[lazy.X] == 0.25 {
		t.Error("the array itself has changed")
	}
}
