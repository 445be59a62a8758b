//go:build unix

package sequence_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/tiff"
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

// Every plane of a long stack can be visited while the process may open 256 files, whatever keeps the planes.
func TestBR002ThousandsOfFilesNeedFewHandles(t *testing.T) {
	const n = 3000
	for _, ending := range []string{".png", ".tif"} {
		dir := t.TempDir()
		first := filepath.Join(t.TempDir(), "first"+ending)
		if ending == ".png" {
			drawn(t, filepath.Dir(first), "first.png", 4, 4, 7)
		} else {
			page(t, first, 7)
		}
		raw, err := os.ReadFile(first)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("z%d%s", i, ending)), raw, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		fewFiles(t, 256, func() {
			_, a := stackOf(t, dir, loaders.Options{})
			if a.Meta().Shape[lazy.Z] != n {
				t.Fatalf("%s: %v", ending, a.Meta().Shape)
			}
			b, err := loadertest.Read(ctx, a, lazy.At(lazy.Index{}, lazy.Shape{1, n, 1, 1, 1}))
			if err != nil {
				t.Fatal(err)
			}
			for z := range n {
				if b.Value(lazy.Index{0, z, 0, 0, 0}) != 7 {
					t.Fatalf("%s: plane %d is wrong", ending, z)
				}
			}
		})
	}
}

// page writes a TIFF of 4 x 4 voxels of one value.
func page(t *testing.T, path string, value uint8) {
	t.Helper()
	whole := lazy.Shape{1, 1, 1, 4, 4}
	w, err := tiff.Create(path, loaders.Description{Meta: lazy.Meta{Shape: whole, Chunk: whole, DType: lazy.U8}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(ctx, lazy.BlockOf(whole.Whole(), bytes.Repeat([]byte{value}, 16))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// fewFiles does something while the process may hold at most so many files open.
func fewFiles(t *testing.T, most uint64, do func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	low := old
	low.Cur = most
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old)
	do()
}
