package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

// cells are labels on the voxels of volume, in columns of eight.
type cells struct{}

func (cells) Meta() lazy.Meta {
	m := volume{}.Meta()
	m.Shape[lazy.T], m.Shape[lazy.C], m.Chunk, m.Labels = 1, 1, lazy.Shape{1, 9, 1, 48, 64}, true
	return m
}

func (cells) ID() string { return "ui test cells" }

func (cells) Read(_ context.Context, dst *lazy.Block) (int64, error) {
	out := lazy.View[uint16](dst)
	n := 0
	for at := range dst.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if i := at.Min; i[lazy.Y] < 40 {
			out[n] = uint16(i[lazy.X] / 8)
		}
		n++
	}
	return int64(2 * n), nil
}

func TestAListingSaysHowLongItGoesOn(t *testing.T) {
	english(t)
	for _, c := range []struct {
		done, total int
		gone        time.Duration
		want        string
	}{
		{0, 40, 5 * time.Second, "0 of 40 parts · Esc stops"},
		{10, 40, 300 * time.Millisecond, "10 of 40 parts · Esc stops"}, // too soon to tell
		{10, 40, 5 * time.Second, "10 of 40 parts  15 s · Esc stops"},
		{40, 40, 5 * time.Second, "40 of 40 parts · Esc stops"},
	} {
		if got := listing(c.done, c.total, c.gone); got != c.want {
			t.Errorf("%d of %d after %v: %q, want %q", c.done, c.total, c.gone, got, c.want)
		}
	}
}

// Of an image of several channels, with no labels over it, the chosen channel is taken for labels, and that is said.
func TestObjectsOfAChannelAreListed(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.act(viewer.MoveTo(lazy.C, 1))
	s.ToggleObjects()
	if got := s.objects.about.words; !strings.HasPrefix(got, "Listing takes channel "+s.session.State().Channels[1].Name+" as labels") {
		t.Errorf("before anything is read it says %q", got)
	}
}

// Labels that belong to the image are not passed over for a channel of it because they are not seen yet.
func TestAListOfObjectsIsOfTheLabelsThatBelongToTheImage(t *testing.T) {
	english(t)
	s := newStage(t)
	set := dataset(volume{})
	set.Images = append(set.Images, lazy.Image{Name: "cells", Levels: []lazy.Level{{Array: lazy.FromSource(cells{})}}})
	s.open(set)
	s.settle()
	s.ToggleObjects()
	if got := s.objects.about.words; !s.session.State().Overlay.On || !strings.Contains(got, "of labels") {
		t.Errorf("labels lie over the picture: %v; it says %q", s.session.State().Overlay.On, got)
	}
	s.typed('w')
	if got := s.objects.about.words; s.session.State().Overlay.On || !strings.HasPrefix(got, "Listing takes channel") {
		t.Errorf("taken away, labels lie over the picture: %v; it says %q", s.session.State().Overlay.On, got)
	}
}

func TestObjectsAreListedSortedAndGoneTo(t *testing.T) {
	english(t)
	s := newStage(t)
	set := dataset(volume{})
	set.Images = append(set.Images, lazy.Image{Name: "cells", Levels: []lazy.Level{{Array: lazy.FromSource(cells{})}}})
	s.open(set)
	s.settle()
	s.typed('w')
	if !s.session.State().Overlay.On {
		t.Fatal("W lays no labels over the picture")
	}
	if s.looking.over.Hidden || s.looking.labels.Selected != "cells" {
		t.Errorf("the panel shows %q", s.looking.labels.Selected)
	}
	s.ToggleObjects()
	if got := s.objects.about.words; !strings.Contains(got, "1 chunk of labels (54 kB)") || !strings.Contains(got, "18 of the image (108 kB)") {
		t.Errorf("before anything is read it says %q", got)
	}
	s.objects.list.OnTapped()
	s.until("the objects", func() bool { return len(s.objects.rows) == 7 })
	if got := strings.Join(s.objects.texts(s.objects.rows[0]), "|"); got != "1|2,880|14.4|12.5|20.5|5.0|9–16  1–40  1–9|485|340|630|890|500|1280" {
		t.Errorf("the first is %s", got)
	}
	s.objects.head.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) // by the label, the other way round
	if s.objects.rows[0].Label != 7 {
		t.Errorf("the first is %d", s.objects.rows[0].Label)
	}
	s.objects.table.OnSelected(0)
	if at := s.session.State(); at.At[lazy.X] != 60 || at.At[lazy.Y] != 20 || at.Overlay.Object != 7 {
		t.Errorf("went to %v of %d", at.At, at.Overlay.Object)
	}
	s.act(viewer.AddFilter("gaussian"))
	if got := s.objects.about.words; !strings.Contains(got, "Something else is on view") || !strings.Contains(got, "computes the filters") {
		t.Errorf("with a filter the table says %q", got)
	}
}
