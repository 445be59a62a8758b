package viewer

import (
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// An image of 3 time points, 9 planes, 2 channels, 40 rows and 60 columns, at plane 4 of time 1.
func excerpted(t *testing.T) *bench {
	t.Helper()
	f := formula{name: "excerpt", value: func(i lazy.Index) float64 { return float64(i[lazy.Z]) }}
	f.meta = lazy.Meta{Shape: lazy.Shape{3, 9, 2, 40, 60}, Chunk: lazy.Shape{1, 3, 1, 20, 20}, DType: lazy.U16}
	b := open(t, dataset(f), Options{})
	b.Act(Resize(60, 40))
	b.Act(MoveTo(lazy.Z, 4))
	b.Act(MoveTo(lazy.T, 1))
	return b
}

func within(t, z, c, y, x [2]int) (r lazy.Region) {
	for a, span := range [...][2]int{t, z, c, y, x} {
		r.Min[a], r.Max[a] = span[0], span[1]
	}
	return r
}

func TestAnExcerptIsTheVoxelsThatItNames(t *testing.T) {
	all := [5][2]int{{0, 3}, {0, 9}, {0, 2}, {0, 40}, {0, 60}}
	here := [2]int{4, 5}
	now := [2]int{1, 2}
	rectangle := Shape{Kind: Rectangle, Cut: XY, Points: [][2]float64{{9.6, 4.5}, {30.4, 20.5}}}
	standing := Shape{Kind: Rectangle, Cut: XZ, Points: [][2]float64{{9.6, 2}, {30.4, 6}}}
	away := Shape{Kind: Rectangle, Cut: XZ, Points: [][2]float64{{9.6, 6}, {30.4, 8}}}
	choose := func(h Shape) []Action { return []Action{AddShape(h)} }
	for _, c := range []struct {
		name string
		do   []Action
		x    Excerpt
		want lazy.Region
		err  string
	}{
		{name: "the plane on view", want: within(now, here, all[2], all[3], all[4])},
		{name: "a plane across", do: []Action{Turn(XZ), MoveTo(lazy.Y, 7)}, want: within(now, all[1], all[2], [2]int{7, 8}, all[4])},
		{name: "two planes on each side", x: Excerpt{Planes: Span{Reach: Around, Half: 2}}, want: within(now, [2]int{2, 7}, all[2], all[3], all[4])},
		{name: "as many as there are on each side", do: []Action{MoveTo(lazy.Z, 8)}, x: Excerpt{Planes: Span{Reach: Around, Half: 2}}, want: within(now, [2]int{6, 9}, all[2], all[3], all[4])},
		{name: "from one plane to another", x: Excerpt{Planes: Span{Reach: Between, From: 1, To: 6}}, want: within(now, [2]int{1, 7}, all[2], all[3], all[4])},
		{name: "the same, told backwards", x: Excerpt{Planes: Span{Reach: Between, From: 6, To: 1}}, want: within(now, [2]int{1, 7}, all[2], all[3], all[4])},
		{name: "all planes", x: Excerpt{Planes: Span{Reach: Everywhere}}, want: within(now, all[1], all[2], all[3], all[4])},
		{name: "the plane at all times", x: Excerpt{Times: Span{Reach: Everywhere}}, want: within(all[0], here, all[2], all[3], all[4])},
		{name: "the active channel", do: []Action{Activate(1)}, x: Excerpt{Active: true}, want: within(now, here, [2]int{1, 2}, all[3], all[4])},
		{name: "the active channel of several pictures", do: []Action{Activate(1), Arrange(ByChannel)}, x: Excerpt{Active: true}, want: within(now, here, [2]int{1, 2}, all[3], all[4])},
		{name: "what is on view", do: []Action{Zoom(4)}, x: Excerpt{Within: OnView}, want: within(now, here, all[2], [2]int{15, 25}, [2]int{22, 38})},
		{name: "the rectangle that is chosen", do: choose(rectangle), x: Excerpt{Within: Selection}, want: within(now, here, all[2], [2]int{5, 21}, [2]int{10, 31})},
		{name: "no rectangle", x: Excerpt{Within: Selection}, err: "choose a rectangle"},
		{name: "a rectangle of another cut, through the plane", do: choose(standing), x: Excerpt{Within: Selection}, want: within(now, here, all[2], all[3], [2]int{10, 31})},
		{name: "one beside the plane", do: choose(away), x: Excerpt{Within: Selection}, err: "no voxel"},
		{name: "that with all planes", do: choose(away), x: Excerpt{Planes: Span{Reach: Everywhere}, Within: Selection}, want: within(now, [2]int{6, 9}, all[2], all[3], [2]int{10, 31})},
		{name: "a filter that cannot be done", do: []Action{SetChain(parsed(t, "crop x=70:80"))}, err: "is not applied"},
	} {
		b := excerpted(t)
		for _, a := range c.do {
			b.Act(a)
		}
		a, r, err := c.x.Of(b.Scene(), b.State())
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || r != c.want {
			t.Errorf("%s: %v, want %v: %v", c.name, r, c.want, err)
		}
		if a.Node().Hash != b.Scene().Shown[0].Node().Hash {
			t.Errorf("%s: it is of another array than the one on view", c.name)
		}
	}
}

func TestTheSlabOnViewIsOnePlaneWithItsProjectionInTheRecipe(t *testing.T) {
	b := excerpted(t)
	b.Act(AddFilter("mean"))
	b.Act(SetSlab(Slab{"max", 2}))
	x := Excerpt{Slab: true, Planes: Span{Reach: Everywhere}}
	a, r, err := x.Of(b.Scene(), b.State())
	if err != nil || r.Len(lazy.Z) != 1 || r.Min[lazy.Z] != 4 {
		t.Fatalf("it is %v: %v", r, err)
	}
	recipe := x.Recipe(b.Scene(), b.State())
	made, err := parsed(t, recipe).Apply(b.Scene().Raw[0])
	if err != nil || made.Node().Hash != a.Node().Hash {
		t.Errorf("%q makes another array: %v", recipe, err)
	}
	if plain := (Excerpt{}).Recipe(b.Scene(), b.State()); plain != "mean" {
		t.Errorf("without the slab the recipe is %q", plain)
	}
}

// What is planned whole is what then happens; what is reckoned from a part says so.
func TestWhatAnExcerptTakesIsToldBefore(t *testing.T) {
	b := excerpted(t)
	e := engine.New(engine.Options{Memory: 32 << 20, Workers: 1})
	defer e.Close()
	b.Act(AddFilter("mean"))
	a, r, err := Excerpt{Planes: Span{Reach: Around, Half: 1}}.Of(b.Scene(), b.State())
	if err != nil {
		t.Fatal(err)
	}
	f, err := foresee(e, a, r)
	if err != nil || f.Rough || f.CPUKnown {
		t.Fatalf("%+v: %v", f, err)
	}
	_, stats, err := e.Get(t.Context(), a, r, engine.Priority{})
	if err != nil || stats.ChunksRead != f.Chunks || stats.VoxelsComputed != f.Computed || f.Bytes != int64(f.Chunks*3*20*20*2) {
		t.Errorf("%+v was foreseen, and it took %+v: %v", f, stats, err)
	}
	if f, err = foresee(e, a, r); err != nil || !f.CPUKnown || !(f.CPU > 0) {
		t.Errorf("what was measured has no price: %+v, %v", f, err)
	}

	huge := formula{name: "huge", value: func(lazy.Index) float64 { return 0 }}
	huge.meta = lazy.Meta{Shape: lazy.Shape{1, 1 << 20, 1, 1024, 1024}, Chunk: lazy.Shape{1, 64, 1, 256, 256}, DType: lazy.U8}
	a = lazy.FromSource(huge)
	r = huge.meta.Shape.Whole()
	if f, err = foresee(e, a, r); err != nil || !f.Rough || f.Chunks != r.Cells(huge.meta.Chunk) {
		t.Errorf("of %d chunks %+v is foreseen: %v", r.Cells(huge.meta.Chunk), f, err)
	}
}
