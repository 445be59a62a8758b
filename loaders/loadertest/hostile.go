package loadertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/loaders"
)

// Hostile opens a file of any bytes and reads what a driver gives for it, for fuzz tests: it must end without a panic,
// with errors of one line, and without voxels that nothing in the file stands for.
func Hostile(t *testing.T, r loaders.Registry, name string, content []byte) {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	set, err := r.Open(context.Background(), path, loaders.Options{})
	if err != nil {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
		return
	}
	defer set.Close()
	for _, image := range set.Images {
		a := image.Levels[0].Array
		// One packed byte stands for at most 1032 others, or in bzip2 for two million.
		s := a.Meta().Shape
		if n := s.Voxels(); n > len(content)<<21 {
			t.Fatalf("%v voxels in %d bytes", s, len(content))
		} else if n > 1<<20 {
			continue
		}
		if _, err := Read(context.Background(), a, s.Whole()); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
	}
}
