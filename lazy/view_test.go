package lazy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A model is an array together with the voxel of the source that stands at each of its own.
type model struct {
	lazy.Array
	from func(lazy.Index) lazy.Index
}

// rearranged applies a random step of the algebra to an array and to its model.
func rearranged(t *rapid.T, m model) model {
	meta := m.Meta()
	ax := lazy.Axis(rapid.IntRange(0, 4).Draw(t, "axis"))
	n := meta.Shape[ax]
	var out lazy.Array
	var err error
	var at func(i lazy.Index) lazy.Index
	along := func(f func(i int) int) func(lazy.Index) lazy.Index {
		return func(i lazy.Index) lazy.Index { i[ax] = f(i[ax]); return i }
	}
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		lo := rapid.IntRange(0, n-1).Draw(t, "from")
		hi := rapid.IntRange(lo+1, n).Draw(t, "to")
		out, err = lazy.Slice(m.Array, ax, lo, hi)
		at = along(func(i int) int { return lo + i })
	case 1:
		k := rapid.IntRange(-n, n-1).Draw(t, "index")
		out, err = lazy.Take(m.Array, ax, k)
		at = along(func(int) int { return (k + n) % n })
	case 2:
		k := rapid.IntRange(1, 4).Draw(t, "every")
		out, err = lazy.Every(m.Array, ax, k)
		at = along(func(i int) int { return k * i })
	case 3:
		out = lazy.Flip(m.Array, ax)
		at = along(func(i int) int { return n - 1 - i })
	case 4:
		order := lazy.Index(rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "order"))
		var axes [lazy.Rank]lazy.Axis
		for a := range axes {
			axes[a] = lazy.Axis(order[a])
		}
		out, err = lazy.Transpose(m.Array, axes)
		at = func(i lazy.Index) (j lazy.Index) {
			for a, b := range order {
				j[b] = i[a]
			}
			return j
		}
	case 5:
		like := meta
		if like.Shape[ax] == 1 {
			like.Shape[ax] = 3
		}
		out, err = lazy.Broadcast(m.Array, like)
		at = along(func(i int) int { return i % n })
	case 6:
		if n > 4 {
			return m
		}
		out, err = lazy.Concat(ax, m.Array, lazy.Flip(m.Array, lazy.X))
		nx := meta.Shape[lazy.X]
		at = func(i lazy.Index) lazy.Index {
			if i[ax] >= n {
				i[ax] -= n
				i[lazy.X] = nx - 1 - i[lazy.X]
			}
			return i
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	before := m.from
	return model{out, func(i lazy.Index) lazy.Index { return before(at(i)) }}
}

func TestTheAlgebraPutsEveryVoxelWhereItSays(t *testing.T) {
	e := engine.New(engine.Options{Workers: 1, Memory: 64 << 20})
	defer e.Close()
	types := lazy.DTypes()
	rapid.Check(t, func(t *rapid.T) {
		d := types[rapid.IntRange(0, len(types)-1).Draw(t, "type")]
		name := func(i lazy.Index) float64 { return float64((i[0]*3+i[1]*7+i[2]*13+i[3]*29+i[4]*53)%120 - 0) }
		m := model{lazytest.Array(lazytest.Meta(d, shape(7).Draw(t, "shape"), shape(5).Draw(t, "chunk")), name), func(i lazy.Index) lazy.Index { return i }}
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			m = rearranged(t, m)
		}
		r := region().Draw(t, "region").Intersect(m.Meta().Shape.Whole())
		if r.Empty() {
			r = m.Meta().Shape.Whole()
		}
		b, stats, err := e.Get(context.Background(), m.Array, r, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		lazytest.Each(r, func(i lazy.Index) {
			if got, want := b.Value(i), name(m.from(i)); got != want {
				t.Fatalf("voxel %v is %v, want that at %v, %v", i, got, m.from(i), want)
			}
		})
		if stats.VoxelsComputed < stats.VoxelsNeeded && stats.CacheHits == 0 {
			t.Fatalf("%d voxels computed of %d needed", stats.VoxelsComputed, stats.VoxelsNeeded)
		}
	})
}

func must(a lazy.Array, err error) lazy.Array {
	if err != nil {
		panic(err)
	}
	return a
}

