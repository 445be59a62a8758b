package store_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lamella/loaders/store"
)

var ctx = context.Background()

// objects is what every kind of store holds in these tests.
func objects() map[string]string {
	return map[string]string{"meta": "{}", "a/0.10": "ten", "a/0.2": "two", "a/b/c": strings.Repeat("long ", 700_000)}
}

func folder(t *testing.T) store.Store {
	dir := t.TempDir()
	for k, v := range objects() {
		write(t, filepath.Join(dir, k), v)
	}
	return open(t, dir)
}

func open(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := store.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func archive(t *testing.T, method uint16) store.Store {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for k, v := range objects() {
		m, err := w.CreateHeader(&zip.FileHeader{Name: k, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(m, v)
	}
	m, _ := w.Create("../../evil")
	io.WriteString(m, "outside")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Zip(ctx, store.Bytes("test.zip", b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryStoreGivesTheSameObjects(t *testing.T) {
	memory, deep := store.Memory{}, store.Memory{"k": nil, "a/deep": nil}
	for k, v := range objects() {
		memory[k] = []byte(v)
		deep["deep/er/"+k] = []byte(v)
	}
	for name, s := range map[string]store.Store{
		"folder": folder(t), "stored zip": archive(t, zip.Store), "deflated zip": archive(t, zip.Deflate), "memory": memory,
		"part of a memory": store.Sub(deep, "deep/er"), "all of a memory": store.Sub(memory, "."),
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range objects() {
				p, err := s.Get(ctx, k, 4<<20)
				if err != nil || string(p) != v {
					t.Errorf("Get(%q) = %d bytes, %v; want %d", k, len(p), err, len(v))
				}
				if _, err := s.Get(ctx, k, 1); err == nil {
					t.Errorf("Get(%q) of at most 1 byte gave %d", k, len(v))
				}
			}
			f, err := s.Open(ctx, "a/b/c")
			if err != nil {
				t.Fatal(err)
			}
			p := make([]byte, 2_000_000)
			if err := f.ReadAt(ctx, p, 5); err != nil || string(p) != objects()["a/b/c"][5:2_000_005] {
				t.Errorf("a range of 2 MB: %v", err)
			}
			if err := f.ReadAt(ctx, p, f.Size()-10); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("reading beyond the end: %v", err)
			}
			if err := f.ReadAt(ctx, p, -1); err == nil {
				t.Error("reading before the start gave no error")
			}
			gone, cancel := context.WithCancel(ctx)
			cancel()
			if err := f.ReadAt(gone, p, 0); !errors.Is(err, context.Canceled) {
				t.Errorf("reading with a context that has ended: %v", err)
			}
			f.Close()

			for _, k := range []string{"../evil", "/etc/passwd", "a/../../x", "", ".", "a//b", "../../evil"} {
				if _, err := s.Get(ctx, k, 100); !errors.Is(err, store.ErrOutside) {
					t.Errorf("Get(%q): %v, want ErrOutside", k, err)
				}
				if _, err := s.Open(ctx, k); !errors.Is(err, store.ErrOutside) {
					t.Errorf("Open(%q): %v, want ErrOutside", k, err)
				}
			}
			if _, err := s.Get(ctx, "a/none", 100); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a missing object: %v, want fs.ErrNotExist", err)
			}
			if _, err := s.List(ctx, ".."); !errors.Is(err, store.ErrOutside) {
				t.Errorf("List(..): %v, want ErrOutside", err)
			}
			if _, err := s.List(ctx, "none"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("List of a missing prefix: %v", err)
			}
			got, err := s.List(ctx, "a")
			want := "[{0.2 false true} {0.10 false true} {b true false}"
			if err != nil || !strings.HasPrefix(fmt.Sprint(got), want) {
				t.Errorf("List(a) = %v, %v; want %s", got, err, want)
			}
			if top, err := s.List(ctx, ""); err != nil || len(top) != 2 || top[0].Name != "a" || top[1].Name != "meta" {
				t.Errorf("List() = %v, %v", top, err)
			}
		})
	}
}

func TestBR010StoresOfOtherContentHaveOtherIDs(t *testing.T) {
	a, b := store.Memory{"k": []byte("1")}, store.Memory{"k": []byte("2")}
	if a.ID() == b.ID() {
		t.Error("two memories with the same ID")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write(t, path, "one")
	f, err := store.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write(t, path, "three")
	g, err := store.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if f.ID() == g.ID() {
		t.Errorf("a changed file kept its ID %s", f.ID())
	}
	if err := f.ReadAt(ctx, make([]byte, 3), 0); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("reading a file that changed since it was opened: %v", err)
	}
}

func TestBR023NamesAreNamesAndNotAddresses(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a b.tif", "gel_1%_0.2%_1hr.zarr", "100%25.tif", "F#1.1.tif", "x+y&z=1.tif", "t 12:30.tif", "-stack.tif", "é ψ 細胞.tif", "a?b", "[1].tif"}
	for _, n := range names {
		write(t, filepath.Join(dir, n), n)
	}
	s := open(t, dir)
	for _, n := range names {
		if p, err := s.Get(ctx, n, 100); err != nil || string(p) != n {
			t.Errorf("%s: %q, %v", n, p, err)
		}
		f, err := store.OpenFile(filepath.Join(dir, n))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.HasSuffix(f.Name(), n) {
			t.Errorf("%s is called %s", n, f.Name())
		}
	}
	if _, err := s.Get(ctx, "100%.tif", 100); err == nil {
		t.Errorf("%q was found as %q", "100%25.tif", "100%.tif")
	}
	if l, err := s.List(ctx, ""); err != nil || len(l) != len(names) {
		t.Errorf("List: %d of %d names, %v", len(l), len(names), err)
	}
}

func TestLinksAreFollowedWithinTheFolderOnly(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "data")
	write(t, filepath.Join(base, "secret"), "secret")
	write(t, filepath.Join(dir, "sub", "f"), "inside")
	for link, target := range map[string]string{
		"relative": "sub/f", "absolute": filepath.Join(dir, "sub", "f"), "folder": filepath.Join(dir, "sub"),
		"out": "../secret", "absolute out": filepath.Join(base, "secret"), "up": "..", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("no links on this system: %v", err)
		}
	}
	s := open(t, dir)
	for _, k := range []string{"relative", "absolute", "folder/f"} {
		if p, err := s.Get(ctx, k, 100); err != nil || string(p) != "inside" {
			t.Errorf("%s: %q, %v", k, p, err)
		}
	}
	for _, k := range []string{"out", "absolute out", "up/secret"} {
		if p, err := s.Get(ctx, k, 100); !errors.Is(err, store.ErrOutside) {
			t.Errorf("%s: %q, %v; want ErrOutside", k, p, err)
		}
	}
	if _, err := s.Get(ctx, "loop", 100); err == nil {
		t.Error("a link to itself gave no error")
	}
	l, err := s.List(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range l {
		inside := e.Name == "relative" || e.Name == "absolute"
		if e.Regular != inside || e.Dir != (e.Name == "folder" || e.Name == "sub") {
			t.Errorf("%+v", e)
		}
	}
	if in, err := s.List(ctx, "folder"); err != nil || len(in) != 1 {
		t.Errorf("List of a linked folder: %v, %v", in, err)
	}
}

func TestBR019EightReadersGetTheSameBytes(t *testing.T) {
	s := folder(t)
	f, err := s.Open(ctx, "a/b/c")
	if err != nil {
		t.Fatal(err)
	}
	want := objects()["a/b/c"]
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			p := make([]byte, 1000)
			for round := range 1000 {
				off := (round*7919 + w*104729) % (len(want) - len(p))
				if err := f.ReadAt(ctx, p, int64(off)); err != nil || string(p) != want[off:off+len(p)] {
					t.Errorf("round %d: %v", round, err)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestBR019ClosingEndsReadsWithAPlainError(t *testing.T) {
	for _, what := range []string{"the file", "the folder"} {
		s := folder(t)
		f, err := s.Open(ctx, "a/b/c")
		if err != nil {
			t.Fatal(err)
		}
		ends := make(chan error, 8)
		for range cap(ends) {
			go func() {
				for {
					var err error
					if what == "the file" {
						err = f.ReadAt(ctx, make([]byte, 3_000_000), 0)
					} else {
						_, err = s.Get(ctx, "a/b/c", 4<<20)
					}
					if err != nil {
						ends <- err
						return
					}
				}
			}()
		}
		if what == "the file" {
			f.Close()
		} else {
			s.Close()
		}
		for range cap(ends) {
			if err := <-ends; !errors.Is(err, store.ErrClosed) {
				t.Errorf("closing %s: %v, want ErrClosed", what, err)
			}
		}
		f.Close()
	}
}

func FuzzZipNeverPanics(f *testing.F) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		m, _ := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint("m", method), Method: method})
		io.WriteString(m, "some content, some content, some content")
	}
	w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, p []byte) {
		s, err := store.Zip(ctx, store.Bytes("fuzz.zip", p))
		if err != nil {
			return
		}
		l, _ := s.List(ctx, "")
		for _, e := range l {
			got, err := s.Get(ctx, e.Name, 1<<20)
			if err != nil {
				continue
			}
			f, err := s.Open(ctx, e.Name)
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			if int64(len(got)) != f.Size() {
				t.Errorf("%s: %d bytes of %d", e.Name, len(got), f.Size())
			}
			f.Close()
		}
	})
}

func BenchmarkReadOfANestedKey(b *testing.B) {
	dir := b.TempDir()
	os.MkdirAll(filepath.Join(dir, "0/0/3/0/5"), 0o777)
	os.WriteFile(filepath.Join(dir, "0/0/3/0/5/2"), make([]byte, 64<<10), 0o666)
	s, err := store.Folder(dir)
	if err != nil {
		b.Fatal(err)
	}
	p := make([]byte, 64<<10)
	for b.Loop() {
		f, err := s.Open(ctx, "0/0/3/0/5/2")
		if err != nil {
			b.Fatal(err)
		}
		if err := f.ReadAt(ctx, p, 0); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
