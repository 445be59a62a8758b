package viewer

import (
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

// An image without coarser levels has one to stand in for what its filters make, in the place of the finest: a ramp
// that is smoothed is the ramp.
func TestAFilteredPlaneHasAPreviewWithoutAPyramid(t *testing.T) {
	chain, err := filters.Parse("mean size=3")
	if err != nil {
		t.Fatal(err)
	}
	f := zyx("ramp", lazy.U16, shape(3, 512, 512), func(_, y, x int) float64 { return float64(64*y + 32*x) })
	for _, calibrated := range []bool{false, true} {
		if calibrated {
			f = microns(f, 1, 0.2, 0.2)
		}
		sc, err := NewScene(dataset(f), 0, chain)
		if err != nil {
			t.Fatal(err)
		}
		s := act(sc, opening(sc, 0, State{}), Resize(512, 512), SetLimits(0, Limits{0, 65535}))
		level, ok := sc.preview(sc.level(s))
		if !ok || level != 1 || sc.levels() != 1 {
			t.Fatalf("the preview is level %d of %d, %v", level, sc.levels(), ok)
		}
		q, ok := sc.requestAt(s, 0, level)
		if !ok || !q.Preview || q.Region.Voxels() != 128*128 {
			t.Fatalf("it asks for %v", q.Region)
		}
		got := draw(t, sc, s, level)
		for _, at := range [][2]int{{8, 8}, {100, 400}, {256, 256}, {500, 12}} {
			value := float64(64*at[1] + 32*at[0])
			if g, want := got.RGBAAt(at[0], at[1]).R, uint8(value/65535*255+0.5); g != want {
				t.Errorf("calibrated %v: voxel %v is %d in the preview, want %d", calibrated, at, g, want)
			}
		}
	}
	for name, chain := range map[string]string{"nothing to compute": "", "another shape": "project axis=z"} {
		c, err := filters.Parse(chain)
		if err != nil {
			t.Fatal(err)
		}
		sc, err := NewScene(dataset(f), 0, c)
		if err != nil {
			t.Fatal(err)
		}
		if level, ok := sc.preview(0); ok {
			t.Errorf("%s: the preview is level %d", name, level)
		}
	}
}

// While the chain cannot be done the picture before it stands, with its preview.
func TestThePreviewStandsWithThePicture(t *testing.T) {
	f := zyx("plain", lazy.U8, shape(1, 300, 300), func(_, y, x int) float64 { return float64(x % 200) })
	b := open(t, dataset(f), Options{})
	b.Act(Resize(100, 100))
	b.Act(AddFilter("sobel"))
	b.settled()
	b.Act(SetParam(0, "norm", "l7"))
	if sc := b.Scene(); sc.Fault == nil || len(sc.Raw) != len(sc.Shown) {
		t.Errorf("%d levels of %d stand, fault %v", len(sc.Shown), len(sc.Raw), sc.Fault)
	}
	b.Hover(50, 50)
	b.Act(SetParam(0, "norm", ""))
	b.settled()
}
