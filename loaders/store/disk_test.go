package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lamella/loaders/store"
)

// kept is how addresses are read with a cache of some bytes in a folder of the test.
func kept(t *testing.T, bytes int64) store.Web {
	o := quick()
	o.Cache, o.CacheSize = t.TempDir(), bytes
	return o
}

// entries are the files of a cache and their bytes together.
func entries(t *testing.T, dir string) (paths []string, size int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return nil
		}
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		if errors.Is(err, fs.ErrNotExist) { // it was just renamed
			return nil
		}
		if err == nil {
			paths, size = append(paths, path), size+info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths, size
}

// settled waits until a cache, which is written behind the reader's back, has as many entries.
func settled(t *testing.T, dir string, n int) []string {
	t.Helper()
	for range 2000 {
		if paths, _ := entries(t, dir); len(paths) == n && !strings.Contains(strings.Join(paths, " "), ".tmp") {
			return paths
		}
		time.Sleep(time.Millisecond)
	}
	paths, _ := entries(t, dir)
	t.Fatalf("%d entries, want %d: %v", len(paths), n, paths)
	return nil
}

func TestWhatWasFetchedIsNotFetchedAgain(t *testing.T) {
	body := noise(1 << 20)
	s := serve(t, map[string][]byte{"/f": body})
	o := kept(t, 10<<20)
	for i := range 3 { // three programs, one after the other
		w := s.store(t, o)
		for _, off := range []int64{0, 500_000, 900_000} {
			if p, err := read(w, "f", off, 100_000); err != nil || !bytes.Equal(p, body[off:off+100_000]) {
				t.Fatalf("run %d at %d: %v", i, off, err)
			}
		}
		w.Close()
		settled(t, o.Cache, 1+1+2+2) // what is known of the object, and its blocks
	}
	if n := len(s.requests()); n != 3+2 {
		t.Errorf("%d requests, want three for the first run and one for each that follows: %v", n, s.requests())
	}
}

func TestACacheIsOfNoUseForWhatHasChanged(t *testing.T) {
	old, young := noise(1<<20), noise(1<<20 + 1)[:1<<20]
	s := serve(t, map[string][]byte{"/f": old})
	o := kept(t, 10<<20)
	if _, err := read(s.store(t, o), "f", 500_000, 100); err != nil {
		t.Fatal(err)
	}
	settled(t, o.Cache, 3)
	s.files["/f"], s.tag = young, `"two"`
	if p, err := read(s.store(t, o), "f", 500_000, 100); err != nil || !bytes.Equal(p, young[500_000:500_100]) {
		t.Errorf("the old bytes under a new tag: %v", err)
	}
	s.files["/f"], s.tag = old, ""
	paths := settled(t, o.Cache, 5)
	if p, err := read(s.store(t, o), "f", 500_000, 100); err != nil || !bytes.Equal(p, old[500_000:500_100]) {
		t.Errorf("other bytes without a tag: %v", err)
	}
	if now, _ := entries(t, o.Cache); len(now) != len(paths) {
		t.Errorf("what has no tag was kept: %v", now)
	}
}

func TestTornEntriesAreNeverRead(t *testing.T) {
	body := noise(300_000)
	s := serve(t, map[string][]byte{"/f": body})
	for name, tear := range map[string]func(p []byte) []byte{
		"cut short":        func(p []byte) []byte { return p[:len(p)-5] },
		"one bit turned":   func(p []byte) []byte { p[len(p)-100] ^= 4; return p },
		"filled with null": func(p []byte) []byte { clear(p[len(p)/2:]); return p },
		"empty":            func(p []byte) []byte { return nil },
		"far too long":     func(p []byte) []byte { return append(p, make([]byte, 10<<20)...) },
		"of another key":   func(p []byte) []byte { return bytes.Replace(p, []byte("/f"), []byte("/g"), 1) },
		"a claim of 4 GB":  func(p []byte) []byte { copy(p[16:], "\xff\xff\xff\xff"); return p },
	} {
		t.Run(name, func(t *testing.T) {
			o := kept(t, 10<<20)
			w := s.store(t, o)
			if _, err := read(w, "f", 0, 300_000); err != nil {
				t.Fatal(err)
			}
			for _, path := range settled(t, o.Cache, 4) {
				p, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				write(t, path, string(tear(p)))
			}
			if p, err := read(s.store(t, o), "f", 0, 300_000); err != nil || !bytes.Equal(p, body) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestACacheKeepsItsLimitAndLetsTheOldestGo(t *testing.T) {
	files := map[string][]byte{}
	for i := range 40 {
		files[fmt.Sprintf("/%d", i)] = noise(100_000 + i)
	}
	s := serve(t, files)
	o := kept(t, 1_500_000)
	w := s.store(t, o)
	get := func(w store.Store, i int) {
		t.Helper()
		if p, err := w.Get(ctx, fmt.Sprint(i), 1<<20); err != nil || !bytes.Equal(p, files[fmt.Sprintf("/%d", i)]) {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		get(w, i)
		if i == 5 || i == 30 {
			get(s.store(t, o), 5) // used again, from the cache
		}
		if _, size := entries(t, o.Cache); size > 1_500_000 {
			t.Fatalf("%d bytes in a cache of 1500000", size)
		}
		time.Sleep(2 * time.Millisecond) // times of modification that differ
	}
	before := len(s.requests())
	again := s.store(t, o)
	get(again, 39)
	last := s.requests()[before:]
	if fmt.Sprint(last) != "[GET /39 bytes=0-131071]" {
		t.Errorf("asked %v", last)
	}
	if paths, _ := entries(t, o.Cache); len(paths) < 10 {
		t.Errorf("only %d entries are left", len(paths))
	}
}

func TestACacheThatIsOffOrCannotBeWrittenIsNoFault(t *testing.T) {
	body := noise(300_000)
	s := serve(t, map[string][]byte{"/f": body})
	blocked := filepath.Join(t.TempDir(), "file")
	write(t, blocked, "in the way")
	for name, o := range map[string]store.Web{
		"off":                  {CacheSize: -1, Cache: t.TempDir()},
		"smaller than a block": {CacheSize: 100, Cache: t.TempDir()},
		"no folder":            {CacheSize: 1 << 20, Cache: filepath.Join(blocked, "x")},
	} {
		if p, err := read(s.store(t, o), "f", 0, 300_000); err != nil || !bytes.Equal(p, body) {
			t.Errorf("%s: %v", name, err)
		}
		if paths, _ := filepath.Glob(filepath.Join(o.Cache, "*")); len(paths) > 0 {
			t.Errorf("%s: wrote %v", name, paths)
		}
	}
}

func TestProgramsShareACache(t *testing.T) {
	files := map[string][]byte{}
	for i := range 20 {
		files[fmt.Sprintf("/%d", i)] = noise(200_000 + i)
	}
	s := serve(t, files)
	s.odd = func(int, http.ResponseWriter, *http.Request) bool { return false }
	o := kept(t, 1_000_000)
	var wait sync.WaitGroup
	for range 4 {
		w := s.store(t, o)
		wait.Go(func() {
			for i := range 20 {
				if p, err := w.Get(ctx, fmt.Sprint(i), 1<<20); err != nil || !bytes.Equal(p, files[fmt.Sprintf("/%d", i)]) {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}
