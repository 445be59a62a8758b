package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestSizesAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "0": 0, "512": 512, "4 GB": 4 << 30, "4GiB": 4 << 30, "1.5g": 3 << 29, "500 MB": 500 << 20, "2k": 2048, "1 TB": 1 << 40} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d: %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"much", "-1 GB", "GB", "1e30", "NaN", "4 GB GB"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestPreferencesThatCannotBeAreRefused(t *testing.T) {
	english(t)
	for _, c := range []struct{ memory, video, workers, folder, size, fails string }{
		{"", "", "", "", "", ""},
		{"2 GB", "1.5 GB", " 4 ", "/tmp/x y", "off", ""},
		{"1 MB", "", "", "", "", "At least 64 MB"},
		{"", "1 MB", "", "", "", "At least 64 MB"},
		{"", "", "0", "", "", "a whole number from 1 on"},
		{"", "", "two", "", "", "a whole number from 1 on"},
		{"", "", "", "cache", "", "named from /"},
		{"", "", "", "", "lots", "no size such as 4 GB"},
	} {
		p, err := Preferences{Look: Dark}.typed(c.memory, c.video, c.workers, c.folder, c.size)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%+v: %v", c, err)
		}
		if c.size == "off" && (p != Preferences{Look: Dark, Memory: 2 << 30, Video: 3 << 29, Workers: 4, CacheFolder: "/tmp/x y", CacheSize: -1}) {
			t.Errorf("%+v is %+v", c, p)
		}
	}
}

func TestThePreferencesDialogKeepsWhatItIsNotToldToChange(t *testing.T) {
	english(t)
	s := withVolume(t)
	before := Preferences{Look: Light, Device: Devices[0], Language: "zh_Hans", Size: 125, Memory: 3 << 30, Video: 1 << 30, Workers: 2, CacheFolder: "/a b", CacheSize: -1}
	var after Preferences
	s.AskPreferences(before, 8<<30, 4, func(p Preferences) { after = p })
	if len(s.dialogs) != 1 {
		t.Fatal("there is no dialog")
	}
	for _, o := range s.win.Canvas().Overlays().List() {
		if b := buttonIn(o, "Apply"); b != nil {
			b.Tapped(nil)
		}
	}
	if after != before || len(s.dialogs) != 0 {
		t.Errorf("applied, %+v became %+v", before, after)
	}
}

func TestALanguageIsChosenWhateverTheDesktopSpeaks(t *testing.T) {
	t.Cleanup(func() { _ = SetLanguage("") })
	if err := SetLanguage("zh_Hans"); err != nil {
		t.Fatal(err)
	}
	if got := Say("menu.file"); got != "文件" {
		t.Errorf("the menu is called %q", got)
	}
	if got := Say("palette.go", "Axis", "Z", "N", "7"); got != "转到 Z 7" {
		t.Errorf("%q", got)
	}
	if err := SetLanguage("xx"); err == nil || Say("menu.file") == "文件" {
		t.Errorf("a language that is not there: %v", err)
	}
	for _, l := range Languages() {
		if languageNames[l] == "" {
			t.Errorf("the language %s has no name", l)
		}
	}
}

// buttonIn is the button of a dialog with a text, nil if there is none.
func buttonIn(o fyne.CanvasObject, text string) *dialogButton {
	for _, w := range test.LaidOutObjects(o) {
		if b, ok := w.(*dialogButton); ok && b.Text == text {
			return b
		}
	}
	return nil
}
