package engine

import (
	"context"
	"slices"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

func TestStatesOfAPlan(t *testing.T) {
	e := New(Options{Memory: 1 << 20, Workers: 1})
	defer e.Close()
	a := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 2, 1, 4, 4}, lazy.Shape{1, 1, 1, 4, 4}), func(lazy.Index) float64 { return 1 })
	p, err := lazy.Build(lazy.Query{Array: a, Region: a.Meta().Shape.Whole()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.States(p); !slices.Equal(got, []TaskState{Absent, Absent}) {
		t.Errorf("before: %v", got)
	}
	if _, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole().With(lazy.Z, 1, 2), Priority{}); err != nil {
		t.Fatal(err)
	}
	if got := e.States(p); !slices.Equal(got, []TaskState{Absent, Held}) {
		t.Errorf("after one plane: %v", got)
	}
}
