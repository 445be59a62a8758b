package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
)

// silent is a volume whose file says nothing of sizes, and some things in words.
func silent() *lazy.Dataset {
	set := dataset(volume{})
	img := &set.Images[0]
	m := img.Levels[0].Array.Meta()
	m.Scale, m.Unit = [lazy.Rank]float64{}, [lazy.Rank]string{}
	img.Levels[0].Array = lazy.Restate(img.Levels[0].Array, m)
	img.Order, img.Assumed = lazy.Order{Axes: "tzcyx", Fixed: 2}, "z"
	img.Metadata = []lazy.Entry{{Name: "Image.Pixels.Type", Value: "uint16"}, {Name: "Description", Value: "zebrafish\n24 hpf"}}
	return set
}

func withSilent(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	s.open(silent())
	s.settle()
	return s
}

func (s *stage) enter(f *field, text string) {
	s.win.Canvas().Focus(f)
	f.SetText(text)
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

func TestWhatTheFileDoesNotSayIsUnknownAndCanBeSet(t *testing.T) {
	english(t)
	s := withSilent(t)
	if !strings.Contains(s.subtitle.words, "voxel size unknown: set it…") {
		t.Fatalf("the caption says %q", s.subtitle.words)
	}
	test.Tap(s.subtitle)
	p := s.properties
	if p == nil || s.win.Canvas().Focused() != fyne.Focusable(p.sizes[0].field) {
		t.Fatal("a click on the caption does not lead to the size")
	}
	if got := p.sizes[0].note.words; got != "unknown: set it" {
		t.Errorf("the size says %q", got)
	}
	s.enter(p.sizes[0].field, "wide")
	if got := p.sizes[0].note.words; got != "not a size such as 0.25 µm" {
		t.Errorf("what is no size is told by %q", got)
	}
	s.enter(p.sizes[0].field, "250 nm")
	s.enter(p.sizes[1].field, "0.25")
	if got := p.sizes[0].field.Text + ", " + p.sizes[0].note.words; got != "0.25 µm, edited; file: unknown" {
		t.Errorf("set, it says %q", got)
	}
	if m := s.session.Scene().Meta(); m.Scale[lazy.X] != 0.25 || m.Scale[lazy.Y] != 0.25 {
		t.Errorf("voxels measure %v", m.Scale)
	}
	if !strings.Contains(s.subtitle.words, "16 × 12 µm") || !strings.Contains(s.subtitle.words, "voxel size edited") {
		t.Errorf("the caption says %q", s.subtitle.words)
	}
	test.Tap(p.restore)
	if s.session.Scene().Calibrated(lazy.X) || p.sizes[0].field.Text != "" || !p.restore.Disabled() {
		t.Errorf("restored, the size is %q", p.sizes[0].field.Text)
	}
	s.session.Undo()
	if !s.session.Scene().Calibrated(lazy.X) {
		t.Error("what was restored cannot be undone in one step")
	}
}

func TestAllThatTheFileSaysIsFoundAndCopied(t *testing.T) {
	english(t)
	s := withSilent(t)
	s.Properties()
	p := s.properties
	p.search.SetText("zebra desc")
	if len(p.found) != 1 || p.found[0].Name != "Description" || !strings.HasPrefix(p.count.words, "1 of ") {
		t.Fatalf("found %v, %s", p.found, p.count.words)
	}
	p.list.Select(0)
	if got := fyne.CurrentApp().Clipboard().Content(); got != "zebrafish\n24 hpf" {
		t.Errorf("copied %q", got)
	}
	p.search.SetText("")
	p.copyAll()
	all := fyne.CurrentApp().Clipboard().Content()
	for _, want := range []string{"Shape\tT 2 × Z 9 × C 2 × Y 48 × X 64\n", "Axes\tTZCYX (Z assumed: the file does not say)\n", "Voxel size\tX unknown, Y unknown, Z unknown\n", "Description\tzebrafish 24 hpf\n", "Channel 1\tDAPI, #4060ff\n"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not among\n%s", want, all)
		}
	}
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(s.dialogs) != 0 {
		t.Error("Esc in the list does not close the sheet")
	}
}