func TestWhatIsAskedOfTheInputIsWhatIsSeenOfIt(t *testing.T) {
	stack := lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 50, 2, 60, 70}, lazy.Shape{1, 10, 1, 20, 30}), nil)
	ask := lazy.At(lazy.Index{0, 3, 0, 4, 5}, lazy.Shape{1, 2, 1, 3, 4})
	for name, c := range map[string]struct {
		a    lazy.Array
		ask  lazy.Region
		want lazy.Region
	}{
		"a slice asks for what lies behind it":                  {must(lazy.Slice(stack, lazy.Y, 10, 40)), ask, ask.With(lazy.Y, 14, 17)},
		"a slice may count from the end":                        {must(lazy.Slice(stack, lazy.Y, -20, lazy.End)), ask, ask.With(lazy.Y, 44, 47)},
		"one index asks for one":                                {must(lazy.Take(stack, lazy.X, -1)), ask.With(lazy.X, 0, 1), ask.With(lazy.X, 69, 70)},
		"a stride asks for the box from first to last":          {must(lazy.Every(stack, lazy.X, 10)), ask.With(lazy.X, 2, 5), ask.With(lazy.X, 20, 41)},
		"one voxel of a stride asks for one":                    {must(lazy.Every(stack, lazy.Z, 10)), ask.With(lazy.Z, 3, 4), ask.With(lazy.Z, 30, 31)},
		"what is mirrored is asked for at the other end":        {lazy.Flip(stack, lazy.X), ask, ask.With(lazy.X, 61, 65)},
		"what is transposed is asked for with its axes swapped": {lazy.SwapAxes(stack, lazy.Z, lazy.X), ask, ask.With(lazy.Z, 5, 9).With(lazy.X, 3, 5)},
		"what is repeated is asked for once":                    {must(lazy.Broadcast(must(lazy.Take(stack, lazy.Y, 9)), stack.Meta())), ask, ask.With(lazy.Y, 9, 10)},
		"a view of a view asks what the first shows": {must(lazy.Take(lazy.SwapAxes(must(lazy.Every(stack, lazy.Z, 5)), lazy.Z, lazy.Y), lazy.Y, 2)),
			ask.With(lazy.Y, 0, 1), ask.With(lazy.Z, 10, 11).With(lazy.Y, 3, 5)},
	} {
		n := c.a.Node()
		if need := n.Op.Need(c.ask, n.InMetas()); len(n.In) != 1 || n.In[0] != stack.Node() || need[0] != c.want {
			t.Errorf("%s: %v asks for %v, want %v", name, c.ask, need, c.want)
		}
	}
	both := must(lazy.Concat(lazy.Z, stack, stack)).Node()
	for r, want := range map[lazy.Region][]lazy.Region{
		ask.With(lazy.Z, 3, 5):   {ask.With(lazy.Z, 3, 5), {}},
		ask.With(lazy.Z, 50, 52): {{}, ask.With(lazy.Z, 0, 2)},
		ask.With(lazy.Z, 48, 51): {ask.With(lazy.Z, 48, 50), ask.With(lazy.Z, 0, 1)},
	} {
		if need := both.Op.Need(r, both.InMetas()); !slices.Equal(need, want) {
			t.Errorf("of two stacks, %v needs %v, want %v", r, need, want)
		}
	}
}

