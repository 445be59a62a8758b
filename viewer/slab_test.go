package viewer

import (
	"math"
	"testing"

	"lamella/lazy"
)

// A slab of one plane on each side of plane 2 of a volume whose planes are z² brighter, by hand.
func TestASlabIsAProjectionOfThePlanesAround(t *testing.T) {
	f := zyx("squares", lazy.U16, shape(6, 4, 4), func(z, y, x int) float64 { return float64(100 * z * z) })
	for _, c := range []struct {
		how  string
		z    int
		want string
	}{
		{"max", 2, "900"}, {"min", 2, "100"}, {"mean", 2, "466.66666"}, {"sum", 2, "1400"},
		{"max", 0, "100"}, {"mean", 5, "2050"}, // thinner at the ends
	} {
		b := open(t, dataset(f), Options{})
		b.Act(Resize(64, 64))
		b.Act(MoveTo(lazy.Z, c.z))
		b.Act(SetSlab(Slab{c.how, 1}))
		b.settled()
		b.Hover(32, 32)
		b.until("the value of the slab", func(_ *Frame, r Report) bool {
			return r.Readout.Valid && len(r.Readout.Shown) > 0 && len(r.Readout.Raw) > 0
		})
		if got := b.report.Readout.Shown[0].Text; got != c.want {
			t.Errorf("%s of plane %d and its neighbours is %s, want %s", c.how, c.z, got, c.want)
		}
		if got, want := b.report.Readout.Raw[0].Text, Text(pixel(100*c.z*c.z), 0); got != want {
			t.Errorf("the stored value is %s, want %s", got, want)
		}
	}
}

// pixel is a block of one voxel.
func pixel(v int) *lazy.Block {
	b := lazy.NewBlock(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1}), lazy.U16)
	lazy.View[uint16](b)[0] = uint16(v)
	return b
}

// The next plane of a slab of 2n+1 needs one new plane of each pass of the filter below it, not 2n+1.
func TestANotchWithASlabComputesOneNewPlaneOfTheFilter(t *testing.T) {
	f := zyx("deep", lazy.U16, shape(32, 64, 64), func(z, y, x int) float64 { return float64(z*7%13 + y + x) })
	f.meta.Chunk = shape(1, 64, 64)
	b := open(t, dataset(f), Options{})
	b.Act(Resize(64, 64))
	b.Act(AddFilter("sobel"))
	b.Act(SetSlab(Slab{"max", 4}))
	b.Act(MoveTo(lazy.Z, 10))
	b.settled()
	before := b.report.Cost
	b.Act(MoveTo(lazy.Z, 9)) // against the direction of travel, so nothing was looked ahead
	b.settled()
	after := b.report.Cost
	if plane := 64 * 64; after.VoxelsComputed > before.VoxelsComputed/3 || after.ChunksRead > 1 || after.VoxelsOut != plane {
		t.Errorf("the first plane computed %d voxels, the next %d, with %d chunks read", before.VoxelsComputed, after.VoxelsComputed, after.ChunksRead)
	}
}

func TestASlabRunsAlongTheNormalOfEachPicture(t *testing.T) {
	b := together(t, dataset(steps()), ThreeUp, 100)
	b.Act(SetLimits(0, Limits{0, 600}))
	b.Act(MoveTo(lazy.Z, 2))
	b.Act(MoveTo(lazy.Y, 3))
	b.Act(MoveTo(lazy.X, 4))
	b.Act(SetSlab(Slab{"max", 1}))
	for i, want := range []float64{334, 235, 244} { // at the crosshair one plane, column or row on
		at := b.State().At
		f := b.side(i)
		if got := colorAt(f, at[f.Geometry.Across], at[f.Geometry.Down])[0]; math.Abs(float64(got)-want/600*255) > 1 {
			t.Errorf("picture %d is %d, want %v", i, got, want/600*255)
		}
	}
	b.Act(Thicken(2))
	b.Act(Thicken(-10))
	if s := b.State().Slab; s.Thick() {
		t.Errorf("taken away, the slab is %v", s)
	}
	if !b.Undo() || b.State().Slab != (Slab{"max", 3}) {
		t.Errorf("undone, the slab is %v", b.State().Slab)
	}
}
