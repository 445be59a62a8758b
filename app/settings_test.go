//go:build !headless

package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestSettingsAreKeptWhole(t *testing.T) {
	toolkit := test.NewTempApp(t).Preferences()
	toolkit.SetString("keys", `{"preset":"fiji"}`)
	toolkit.SetFloat("width", 900)
	toolkit.SetInt("workers", 3)
	path := filepath.Join(t.TempDir(), "own", "settings.json")
	open := func() *settings {
		s, err := openSettings(path, toolkit)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}

	s := open()
	if s.text("keys", "") != `{"preset":"fiji"}` || s.number("width", 0) != 900 || s.number("workers", 0) != 3 || s.yes("folded") {
		t.Errorf("of the toolkit's preferences %v was taken over", s.values)
	}
	if s.text("look", "dark") != "dark" || s.number("left", 7) != 7 {
		t.Error("what was never set is not what it is otherwise")
	}
	other := open() // another program that runs meanwhile
	if err := s.set(map[string]any{"look": "light", "folded": true}); err != nil {
		t.Fatal(err)
	}
	if err := other.set(map[string]any{"recent": "[]"}); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"keys": `{"preset":"fiji"}`, "width": 900.0, "workers": 3.0, "look": "light", "folded": true, "recent": "[]"}
	if got := open().values; !maps.Equal(got, want) {
		t.Errorf("kept are %v, want %v", got, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("unfinished files are left: %v", left)
	}
}

func TestDamagedSettingsAreSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	for _, damaged := range []string{"", `{"look": "da`, "[1]", "null", "null and more"} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openSettings(path, test.NewTempApp(t).Preferences())
		if err == nil || !strings.Contains(err.Error(), path+".damaged") {
			t.Errorf("%q: %v", damaged, err)
		}
		if aside, _ := os.ReadFile(path + ".damaged"); string(aside) != damaged {
			t.Errorf("%q was set aside as %q", damaged, aside)
		}
		if err := s.set(map[string]any{"look": "light"}); err != nil {
			t.Error(err)
		}
		if again, err := openSettings(path, nil); err != nil || again.text("look", "") != "light" {
			t.Errorf("%q: afterwards %v", damaged, err)
		}
	}
}