func TestAViewKnowsWhereItLies(t *testing.T) {
	m := lazy.Meta{
		Shape: lazy.Shape{4, 50, 2, 60, 70}, Chunk: lazy.Shape{1, 10, 1, 20, 30}, DType: lazy.U16, Labels: true,
		Scale: [5]float64{2, 0.5, 0, 0.1, 0.2}, Unit: [5]string{"s", "um", "", "um", "um"}, Origin: [5]float64{0, 10, 0, 1, 2},
	}
	stack := lazy.FromSource(lazytest.New(m, nil))
	crop := must(lazy.Slice(stack, lazy.Z, 20, 25)).Meta()
	every := must(lazy.Every(stack, lazy.X, 4)).Meta()
	turned := lazy.SwapAxes(stack, lazy.T, lazy.X).Meta()
	row := must(lazy.Take(stack, lazy.Y, 30))
	again := must(lazy.Broadcast(row, m)).Meta()
	flipped := lazy.Flip(stack, lazy.X).Meta()
	for name, ok := range map[string]bool{
		"the origin of a crop moves by voxels of its scale":      crop.Origin == [5]float64{0, 20, 0, 1, 2} && crop.Scale == m.Scale,
		"its chunk is no longer than it is":                      crop.Chunk == lazy.Shape{1, 5, 1, 20, 30} && crop.Shape == lazy.Shape{4, 5, 2, 60, 70},
		"a stride of 4 makes voxels 4 times as far apart":        every.Scale[lazy.X] == 0.8 && every.Shape[lazy.X] == 18 && every.Chunk[lazy.X] == 8,
		"and leaves the first where it was":                      every.Origin == m.Origin,
		"scale, unit, origin and chunk follow their axis":        turned.Scale[lazy.T] == 0.2 && turned.Unit[lazy.T] == "um" && turned.Origin[lazy.T] == 2 && turned.Chunk[lazy.T] == 30 && turned.Unit[lazy.X] == "s",
		"names of objects stay names":                            crop.Labels && every.Labels && turned.Labels,
		"what is repeated lies as what it is repeated for":       again.Scale == m.Scale && again.Origin == m.Origin && again.Shape == m.Shape && again.Chunk == m.Chunk,
		"one row knows its place":                                row.Meta().Origin[lazy.Y] == 1+30*0.1,
		"a mirrored image lies where the image lies":             flipped.Origin == m.Origin && flipped.Scale == m.Scale,
		"stacked channels keep all but their number":             must(lazy.Concat(lazy.C, stack, stack)).Meta().Shape[lazy.C] == 4 && must(lazy.Concat(lazy.C, stack, stack)).Meta().Scale == m.Scale,
		"a scale that arrays do not agree on is not known":       must(lazy.Concat(lazy.C, must(lazy.Slice(stack, lazy.X, 0, 18)), must(lazy.Every(stack, lazy.X, 4)))).Meta().Scale[lazy.X] == 0,
		"twice transposed, twice mirrored: the array itself":     lazy.SwapAxes(lazy.SwapAxes(stack, lazy.Z, lazy.X), lazy.Z, lazy.X).Node() == stack.Node() && lazy.Flip(lazy.Flip(stack, lazy.Z), lazy.Z).Node() == stack.Node(),
		"one stack alone is itself":                              must(lazy.Concat(lazy.C, stack)).Node() == stack.Node(),
		"the same voxels by another way have the same key":       must(lazy.Take(lazy.SwapAxes(stack, lazy.Y, lazy.X), lazy.Y, 9)).Node().Hash == lazy.SwapAxes(must(lazy.Take(stack, lazy.X, 9)), lazy.Y, lazy.X).Node().Hash,
		"other voxels have another":                              must(lazy.Take(stack, lazy.X, 9)).Node().Hash != must(lazy.Take(stack, lazy.X, 10)).Node().Hash,
		"so have arrays stacked in another order or along y":     distinct(stack, row),
		"one voxel is the same however it was strided to":        must(lazy.Every(stack, lazy.C, 2)).Node().Hash == must(lazy.Take(stack, lazy.C, 0)).Node().Hash,
		"a crop of everything is the array, from 0 up to End":    must(lazy.Slice(stack, lazy.X, 0, lazy.End)).Node() == stack.Node(),
		"and the same counted from the end":                      must(lazy.Slice(stack, lazy.X, -70, 70)).Node() == stack.Node(),
		"every voxel is every first":                             must(lazy.Every(stack, lazy.X, 1)).Node() == stack.Node(),
		"what has the shape already is broadcast to itself":      must(lazy.Broadcast(stack, m)).Node() == stack.Node(),
		"the part of a part is a part, and one step of a recipe": must(lazy.Slice(must(lazy.Slice(stack, lazy.X, 10, 30)), lazy.X, 5, 6)).Node().Hash == must(lazy.Take(stack, lazy.X, 15)).Node().Hash,
	} {
		if !ok {
			t.Error("not so:", name)
		}
	}
}

