package lazy_test

import (
	"context"
	"fmt"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// numbers is a table of two rows and five columns: 0 1 2 3 4 and 10 11 12 13 14.
func numbers() lazy.Array {
	shape := lazy.Shape{1, 1, 1, 2, 5}
	return lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(i lazy.Index) float64 { return float64(10*i[lazy.Y] + i[lazy.X]) })
}

// show prints the rows of an array of one plane.
func show(a lazy.Array, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{})
	defer e.Close()
	b, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, nx := lazytest.Values(b), a.Meta().Shape[lazy.X]
	for y := range a.Meta().Shape[lazy.Y] {
		fmt.Println(v[y*nx : (y+1)*nx])
	}
}

// A plane of a million needs itself and one plane on either side.
func Example() {
	shape := lazy.Shape{1, 1000000, 1, 1000, 1000}
	stack := lazytest.Array(lazytest.Meta(lazy.U8, shape, lazy.Shape{1, 1, 1, 1000, 1000}), nil)
	around := lazy.Index{lazy.Z: 1, lazy.Y: 1, lazy.X: 1}
	sums, err := lazy.Apply(lazytest.BoxSum{Halo: lazy.Halo{Before: around, After: around}}, stack) // nothing is computed
	if err != nil {
		fmt.Println(err)
		return
	}
	plane := shape.Whole().With(lazy.Z, 500000, 500001)
	plan, err := lazy.Build(lazy.Query{Array: sums, Region: plane}, nil)
	fmt.Println(plan.Cost.Chunks, "of", shape[lazy.Z], "chunks;", plan.Cost.VoxelsComputed, "voxels", err)
	// Output: 3 of 1000000 chunks; 1000000 voxels <nil>
}

// Indices count from the end where they are negative, as in NumPy. What does not exist is refused.
func ExampleSlice() {
	show(lazy.Slice(numbers(), lazy.X, 1, -1))
	show(lazy.Slice(numbers(), lazy.X, 3, 9))
	// Output:
	// [1 2 3]
	// [11 12 13]
	// lazy: slicing x: expected some voxels of 0:5 (or from -5 on, counted from the end), found 3:9
}

// An array keeps its five axes: one index leaves an axis of length 1.
func ExampleTake() {
	column, err := lazy.Take(numbers(), lazy.X, -1)
	show(column, err)
	fmt.Println(column.Meta().Shape)
	// Output:
	// [4]
	// [14]
	// 1x1x1x2x1
}

func ExampleEvery() {
	show(lazy.Every(numbers(), lazy.X, 2))
	// Output:
	// [0 2 4]
	// [10 12 14]
}

func ExampleFlip() {
	show(lazy.Flip(numbers(), lazy.X), nil)
	// Output:
	// [4 3 2 1 0]
	// [14 13 12 11 10]
}

func ExampleSwapAxes() {
	show(lazy.SwapAxes(numbers(), lazy.Y, lazy.X), nil)
	// Output:
	// [0 10]
	// [1 11]
	// [2 12]
	// [3 13]
	// [4 14]
}

func ExampleBroadcast() {
	row, _ := lazy.Take(numbers(), lazy.Y, 1)
	show(lazy.Broadcast(row, lazy.Meta{Shape: lazy.Shape{1, 1, 1, 3, 5}}))
	// Output:
	// [10 11 12 13 14]
	// [10 11 12 13 14]
	// [10 11 12 13 14]
}

func ExampleConcat() {
	mirrored := lazy.Flip(numbers(), lazy.X)
	show(lazy.Concat(lazy.X, numbers(), mirrored))
	// Output:
	// [0 1 2 3 4 4 3 2 1 0]
	// [10 11 12 13 14 14 13 12 11 10]
}

// A plan counts what a request touches before anything is read: of a million planes the three that a plane seen
// from the side, a tenth of it, lies in.
func ExampleBuild() {
	shape := lazy.Shape{1, 1000000, 1, 1000, 1000}
	stack := lazytest.Array(lazytest.Meta(lazy.U8, shape, lazy.Shape{1, 1, 1, 1000, 1000}), nil)
	tenth, _ := lazy.Every(stack, lazy.Z, 10)
	side, _ := lazy.Take(lazy.SwapAxes(tenth, lazy.Z, lazy.Y), lazy.Z, 500)
	three := lazy.At(lazy.Index{lazy.Y: 700}, lazy.Shape{1, 1, 1, 3, 1000})
	plan, err := lazy.Build(lazy.Query{Array: side, Region: three}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var planes []int
	for _, task := range plan.Tasks {
		if task.Node.Source != nil {
			planes = append(planes, task.Key.Tile.Min[lazy.Z])
		}
	}
	fmt.Println(plan.Cost.Chunks, planes)
	// Output: 3 [7000 7010 7020]
}
