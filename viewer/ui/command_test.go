package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

func TestAKeyDoesOneThing(t *testing.T) {
	inMenu := map[string]string{"menu.open": "Ctrl+O", "menu.palette": "Ctrl+K"}
	for _, preset := range KeyPresets {
		k := Keymap{Preset: preset}
		if preset == "bdv" {
			k = k.with("menu.fit", "b Ctrl+O")
		}
		of := map[string]string{}
		for name, keys := range k.keys(inMenu) {
			for _, key := range keys {
				if other, taken := of[key]; taken {
					t.Errorf("%s: %s is the key of %s and of %s", preset, key, other, name)
				}
				of[key] = name
			}
		}
		if preset == "bdv" && (of["b"] != "menu.fit" || of["Ctrl+O"] != "menu.fit") {
			t.Errorf("what the user chose has not taken b from the scale bar and Ctrl+O from opening: %v", of)
		}
	}
	of := map[string]string{}
	for name, keys := range ours {
		for _, key := range strings.Fields(keys) {
			if other, taken := of[key]; taken {
				t.Errorf("%s is the key of %s and of %s", key, other, name)
			}
			of[key] = name
		}
	}
	if k := (Keymap{}).with("menu.fit", "x").with("menu.one", "x"); k.Own["menu.fit"] != "" {
		t.Errorf("a key that was given twice is still with the first: %v", k.Own)
	}
}

// Those who know a program in English find its commands whatever it speaks.
func TestEnglishWordsFindCommandsInChinese(t *testing.T) {
	if err := SetLanguage("zh_Hans"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = SetLanguage("") })
	s := withVolume(t)
	for words, want := range map[string]string{"about": "menu.about", "scale bar": "menu.scalebar", "关于": "menu.about"} {
		all := found(s.commands(), words)
		if n := slices.IndexFunc(all, func(c command) bool { return c.name == want }); n != 0 {
			t.Errorf("%q finds %s as number %d of %d", words, want, n+1, len(all))
		}
	}
}

func TestThePaletteSaysThatNothingAnswers(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.Palette()
	p := s.dialogs[0].(*palette)
	p.search("zzzz")
	if words := test.WidgetRenderer(p.none).(*captionLook).text.Text; p.none.Hidden || words != p.none.words {
		t.Errorf("it says %q", words)
	}
}

// One key stops what plays, along whichever axis.
func TestTheKeyOfPlayingStopsWhatPlays(t *testing.T) {
	s := withVolume(t)
	s.play(lazy.Z)
	s.typed('\\')
	if s.player.on {
		t.Error("Z plays on, or time began to")
	}
	s.typed('\\')
	if !s.player.on || s.player.axis != lazy.T {
		t.Error("it does not play through time")
	}
	s.stopPlaying()
}

// Where a text is written Ctrl + C copies from that, else the plane.
func TestCopyingTakesWhatHasTheFocus(t *testing.T) {
	s := withVolume(t)
	copied := 0
	s.asks.CopyPlane = func() { copied++ }
	if keys := s.keys["menu.copy.plane"]; !slices.Contains(keys, "Ctrl+C") {
		t.Errorf("the keys are %q", keys)
	}
	s.pane.takeFocus()
	s.Copy()
	text := s.newDialogEntry("some words")
	s.Ask(dialog.NewCustom("", "", text, s.win))
	s.win.Canvas().Focus(text)
	text.TypedShortcut(&fyne.ShortcutSelectAll{})
	s.Copy()
	if got := fyne.CurrentApp().Clipboard().Content(); copied != 1 || got != "some words" {
		t.Errorf("the plane was copied %d times, and %q is on the clipboard", copied, got)
	}
}

func TestKeysAsTextAndBack(t *testing.T) {
	for key, want := range map[string]string{
		"Ctrl+Shift+S": "Ctrl + Shift + S", "r": "R", "C": "Shift + C", "Left": "←", "Ctrl++": "Ctrl + +", "+": "+", "-": "−", "Ctrl+PageUp": "Ctrl + Page ↑", "F9": "F9",
	} {
		if got := shownKey(key); got != want {
			t.Errorf("%s is shown as %q, want %q", key, got, want)
		}
		if chord(key) {
			if back := shortcutKey(shortcutOf(key)); back != key {
				t.Errorf("%s as a shortcut is %s", key, back)
			}
		}
	}
}

