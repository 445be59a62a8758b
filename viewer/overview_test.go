package viewer

import (
	"image"
	"testing"

	"lamella/lazy"
)

func TestTheWholePlaneStandsSmallWhileAPartIsOnView(t *testing.T) {
	b := open(t, dataset(zyx("wide", lazy.U8, shape(2, 100, 200), func(_, y, x int) float64 { return float64(x) })), Options{})
	b.Act(Resize(400, 200))
	b.Act(SetLimits(0, Limits{0, 199}))
	b.SetOverview(100)
	b.settled()
	if _, _, _, ok := b.Overview(); ok {
		t.Error("the whole plane is on view, and there is an overview")
	}
	b.Act(ZoomAt(400, 200, 4)) // the lower right corner stays
	var small *Frame
	b.until("the overview", func(*Frame, Report) bool {
		f, size, seen, ok := b.Overview()
		if !ok || size != image.Pt(100, 50) || seen.Min != image.Pt(75, 37) || seen.Max != image.Pt(100, 50) {
			t.Fatalf("%v, %v, %v", size, seen, ok)
		}
		small = f
		return f != nil && !f.Partial && !f.Stale
	})
	for _, x := range []int{0, 50, 99} { // two voxels a pixel
		if got, want := int(small.Image.RGBAAt(x, 25).R), 2*x*255/199; got < want-4 || got > want+4 {
			t.Errorf("pixel %d is %d, want about %d", x, got, want)
		}
	}
	b.Act(CenterOn(20, 30))
	if c := b.State().Center; c[lazy.X] != 20 || c[lazy.Y] != 30 {
		t.Errorf("the middle is %v", c)
	}
	b.Act(ShowOverview(false))
	if _, _, _, ok := b.Overview(); ok {
		t.Error("switched off, it is still there")
	}
	b.Act(ShowOverview(true))
	b.Act(Fit())
	if _, _, _, ok := b.Overview(); ok {
		t.Error("with the whole plane on view again it is still there")
	}
}

func TestALargePlaneIsNotReadForItsOverview(t *testing.T) {
	f := zyx("large", lazy.U8, shape(10000, 10000), func(y, x, _ int) float64 { return 0 })
	f.meta.Chunk = shape(256, 256)
	b := open(t, dataset(f), Options{})
	b.SetOverview(100)
	b.Act(SetLimits(0, Limits{0, 1}))
	b.Act(func(_ *Scene, s State) State {
		s.Size, s.Fitted, s.Zoom = image.Pt(64, 64), false, 1
		return s
	})
	b.settled()
	if f, size, seen, ok := b.Overview(); !ok || f != nil || size != image.Pt(100, 100) || seen.Dx() > 3 {
		t.Errorf("%v, %v, %v", size, seen, ok)
	}
}

func TestChunksSayHowFarTheyHaveCome(t *testing.T) {
	f := steps()
	f.meta.Chunk = shape(2, 4, 5)
	b := open(t, dataset(f), Options{})
	b.Act(Resize(80, 64))
	b.settled()
	if len(b.report.Chunks) != 0 {
		t.Error("nobody asked for chunks")
	}
	b.Act(ShowChunks(true))
	states := func(want ChunkState) func(*Frame, Report) bool {
		return func(*Frame, Report) bool {
			for _, c := range b.report.Chunks {
				if c.State != want {
					return false
				}
			}
			return len(b.report.Chunks) == 4
		}
	}
	b.until("the chunks", states(Shown))
	if c := b.report.Chunks[3]; c.Across != [2]float64{4.5, 9.5} || c.Down != [2]float64{3.5, 7.5} {
		t.Errorf("the last chunk is %v", c)
	}
	raw := b.Scene().Raw[0]
	b.Act(AddFilter("mean"))
	b.settled()
	sc, s := b.Scene(), b.State()
	filtered := sc.Shown[0]
	for _, c := range []struct {
		there []lazy.Array
		want  ChunkState
	}{{nil, Stored}, {[]lazy.Array{raw}, Read}, {[]lazy.Array{raw, filtered}, Shown}} {
		for _, cell := range sc.chunks(s, func(a lazy.Array, _ lazy.Region) bool {
			for _, k := range c.there {
				if k.Node().Hash == a.Node().Hash {
					return true
				}
			}
			return false
		}) {
			if cell.State != c.want {
				t.Errorf("with %d arrays there a chunk is %d, want %d", len(c.there), cell.State, c.want)
			}
		}
	}
}
