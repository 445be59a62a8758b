//go:build unix

package sequence_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestBR024PipesAndDanglingLinksAreLeftOutAndTold(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a.png", "b.png", "c.png"} {
		drawn(t, dir, name, 4, 4, uint8(i+1))
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "p.png"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere.png"), filepath.Join(dir, "y.png")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	set, a := stackOf(t, dir, loaders.Options{})
	if s := a.Meta().Shape; s[lazy.Z] != 3 {
		t.Errorf("%d planes", s[lazy.Z])
	}
	w := strings.Join(set.Warnings, "; ")
	for _, name := range []string{"p.png", "y.png", "notes.txt"} {
		if !strings.Contains(w, name) {
			t.Errorf("%s is not told of in %q", name, w)
		}
	}
}

// TestBR002ThousandsOfFilesNeedFewHandles visits every plane of a long stack while the process may
// open 256 files only.
func TestBR002ThousandsOfFilesNeedFewHandles(t *testing.T) {
	dir := t.TempDir()
	drawn(t, dir, "first.png", 4, 4, 7)
	raw, err := os.ReadFile(filepath.Join(dir, "first.png"))
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(dir, "first.png"))
	const n = 3000
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("z%d.png", i)), raw, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	low := old
	low.Cur = 256
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old)
	_, a := stackOf(t, dir, loaders.Options{})
	if a.Meta().Shape[lazy.Z] != n {
		t.Fatalf("%v", a.Meta().Shape)
	}
	b, err := loadertest.Read(ctx, a, lazy.At(lazy.Index{}, lazy.Shape{1, n, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	for z := range n {
		if b.Value(lazy.Index{0, z, 0, 0, 0}) != 7 {
			t.Fatalf("plane %d is wrong", z)
		}
	}
}