func distinct(a, b lazy.Array) bool {
	one := must(lazy.Take(a, lazy.Y, 3))
	x, y := must(lazy.Concat(lazy.C, one, b)), must(lazy.Concat(lazy.C, b, one))
	return x.Node().Hash != y.Node().Hash && x.Node().Hash != must(lazy.Concat(lazy.Y, one, b)).Node().Hash
}

func TestTheAlgebraRefusesWhatDoesNotExist(t *testing.T) {
	array := func(d lazy.DType, s lazy.Shape) lazy.Array { return lazytest.Array(lazytest.Meta(d, s, s), nil) }
	a := array(lazy.U8, lazy.Shape{1, 5, 1, 6, 7})
	for want, got := range map[string]func() (lazy.Array, error){
		"lazy: cropping: t=0:1 z=0:5 c=0:1 y=0:6 x=3:8 is not a region within t=0:1 z=0:5 c=0:1 y=0:6 x=0:7": func() (lazy.Array, error) {
			return lazy.Crop(a, a.Meta().Shape.Whole().With(lazy.X, 3, 8))
		},
		"lazy: slicing z: expected some voxels of 0:5 (or from -5 on, counted from the end), found 3:9": func() (lazy.Array, error) { return lazy.Slice(a, lazy.Z, 3, 9) },
		"lazy: slicing z: expected some voxels of 0:5 (or from -5 on, counted from the end), found 3:2": func() (lazy.Array, error) { return lazy.Slice(a, lazy.Z, 3, 2) },
		"lazy: slicing z: expected some voxels of 0:5 (or from -5 on, counted from the end), found -6:": func() (lazy.Array, error) { return lazy.Slice(a, lazy.Z, -6, lazy.End) },
		"lazy: taking x=7: expected an index of 7 voxels: 0 to 6, or -7 to -1 from the end":             func() (lazy.Array, error) { return lazy.Take(a, lazy.X, 7) },
		"lazy: taking x=-8: expected an index of 7 voxels: 0 to 6, or -7 to -1 from the end":            func() (lazy.Array, error) { return lazy.Take(a, lazy.X, -8) },
		"lazy: taking every 0-th voxel along y: expected 1 or more":                                     func() (lazy.Array, error) { return lazy.Every(a, lazy.Y, 0) },
		"lazy: transposing: expected t, z, c, y and x in some order, found [t z c x x]":                 func() (lazy.Array, error) { return lazy.Transpose(a, [5]lazy.Axis{0, 1, 2, 4, 4}) },
		"lazy: broadcasting 1x5x1x6x7 to 1x5x1x6x9: expected a length of 1 or 9 along x, found 7":       func() (lazy.Array, error) { return lazy.Broadcast(a, array(lazy.U8, lazy.Shape{1, 5, 1, 6, 9}).Meta()) },
		"lazy: concatenating: expected an array or more, found none":                                    func() (lazy.Array, error) { return lazy.Concat(lazy.C) },
		"lazy: concatenating along c: array 2 is uint16, and the first uint8: cast one of them":         func() (lazy.Array, error) { return lazy.Concat(lazy.C, a, array(lazy.U16, lazy.Shape{1, 5, 1, 6, 7})) },
		"lazy: concatenating along c: array 3 has 4 voxels along z, and the first 5": func() (lazy.Array, error) {
			return lazy.Concat(lazy.C, a, a, array(lazy.U8, lazy.Shape{1, 4, 2, 6, 7}))
		},
	} {
		if _, err := got(); err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

func TestTilesAboveATranspositionAreTransposed(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4096, 1, 2048, 4096}, lazy.Shape{1, 64, 1, 64, 64})
	sum := must(lazy.Apply(lazytest.BoxSum{Halo: lazy.Halo{Before: lazy.Index{0, 1}}}, lazytest.Array(m, nil)))
	turned := lazy.SwapAxes(sum, lazy.Z, lazy.X)
	for name, c := range map[string]struct {
		ask   lazy.Region
		tiles map[lazy.Shape]int // of the sum
	}{
		"a plane needs the same plane seen from the side":        {lazy.At(lazy.Index{0, 100}, lazy.Shape{1, 1, 1, 512, 1024}), map[lazy.Shape]int{{1, 512, 1, 256, 1}: 4}},
		"a slab needs a slab standing, not a sliver of many":     {lazy.At(lazy.Index{0, 96}, lazy.Shape{1, 8, 1, 512, 1024}), map[lazy.Shape]int{{1, 512, 1, 256, 8}: 4}},
		"of a mirrored slab every tile meets two, whole as well": {lazy.At(lazy.Index{0, 96}, lazy.Shape{1, 8, 1, 256, 512}), map[lazy.Shape]int{{1, 512, 1, 256, 8}: 1}},
	} {
		p, err := lazy.Build(lazy.Query{Array: turned, Region: c.ask}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tiles := map[lazy.Shape]int{}
		for _, task := range p.Tasks {
			if task.Node == sum.Node() {
				tiles[task.Key.Tile.Shape()]++
			}
		}
		if len(tiles) != len(c.tiles) {
			t.Errorf("%s: tiles %v, want %v", name, tiles, c.tiles)
		}
		for s, n := range c.tiles {
			if tiles[s] != n {
				t.Errorf("%s: tiles %v, want %v", name, tiles, c.tiles)
			}
		}
		if p.Cost.VoxelsComputed != 2*c.ask.Voxels() || p.Cost.VoxelsNeeded != 2*c.ask.Voxels() {
			t.Errorf("%s: %d voxels computed, %d needed, want %d", name, p.Cost.VoxelsComputed, p.Cost.VoxelsNeeded, 2*c.ask.Voxels())
		}
	}
}

func TestAStrideAlongZComputesNoPlaneBetween(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 100, 1, 512, 512}, lazy.Shape{1, 10, 1, 512, 512})
	sum := must(lazy.Apply(lazytest.BoxSum{}, lazytest.Array(m, nil)))
	tenth := must(lazy.Every(sum, lazy.Z, 10))
	whole := tenth.Meta().Shape.Whole()
	p, err := lazy.Build(lazy.Query{Array: tenth, Region: whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * whole.Voxels(); p.Cost.VoxelsComputed != want || p.Cost.VoxelsNeeded != want || p.Cost.Chunks != 10 {
		t.Errorf("%+v: want %d voxels", p.Cost, want)
	}
}

func TestOneAxisOfAnyLengthIsPlannedAtOnce(t *testing.T) {
	stack := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 1000000, 1, 1000, 1000}, lazy.Shape{1, 1, 1, 1000, 1000}), nil)
	side := lazy.SwapAxes(lazy.Flip(stack, lazy.Z), lazy.Z, lazy.Y)
	p, err := lazy.Build(lazy.Query{Array: side, Region: lazy.At(lazy.Index{0, 7, 0, 500000}, lazy.Shape{1, 1, 1, 100, 1000})}, nil)
	if err != nil || p.Cost.Chunks != 256 && p.Cost.Chunks != 512 {
		t.Errorf("%+v, %v", p.Cost, err)
	}
	if s := side.Node().Op.Name(); !strings.Contains(s, "view") {
		t.Errorf("named %q", s)
	}
}

// With a budget that holds no tile with all that it needs, pieces are computed one by one, by the same layout.
func TestATransposedPlaneComesOutOfASmallBudget(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 40, 1, 50, 60}, lazy.Shape{1, 20, 1, 50, 60})
	sum := must(lazy.Apply(lazytest.BoxSum{Halo: lazy.Halo{Before: lazy.Index{0, 1}, After: lazy.Index{0, 1}}}, lazytest.Array(m, value64)))
	turned := lazy.SwapAxes(lazy.Flip(sum, lazy.X), lazy.Z, lazy.X)
	plane := turned.Meta().Shape.Whole().With(lazy.Z, 7, 8)
	get := func(memory int64) []float64 {
		e := engine.New(engine.Options{Workers: 2, Memory: memory})
		defer e.Close()
		b, _, err := e.Get(context.Background(), turned, plane, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		return lazytest.Values(b)
	}
	if !slices.Equal(get(64<<20), get(400<<10)) {
		t.Error("a small budget gives other voxels")
	}
}

func value64(i lazy.Index) float64 { return float64(i[lazy.Z]*31 + i[lazy.Y]*7 + i[lazy.X]) }
