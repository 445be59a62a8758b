package viewer

import (
	"context"
	"testing"

	"lamella/lazy"
)

// Labels are part of an exported picture, and of a session.
func TestLabelsAreInPicturesAndSessions(t *testing.T) {
	set := labelled()
	b := open(t, set, Options{})
	b.Act(Resize(210, 150))
	b.Act(LayOver(1))
	b.Act(SetOverlayOpacity(1))
	b.settled()
	with, err := Picture(context.Background(), b.engine, b.Scene(), b.State(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Act(FlipOverlay())
	without, err := Picture(context.Background(), b.engine, b.Scene(), b.State(), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Columns that add up to a multiple of 5 with their row have no label; voxels are twice as tall as wide.
	at := func(x, y int) int { return with.PixOffset(x, 2*y) }
	for _, c := range []struct {
		x, y     int
		labelled bool
	}{{1, 1, true}, {2, 3, false}, {10, 4, true}, {11, 4, false}} {
		i := at(c.x, c.y)
		if same := [3]uint8(with.Pix[i:i+3]) == [3]uint8(without.Pix[i:i+3]); same == c.labelled {
			t.Errorf("voxel %d, %d is %v with labels and %v without", c.x, c.y, with.Pix[i:i+3], without.Pix[i:i+3])
		}
	}
	b.Act(FlipOverlay())
	b.Act(OutlineOverlay(true))
	b.Act(ChooseObject(7))
	text, err := Saved{Sources: []string{"a"}, State: b.State()}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	saved, err := DecodeSaved(text)
	if err != nil {
		t.Fatal(err)
	}
	again := openWith(t, labelled(), Options{}, func(set *lazy.Dataset, o Options) (*Session, error) { return Restore(set, saved.State, o) })
	if got, want := again.State().Overlay, b.State().Overlay; got != want || again.Scene().over == nil {
		t.Errorf("opened again the labels are %+v, want %+v", got, want)
	}
}
