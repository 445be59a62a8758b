package ui

import (
	"image"
	"testing"

	"lamella/viewer"
)

// inks counts the pixels of a picture that are not clear.
func inks(p image.Image) (n int) {
	b := p.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			if _, _, _, a := p.At(x, y).RGBA(); a > 0 {
				n++
			}
		}
	}
	return n
}

func TestNotesAreWrittenOnThePicture(t *testing.T) {
	s := withVolume(t)
	n, size := s.pane.notes, s.pane.size
	if n.wanted() || !n.raster.Hidden {
		t.Error("without notes there are some")
	}
	s.typed('s')
	stamp := inks(n.picture(size.X, size.Y))
	if n.raster.Hidden || stamp < 200 {
		t.Errorf("the stamp takes %d pixels", stamp)
	}
	s.act(viewer.ShowLegend(true))
	if with := inks(n.picture(size.X, size.Y)); with < stamp+1000 {
		t.Errorf("with the colours they take %d pixels", with)
	}
	s.act(viewer.ShowStamp(false))
	s.act(viewer.ShowLegend(false))
	s.act(viewer.ZoomAt(float64(size.X)/2, float64(size.Y)/2, 60/s.session.State().Zoom))
	s.until("the values", func() bool { return len(n.cells) > 0 && len(n.cells[0].Values) == 2 })
	if n.raster.Hidden || inks(n.picture(size.X, size.Y)) < size.X*size.Y/200 {
		t.Error("nothing is written on large voxels")
	}
	s.act(viewer.ShowValues(false))
	s.until("none", func() bool { return n.raster.Hidden })
}

func TestHowAnImageIsShownIsCopiedToAnother(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.SetLUT(0, "Fire"))
	s.act(viewer.SetLimits(0, viewer.Limits{Low: 7, High: 70}))
	s.copyDisplay()
	s.open(dataset(volume{}))
	s.settle()
	s.pasteDisplay()
	if c := s.session.State().Channels[0]; c.LUT != "Fire" || c.Limits != (viewer.Limits{Low: 7, High: 70}) {
		t.Errorf("the other image is shown as %+v", c)
	}
	s.settle()
}
