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

func TestWhatIsReadAgainIsNotTakenForWhatWasReadBefore(t *testing.T) {
	shape := lazy.Shape{1, 2, 1, 3, 4}
	a := lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(lazy.Index) float64 { return 1 })
	sum := func(a lazy.Array) lazy.Array {
		s, err := lazy.Apply(lazytest.BoxSum{}, a)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := lazy.Again(a, 1), lazy.Again(a, 2)
	for _, c := range []struct {
		name string
		a, b lazy.Array
	}{
		{"two readings", first, second},
		{"what is computed of them", sum(first), sum(second)},
		{"readings of what is computed", lazy.Again(sum(a), 1), lazy.Again(sum(a), 2)},
	} {
		if c.a.Node().Hash == c.b.Node().Hash {
			t.Errorf("%s have one name", c.name)
		}
		if c.a.Node().Origin != c.b.Node().Origin {
			t.Errorf("%s have two origins: an export that was stopped could not be gone on with", c.name)
		}
	}
	if lazy.Again(sum(a), 1).Node().In[0].Hash == a.Node().Hash {
		t.Error("what a result was computed from would be taken of an earlier reading")
	}
	if lazy.Again(a, 1).Node().Hash != first.Node().Hash || first.Node().Origin != a.Node().Origin || sum(first).Node().Origin != sum(a).Node().Origin {
		t.Error("one reading has two names")
	}
}