func TestPresetsNameCommandsThatThereAre(t *testing.T) {
	s := withVolume(t)
	var names []string
	for _, c := range s.commands() {
		names = append(names, c.name)
	}
	for preset, keys := range presets {
		for name := range keys {
			if !slices.Contains(names, name) {
				t.Errorf("the preset %s has a key for %s, which is no command", preset, name)
			}
		}
	}
	for name := range ours {
		if !slices.Contains(names, name) {
			t.Errorf("there is a key for %s, which is no command", name)
		}
	}
}

// Keys are kept by what stands in the menus, so no two entries may say the same.
func TestNoTwoMenuEntriesSayTheSame(t *testing.T) {
	said := map[string]string{}
	for name := range known {
		if strings.HasPrefix(name, "menu.") && !strings.Contains(name, "{{") {
			if other, ok := said[Say(name)]; ok {
				t.Errorf("%s and %s are both %q", name, other, Say(name))
			}
			said[Say(name)] = name
		}
	}
}

func TestTheWheelOfAPreset(t *testing.T) {
	s := withVolume(t)
	s.SetKeys(Keymap{Preset: "napari"})
	for _, c := range []struct {
		name  string
		mods  fyne.KeyModifier
		z     int
		zooms bool
	}{{"the wheel zooms", 0, 4, true}, {"with Control it goes through the planes", fyne.KeyModifierControl, 5, false}} {
		start := s.session.State()
		s.pane.mods = func() fyne.KeyModifier { return c.mods }
		s.pane.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)})
		now := s.session.State()
		if now.At[lazy.Z] != c.z || (now.Zoom != start.Zoom) != c.zooms {
			t.Errorf("%s: plane %d, zoom %v → %v", c.name, now.At[lazy.Z], start.Zoom, now.Zoom)
		}
		s.act(func(*viewer.Scene, viewer.State) viewer.State { return start })
	}
}

