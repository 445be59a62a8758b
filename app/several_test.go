//go:build !headless

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/app/cli"
	"lamella/lazy"
	"lamella/loaders"
)

// written are files of the shapes asked for, in a folder of their own.
func written(t *testing.T, shapes ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, shape := range shapes {
		path := filepath.Join(dir, "cell_"+string(rune('a'+i))+".npy")
		if status := cli.Main([]string{"export", "sample:random?shape=" + shape, "--out", path, "--quiet"}, os.Stdin, os.Stdout, os.Stderr); status != 0 {
			t.Fatalf("writing %s ended with %d", path, status)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestSeveralFilesMakeWhatIsAskedFor(t *testing.T) {
	same, other := written(t, "4x20x30", "4x20x30", "4x20x30"), written(t, "4x20x30", "4x20x31")
	for _, c := range []struct {
		join   string
		files  []string
		images int
		shape  lazy.Shape // of the first
		fails  string
	}{
		{"channels", same, 1, lazy.Shape{1, 4, 3, 20, 30}, ""},
		{"apart", same, 3, lazy.Shape{1, 4, 1, 20, 30}, ""},
		{"beside", same, 3, lazy.Shape{1, 4, 1, 20, 30}, ""},
		{"channels", other, 2, lazy.Shape{1, 4, 1, 20, 30}, "opening as channels"},
		{"", same, 1, lazy.Shape{3, 4, 1, 20, 30}, ""},
		{"stack", other, 0, lazy.Shape{}, "they differ in shape: cell_a.npy is 4 z, 20 y, 30 x of uint16; cell_b.npy is 4 z, 20 y, 31 x of uint16"},
		{"", other, 2, lazy.Shape{1, 4, 1, 20, 30}, ""},
		{"apart", append(other[:1:1], "lost.npy", "gone.npy", "away.npy"), 1, lazy.Shape{1, 4, 1, 20, 30}, "nor can 2 of the other files be opened"},
		{"apart", append(other[:1:1], "gone.npy"), 1, lazy.Shape{1, 4, 1, 20, 30}, "gone.npy"},
	} {
		set, err := openSeveral(context.Background(), c.files, loaders.Options{}, c.join)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%q of %d files: %v, want %q", c.join, len(c.files), err, c.fails)
		}
		if len(set.Images) != c.images {
			t.Errorf("%q of %d files: %d images, want %d", c.join, len(c.files), len(set.Images), c.images)
		} else if c.images == 0 {
			continue
		} else if got := set.Images[0].Levels[0].Array.Meta().Shape; got != c.shape {
			t.Errorf("%q of %d files: the first is %v, want %v", c.join, len(c.files), got, c.shape)
		}
		if c.join == "channels" && err == nil {
			if names := set.Images[0].Channels; len(names) != 3 || names[1].Name != "cell_b" {
				t.Errorf("the channels are %v", names)
			}
		}
		closeSet(&set)
	}
}

func TestTheTitleNamesWhatWasOpened(t *testing.T) {
	files := written(t, "4x20x30", "4x20x31")
	all := []string{"gone.npy", files[0], files[1]}
	_, err := openSeveral(context.Background(), all, loaders.Options{}, "apart")
	var left leftOut
	if !errors.As(err, &left) || title(left.of(all)) != "cell_a.npy +1" {
		t.Errorf("%v makes the title %q", err, title(left.of(all)))
	}
}
