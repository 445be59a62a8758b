package filters_test

import (
	"context"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

func TestOneWheelNotchComputesOneNewPlaneAPassAndReadsNothing(t *testing.T) {
	shape := lazy.Shape{1, 64, 1, 96, 96}
	a := lazytest.Array(lazytest.Meta(lazy.U16, shape, lazy.Shape{1, 64, 1, 32, 32}), formula(lazy.U16))
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	plane := func(a lazy.Array, z int) engine.Stats {
		t.Helper()
		_, s, err := e.Get(context.Background(), a, shape.Whole().With(lazy.Z, z, z+1), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for text, passes := range map[string]int{
		"gaussian | sobel": 4, // along z, y and x, and sobel
		"median":           1,
		"maximum":          3,
		"dog":              7, // three passes of each, and the difference
		"white-tophat":     7,
		"log":              9, // two along z, three along y and x each, and the sum
		"project around=3": 1,
	} {
		filtered := chained(t, a, text)
		plane(filtered, 20)
		for z := 21; z < 30; z++ {
			s := plane(filtered, z)
			if s.VoxelsComputed > passes*96*96 || s.TasksRun > passes || s.ChunksRead != 0 || s.BytesRead != 0 {
				t.Errorf("%s: plane %d: %+v: want at most one new plane a pass and nothing read", text, z, s)
			}
		}
	}
}

// volume is 512x1024x1024 in chunks of 64^3, which no test reads.
func volume() lazy.Array {
	return lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 512, 1, 1024, 1024}, lazy.Shape{1, 64, 1, 64, 64}), formula(lazy.U16))
}

func TestASobelPlanePlansTheChunksItTouchesAndNoOther(t *testing.T) {
	a := chained(t, volume(), "sobel")
	whole := a.Meta().Shape.Whole()
	for _, c := range []struct {
		plane  lazy.Region
		chunks int
	}{
		{whole.With(lazy.Z, 256, 257), 2 * 16 * 16}, // first plane of a chunk: its halo reaches the one before
		{whole.With(lazy.Z, 272, 273), 16 * 16},
		{whole.With(lazy.Z, 0, 1), 16 * 16},
		{whole.With(lazy.Y, 512, 513), 2 * 8 * 16},
		{whole.With(lazy.X, 530, 531), 8 * 16},
	} {
		p, err := lazy.Build(lazy.Query{Array: a, Region: c.plane}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Cost.Chunks != c.chunks || p.Cost.VoxelsComputed != c.plane.Voxels() || p.Cost.VoxelsNeeded != c.plane.Voxels() {
			t.Errorf("%v: %+v: want %d chunks and the plane itself computed", c.plane, p.Cost, c.chunks)
		}
		halo := c.plane.Grow(lazy.Halo{Before: lazy.Index{0, 1, 0, 1, 1}, After: lazy.Index{0, 1, 0, 1, 1}})
		for _, task := range p.Tasks {
			if task.Node.Source != nil && task.Key.Tile.Intersect(halo).Empty() {
				t.Errorf("%v: chunk %v is planned, and neither the plane nor its halo touches it", c.plane, task.Key.Tile)
			}
		}
	}
}

// BenchmarkPlanOfATrillionVoxels plans one plane of 1,000,000 x 1000 x 1000 voxels through a 3x3 mean.
// The bounds are 5 ms and 5 MB an operation, whatever the chunks.
func BenchmarkPlanOfATrillionVoxels(b *testing.B) {
	shape := lazy.Shape{1, 1000000, 1, 1000, 1000}
	for name, chunk := range map[string]lazy.Shape{"chunk=125x1000x1000": {1, 125, 1, 1000, 1000}, "chunk=1x1000x1000": {1, 1, 1, 1000, 1000}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a := lazytest.Array(lazytest.Meta(lazy.I8, shape, chunk), func(lazy.Index) float64 { return 1 })
				a, err := benchMean.Apply(a)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := lazy.Build(lazy.Query{Array: a, Region: shape.Whole().With(lazy.Z, 500000, 500001)}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