func TestTheBestAnswerComesFirst(t *testing.T) {
	all := []command{
		{title: "Export picture…", path: "File"}, {title: "Open…", path: "File"}, {title: "Fit to window", path: "View"},
		{title: "Gaussian", path: "Filter ▸ Smooth"}, {title: "Gaussian derivative", path: "Filter ▸ Edges"}, {title: "Undo", path: "Edit", off: true},
	}
	for query, want := range map[string]string{
		"fit": "Fit to window", "ftw": "Fit to window", "pic": "Export picture…", "edges": "Gaussian derivative", "smooth gau": "Gaussian", "gaus": "Gaussian", "undo": "", "xyzzy": "",
	} {
		got := ""
		if hits := found(all, query); len(hits) > 0 {
			got = hits[0].title
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// What a user of another program looks for is found by that word, or by what it leads to.
func TestThePaletteFindsWhatIsCalledOtherwiseElsewhere(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.View.asks.Preferences, s.View.asks.OpenROIs = func() {}, func() {}
	s.menus()
	for query, want := range map[string]string{
		"graph": "Storage grid", "cost": "Storage grid", "memory": "Preferences…", "histogram": "Automatic contrast", "scale bar": "Scale bar", "crosshair": "Three-up: XY, XZ, YZ",
		"language": "Preferences…", "theme": "Dark", "orthogonal views": "Three-up: XY, XZ, YZ", "ROI manager": "Open ImageJ ROIs…", "Z project": "Thicker slab", "metadata": "Properties…",
		"otsu": "Threshold", "screenshot": "Export picture…", "bookmark": "Keep this place",
	} {
		hits := found(s.commands(), query)
		if !slices.ContainsFunc(hits[:min(4, len(hits))], func(c command) bool { return c.title == want }) {
			t.Errorf("%q finds %q, not %q", query, titles(hits), want)
		}
	}
	for name := range known {
		if of, ok := strings.CutPrefix(name, "also."); ok && known[of] == "" {
			t.Errorf("%s is of no command", name)
		}
	}
}

func titles(of []command) (all []string) {
	for _, c := range of {
		all = append(all, c.title)
	}
	return all
}

func TestThePaletteDoesWhatIsChosen(t *testing.T) {
	english(t)
	s := withVolume(t)
	ask := func(text string, keys ...fyne.KeyName) {
		t.Helper()
		s.Palette()
		line := s.win.Canvas().Focused().(*paletteEntry)
		line.SetText(text)
		for _, k := range keys {
			line.TypedKey(&fyne.KeyEvent{Name: k})
		}
		line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	ask("gaussian", fyne.KeyDown, fyne.KeyUp)
	if c := s.session.State().Chain; len(c) != 1 || c[0].Filter != "gaussian" {
		t.Errorf("the chain is %v", c)
	}
	ask("8")
	if z := s.session.State().At[lazy.Z]; z != 7 {
		t.Errorf("8 goes to plane %d counted from 0", z)
	}
	ask("t 2")
	if at := s.session.State().At[lazy.T]; at != 1 {
		t.Errorf("t 2 goes to %d counted from 0", at)
	}
	ask("hide gfp")
	if s.session.State().Channels[1].Visible {
		t.Error("the channel is still there")
	}
	if len(s.dialogs) != 0 {
		t.Errorf("%d dialogs are still open", len(s.dialogs))
	}
	s.Palette()
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(s.dialogs) != 0 || len(s.win.Canvas().Overlays().List()) != 0 {
		t.Error("Esc left the palette")
	}
}

func TestAKeyIsGivenOnTheSheet(t *testing.T) {
	english(t)
	s := withVolume(t)
	var told []Keymap
	s.asks.SetKeys = func(k Keymap) { told = append(told, k) }
	s.View.asks.SetKeys = s.asks.SetKeys
	s.Keys()
	sheet := s.win.Canvas().Overlays().Top()
	if sheet == nil {
		t.Fatal("no sheet")
	}
	entry := s.win.Canvas().Focused().(*dialogEntry)
	entry.SetText("fit to window")
	row := s.rowOnSheet(t, "menu.fit")
	row.Tapped(nil)
	row.TypedRune('x')
	s.dismiss()
	s.act(viewer.Zoom(3))
	s.typed('x')
	if !s.session.State().Fitted {
		t.Error("the key that was given does nothing")
	}
	if len(told) != 1 || fmt.Sprint(told[0].Own) != "map[menu.fit:r Home x]" {
		t.Errorf("to remember: %v", told)
	}
}

func TestTheSheetSaysFromWhichCommandAKeyWasTaken(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.Keys()
	row := s.rowOnSheet(t, "menu.fit")
	row.Tapped(nil)
	row.TypedRune('k')
	said := s.keySheet.hint.rich.String()
	if !strings.Contains(said, "no longer of “Curtain before the stored picture”") {
		t.Errorf("it says %q", said)
	}
	s.keySheet.preset.SetSelectedIndex(1)
	if !slices.Contains(s.keys["menu.fit"], "k") || s.keymap.Preset != "fiji" {
		t.Errorf("with another preset %q, Fit to window has the keys %v", s.keymap.Preset, s.keys["menu.fit"])
	}
	row = s.rowOnSheet(t, "menu.fit")
	row.Tapped(nil)
	row.TypedRune('j')
	if said := s.keySheet.hint.rich.String(); said != Say("keys.hint") {
		t.Errorf("of a key that was free it says %q", said)
	}
}

// rowOnSheet is the row of a command on the sheet that is open.
func (s *stage) rowOnSheet(t *testing.T, name string) *keyRow {
	t.Helper()
	for _, r := range s.keySheet.rows {
		if r.c.name == name {
			return r
		}
	}
	t.Fatalf("%s is not on the sheet", name)
	return nil
}
