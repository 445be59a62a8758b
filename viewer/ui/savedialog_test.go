package ui

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
)

func TestEnterWritesFromTheNameAndFromTheFolder(t *testing.T) {
	english(t)
	s := withVolume(t)
	folder := t.TempDir()
	for _, c := range []struct {
		what, name string
		endings    []string
		inFolder   bool
		want       string
	}{
		{"the name", "a.csv", []string{".csv"}, false, "a.csv"},
		{"the folder", "b.csv", []string{".csv"}, true, "b.csv"},
		{"a name without the only ending there is", "c", []string{".csv"}, false, "c.csv"},
		{"a name with another ending", "d.txt", []string{".csv"}, false, ""},
		{"a name without one of several endings", "e", []string{".gif", ".avi"}, false, ""},
	} {
		got := ""
		line := s.askFile("Save", folder, c.name, c.endings, fileForm{}, func(path string, _ bool) { got = path })
		if c.inFolder {
			s.win.Canvas().FocusNext()
			line = s.win.Canvas().Focused().(*dialogEntry)
			if line.Text != folder {
				t.Fatalf("behind the name is %q", line.Text)
			}
		}
		line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		want := ""
		if c.want != "" {
			want = filepath.Join(folder, c.want)
		}
		if got != want {
			t.Errorf("Enter in %s writes %q, want %q", c.what, got, want)
		}
		s.dismiss()
	}
}