func TestAChannelIsRenamedInItsPlaceAndInTheSheet(t *testing.T) {
	english(t)
	s := withVolume(t)
	test.Tap(s.channels.title)
	if !s.channels.naming.Visible() || s.channels.title.Visible() {
		t.Fatal("a click on the name does not write it")
	}
	s.enter(s.channels.naming, "nuclei")
	if s.session.State().Channels[0].Name != "nuclei" || s.channels.naming.Visible() || !strings.Contains(s.channels.title.words, "nuclei") {
		t.Errorf("the title says %q", s.channels.title.words)
	}
	s.channels.rows[1].TypedKey(&fyne.KeyEvent{Name: fyne.KeyF2})
	s.channels.naming.SetText("lost")
	s.channels.naming.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.session.State().Channels[1].Name != "GFP" || s.channels.naming.Visible() {
		t.Errorf("Esc leaves the channel %q", s.session.State().Channels[1].Name)
	}
	s.Properties()
	p := s.properties
	if p.names[0].field.Text != "nuclei" || p.names[0].mark.words != "edited; file: DAPI" {
		t.Errorf("the sheet says %q, %q", p.names[0].field.Text, p.names[0].mark.words)
	}
	s.enter(p.names[0].field, "")
	if p.names[0].field.Text != "DAPI" || s.session.State().Channels[0].Name != "DAPI" {
		t.Errorf("without a name it is %q", p.names[0].field.Text)
	}
}

func TestAnAxisThatIsTakenChangesPlaces(t *testing.T) {
	english(t)
	s := withSilent(t)
	s.Axes()
	e := s.axesEditor
	if len(e.choices) != 3 || e.becomes.words != "T 2 × Z 9 × C 2 × Y 48 × X 64" {
		t.Fatalf("%d choices, becomes %q", len(e.choices), e.becomes.words)
	}
	e.choices[1].SetSelected(letterName('c'))
	if e.becomes.words != "T 2 × Z 2 × C 9 × Y 48 × X 64" || e.choices[2].Selected != letterName('z') {
		t.Errorf("becomes %q, the other one is %q", e.becomes.words, e.choices[2].Selected)
	}
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace}) // the button to open it so
	if got := strings.Join(s.asked, ","); got != "reopen tczyx" {
		t.Errorf("asked for %q", got)
	}
}

func TestSeveralImagesAreChosenAboveThePicture(t *testing.T) {
	s := newStage(t)
	set := dataset(volume{})
	set.Images = append(set.Images, dataset(volume{}).Images[0])
	set.Images[1].Name = ""
	s.open(set)
	s.settle()
	if !s.series.box.Visible() || len(s.series.choice.Options) != 2 {
		t.Fatalf("the choice has %v", s.series.choice.Options)
	}
	s.series.choice.SetSelectedIndex(1)
	if s.session.State().Image != 1 {
		t.Error("another image was chosen, and the first is on view")
	}
	s.settle()
	s.open(dataset(volume{}))
	if s.series.box.Visible() {
		t.Error("one image has a choice")
	}
}

func TestTheOrderOfAxesMayBeWritten(t *testing.T) {
	english(t)
	s := withSilent(t)
	s.Axes()
	e := s.axesEditor
	if e.words.Text != "tzcyx" {
		t.Fatalf("in words it is %q", e.words.Text)
	}
	for _, c := range []struct{ words, becomes string }{
		{"cztyx", "T 2 × Z 9 × C 2 × Y 48 × X 64"},
		{"a_{c}_{z}.tif", "as the names of the files count"},
		{"(tc3)zyx", `axes "(tc3)zyx" do not come out even`},
	} {
		if e.words.SetText(c.words); e.becomes.words != c.becomes {
			t.Errorf("%s becomes %q, want %q", c.words, e.becomes.words, c.becomes)
		}
	}
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	s.Axes()
	s.axesEditor.words.SetText("zctyx")
	s.axesEditor.words.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := strings.Join(s.asked, ","); got != "reopen (tc3)zyx,reopen zctyx" {
		t.Errorf("asked for %q", got)
	}
}
