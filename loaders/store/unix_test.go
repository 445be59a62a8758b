//go:build unix

package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lamella/loaders/store"
)

func TestBR002ThreeThousandFilesUnderALimitOf256(t *testing.T) {
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

	dir := t.TempDir()
	s := open(t, dir)
	var files []store.File
	for i := range 3000 {
		name := fmt.Sprintf("z%d", i)
		write(t, filepath.Join(dir, name), fmt.Sprintf("%04d", i))
		f, err := s.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files = append(files, f)
	}
	for range 2 {
		for i, f := range files {
			p := make([]byte, 4)
			if err := f.ReadAt(ctx, p, 0); err != nil || string(p) != fmt.Sprintf("%04d", i) {
				t.Fatalf("file %d: %q, %v", i, p, err)
			}
		}
	}
	if n := openHandles(t); n > 100 {
		t.Errorf("%d handles open", n)
	}
}

func openHandles(t *testing.T) int {
	l, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Logf("open handles were not counted: %v", err)
	}
	return len(l)
}

func TestBR024PipesDevicesAndDanglingLinksAreNeverOpened(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.tif"), "a")
	if err := syscall.Mkfifo(filepath.Join(dir, "p.tif"), 0o666); err != nil {
		t.Fatal(err)
	}
	os.Symlink("p.tif", filepath.Join(dir, "q.tif"))
	os.Symlink("nowhere", filepath.Join(dir, "y.tif"))

	done := make(chan bool)
	go func() {
		defer close(done)
		s := open(t, dir)
		l, err := s.List(ctx, "")
		if err != nil || len(l) != 4 {
			t.Errorf("List: %v, %v", l, err)
		}
		for _, e := range l {
			if e.Regular != (e.Name == "a.tif") {
				t.Errorf("%+v", e)
			}
		}
		for name, why := range map[string]string{"p.tif": "named pipe", "q.tif": "named pipe", "y.tif": "link to nowhere"} {
			_, inFolder := s.Open(ctx, name)
			_, alone := store.OpenFile(filepath.Join(dir, name))
			for _, err := range []error{inFolder, alone} {
				if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %v, want %q", name, err, why)
				}
			}
		}
		if _, err := store.OpenFile("/dev/null"); err == nil || !strings.Contains(err.Error(), "device") {
			t.Errorf("/dev/null: %v", err)
		}
		if _, err := s.List(ctx, "p.tif"); err == nil {
			t.Error("listing a pipe gave no error")
		}
		if _, err := store.Folder(filepath.Join(dir, "p.tif")); err == nil {
			t.Error("a pipe was opened as a folder")
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("still waiting for something that never answers")
	}
}
