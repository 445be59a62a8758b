package viewer

import (
	"testing"

	"lamella/lazy"
)

// A size in a unit that the file does not name gives the proportions of the picture, and no micrometres.
func TestSizesInAnUnknownUnitAreProportionsAlone(t *testing.T) {
	f := microns(zyx("unitless", lazy.U8, shape(9, 40, 40), func(z, _, x int) float64 { return float64(z + x) }), 4, 1, 1)
	f.meta.Unit = [lazy.Rank]string{}
	b := open(t, dataset(f), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	if _, known := b.Scene().World(lazy.X, 3); known || b.Scene().Calibrated(lazy.Z) || b.Scene().FileSize(lazy.Z) != 0 {
		t.Error("the size of a voxel is told in micrometres")
	}
	if bar := b.Scene().Bar(b.State()); bar.Pixels > 0 && bar.Label == "20 µm" {
		t.Errorf("a scale bar of %s", bar.Label)
	}
	if a := b.Scene().aspect(lazy.Z); a != 4 {
		t.Errorf("a voxel is %v times as long along z", a)
	}
	b.Act(AddFilter("gaussian"))
	b.Act(SetParam(0, "sigma", "1um"))
	if b.Scene().Fault == nil {
		t.Error("a length in micrometres is taken for known")
	}
}
