package lazy_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

func TestAPlanHasEachTaskOnceAfterAllItNeeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape(9).Draw(t, "shape")
		m := lazytest.Meta(lazy.U8, s, shape(5).Draw(t, "chunk"))
		a := lazytest.Array(m, func(lazy.Index) float64 { return 0 })
		for range rapid.IntRange(1, 3).Draw(t, "ops") {
			op := lazytest.BoxSum{Halo: lazy.Halo{Before: index(0, 3).Draw(t, "before"), After: index(0, 3).Draw(t, "after")}, Edge: border().Draw(t, "border")}
			op.Halo.Before[lazy.T], op.Halo.After[lazy.T] = 0, 0
			next, err := lazy.Apply(op, a)
			if err != nil {
				t.Fatal(err)
			}
			a = next
		}
		r := region().Draw(t, "region").Intersect(s.Whole())
		if r.Empty() {
			r = lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1})
		}
		p, err := lazy.Build(lazy.Query{Array: a, Region: r}, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[lazy.Key]int{}
		for n, task := range p.Tasks {
			if _, twice := seen[task.Key]; twice {
				t.Fatalf("task %v is planned twice", task.Key.Tile)
			}
			seen[task.Key] = n
			for _, part := range task.Parts {
				if part.Task >= n || part.Task < 0 || p.Tasks[part.Task].Key != part.Key {
					t.Fatalf("task %d reads task %d", n, part.Task)
				}
			}
			if !task.Node.Meta.Shape.Whole().Contains(task.Key.Tile) {
				t.Fatalf("tile %v is not within %v", task.Key.Tile, s)
			}
		}
		tasks, chunks := lazy.Totals(a, r)
		if p.Cost.Tasks != len(p.Tasks) || p.Cost.Tasks > tasks || p.Cost.Chunks > chunks || p.Cost.VoxelsComputed < p.Cost.VoxelsNeeded {
			t.Fatalf("cost %+v of %d tasks, %d chunks in all", p.Cost, tasks, chunks)
		}

		again, _ := lazy.Build(lazy.Query{Array: a, Region: r}, func(k lazy.Key) bool { _, held := seen[k]; return held })
		if len(again.Tasks) != 0 {
			t.Fatalf("%d tasks though everything is held", len(again.Tasks))
		}
	})
}

func TestEqualRecipesShareTheirKeysAndOthersDoNot(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 4, 4}, lazy.Shape{1, 4, 1, 4, 4})
	one, other := lazytest.New(m, nil), lazytest.New(m, nil)
	sum := func(s *lazytest.Source, edge string) [16]byte {
		b, _ := lazy.ParseBorder(edge)
		a, err := lazy.Apply(lazytest.BoxSum{Edge: b}, lazy.FromSource(s))
		if err != nil {
			t.Fatal(err)
		}
		return a.Node().Hash
	}
	if again := sum(one, "wrap"); again != sum(one, "wrap") {
		t.Error("the same op on the same source has two keys")
	}
	if sum(one, "wrap") == sum(one, "mirror") {
		t.Error("two borders have one key")
	}
	if sum(one, "wrap") == sum(other, "wrap") {
		t.Error("BR-010: two sources of equal name and shape have one key")
	}
}

func TestAPlanOutsideTheArrayIsRefused(t *testing.T) {
	a := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 4, 4}, lazy.Shape{1, 4, 1, 4, 4}), nil)
	for _, r := range []lazy.Region{{}, lazy.At(lazy.Index{0, 4, 0, 0, 0}, lazy.Shape{1, 1, 1, 4, 4}), lazy.At(lazy.Index{0, -1, 0, 0, 0}, lazy.Shape{1, 2, 1, 4, 4})} {
		if _, err := lazy.Build(lazy.Query{Array: a, Region: r}, nil); err == nil {
			t.Errorf("%v is planned", r)
		}
	}
}

// A plan of millions of tasks ends with the one who waits for it.
func TestPlanningEndsWithItsContext(t *testing.T) {
	a := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 1000, 1, 1000, 1000}, lazy.Shape{1, 1, 1, 10, 10}), func(lazy.Index) float64 { return 0 })
	a, err := lazy.Apply(lazytest.BoxSum{Halo: lazy.Halo{Before: lazy.Index{lazy.Z: 100}, After: lazy.Index{lazy.Z: 100}}}, a)
	if err != nil {
		t.Fatal(err)
	}
	plane := a.Meta().Shape.Whole().With(lazy.Z, 500, 501)
	ctx, cancel := context.WithCancel(t.Context())
	looked := 0
	_, err = lazy.BuildUntil(ctx, lazy.LayoutFor(plane), lazy.Query{Array: a, Region: plane}, func(lazy.Key) bool {
		if looked++; looked == 10_000 {
			cancel()
		}
		return false
	})
	if !errors.Is(err, context.Canceled) || looked > 11_000 {
		t.Errorf("%d pieces were looked at: %v", looked, err)
	}
}
