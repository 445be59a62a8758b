package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// asksData opens the dialog and gives its form, and what it is answered with.
func (s *stage) asksData(folder string) (f *excerptForm, got *[]viewer.Excerpt, paths *[]string) {
	s.Helper()
	got, paths = new([]viewer.Excerpt), new([]string)
	f = s.askData(folder, func(x viewer.Excerpt) string {
		if x == (viewer.Excerpt{}) {
			return "a_z5"
		}
		return "a_part"
	}, []string{".tif", ".npy"}, func(x viewer.Excerpt, path string, _ bool) {
		*got, *paths = append(*got, x), append(*paths, path)
	})
	return f, got, paths
}

func TestVoxelsAreAskedFor(t *testing.T) {
	english(t)
	s := withVolume(t) // 2 time points, 9 planes, 2 channels of 48 by 64
	dir := t.TempDir()
	f, got, paths := s.asksData(dir)
	reach := func(row *spanRow, n int, lines ...string) {
		row.reach.SetSelectedIndex(n)
		for i, text := range lines {
			[]*dialogEntry{row.from, row.to}[i].SetText(text)
		}
	}
	for _, c := range []struct {
		name string
		do   func()
		size string
		file string
	}{
		{"the plane on view", func() {}, "C 2 × Y 48 × X 64 · uint16 · 12 kB", "a_z5.tif"},
		{"planes around it", func() { reach(f.planes, 1, "2") }, "Z 5 × C 2 × Y 48 × X 64 · uint16 · 60 kB", "a_part.tif"},
		{"with the sign", func() { reach(f.planes, 1, "± 3") }, "Z 7 × C 2 × Y 48 × X 64 · uint16 · 84 kB", "a_part.tif"},
		{"from plane to plane", func() { reach(f.planes, 2, "2", "7") }, "Z 6 × C 2 × Y 48 × X 64 · uint16 · 72 kB", "a_part.tif"},
		{"by their places", func() { reach(f.planes, 2, "0.5 µm", "1.5 µm") }, "Z 3 × C 2 × Y 48 × X 64 · uint16 · 36 kB", "a_part.tif"},
		{"one channel", func() { f.whose.SetSelectedIndex(1) }, "Z 3 × Y 48 × X 64 · uint16 · 18 kB", "a_part.tif"},
		{"all times", func() { reach(f.times, 3) }, "T 2 × Z 3 × Y 48 × X 64 · uint16 · 36 kB", "a_part.tif"},
		{"no number", func() { reach(f.planes, 2, "two", "7") }, "Z: write numbers from 1 to 9, or places such as 16.5 µm.", "a_part.tif"},
		{"the plane again", func() { reach(f.planes, 0); reach(f.times, 0); f.whose.SetSelectedIndex(0) }, "C 2 × Y 48 × X 64 · uint16 · 12 kB", "a_z5.tif"},
		{"a shape that nobody chose", func() { f.within.SetSelectedIndex(2) }, "choose a rectangle, an ellipse or a polygon first", "a_z5.tif"},
	} {
		c.do()
		if f.size.words != c.size || f.file.Text != c.file {
			t.Errorf("%s: %s says %q, want %s with %q", c.name, f.file.Text, f.size.words, c.file, c.size)
		}
	}
	s.written()
	if len(*got) != 0 || len(s.dialogs) != 1 {
		t.Fatal("what cannot be is written")
	}
	f.within.SetSelectedIndex(0)
	f.file.SetText("mine.npy")
	reach(f.planes, 1, "1")
	if f.file.Text != "mine.npy" {
		t.Errorf("a name that was written became %q", f.file.Text)
	}
	if !strings.HasPrefix(f.toll.words, "Reads 6 chunks, 36 kB") {
		t.Errorf("what it takes is %q", f.toll.words)
	}
	f.planes.from.OnSubmitted(f.planes.from.Text) // Enter in any line
	want := viewer.Excerpt{Planes: viewer.Span{Reach: viewer.Around, Half: 1}}
	if len(*got) != 1 || (*got)[0] != want || (*paths)[0] != filepath.Join(dir, "mine.npy") {
		t.Errorf("asked for %+v at %v, want %+v", *got, *paths, want)
	}
	if _, err := os.Stat((*paths)[0]); err == nil {
		t.Error("the dialog made the file")
	}
}

func TestTheSlabOnViewMayBeTakenAway(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.SetSlab(viewer.Slab{How: "max", Half: 2}))
	s.settle()
	f, got, _ := s.asksData(t.TempDir())
	f.planes.reach.SetSelectedIndex(len(spanReaches))
	s.written()
	if len(*got) != 1 || !(*got)[0].Slab || (*got)[0].Planes.Reach != viewer.Here {
		t.Errorf("asked for %+v", *got)
	}
}

// A tip lies on the dialog, not behind it.
func TestWhatADialogAsksIsExplainedOnIt(t *testing.T) {
	s := withVolume(t)
	window := s.tips.layer
	f, _, _ := s.asksData(t.TempDir())
	for _, o := range []desktop.Hoverable{f.planes.reach, f.planes.from, f.within, f.whose} {
		o.MouseIn(&desktop.MouseEvent{})
		if len(s.tips.layer.Objects) < 2 || s.tips.layer == window {
			t.Errorf("%T has no tip on the dialog", o)
		}
		o.MouseOut()
	}
	s.dismiss()
	if s.tips.layer != window {
		t.Error("the layer of a dialog that is gone is still used")
	}
}

// Whatever control of a dialog has the focus, Esc closes it, and the arrows go through a choice.
func TestADialogIsLedByKeysAlone(t *testing.T) {
	s := withVolume(t)
	f, _, _ := s.asksData(t.TempDir())
	key := func(o fyne.Focusable, names ...fyne.KeyName) {
		for _, n := range names {
			o.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	for _, c := range []struct {
		keys []fyne.KeyName
		want int
	}{
		{[]fyne.KeyName{fyne.KeyUp}, 0},
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyDown}, 2},
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown}, 3},
		{[]fyne.KeyName{fyne.KeyUp}, 2},
	} {
		if key(f.planes.reach, c.keys...); f.planes.reach.SelectedIndex() != c.want {
			t.Errorf("%v goes to option %d, want %d", c.keys, f.planes.reach.SelectedIndex(), c.want)
		}
	}
	key(f.planes.reach, fyne.KeyEscape)
	if len(s.dialogs) != 0 {
		t.Error("Esc leaves the dialog open")
	}
}

func TestTheFocusIsSeenOnAnyButton(t *testing.T) {
	s := withVolume(t)
	b := s.newDialogButton("Write", nil)
	b.Importance = widget.HighImportance
	look := b.CreateRenderer()
	line := look.Objects()[len(look.Objects())-1]
	if line.Visible() {
		t.Error("a button without the focus has a ring")
	}
	b.FocusGained()
	if look.Refresh(); !line.Visible() {
		t.Error("the focus is not seen")
	}
	b.FocusLost()
	if look.Refresh(); line.Visible() {
		t.Error("the ring stays")
	}
}
