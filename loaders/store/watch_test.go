package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// write makes a file whose time is later than that of all before, whatever the grain of the clock is, and so its folder's.
func (k *clock) write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("voxels"), 0o666); err != nil {
		t.Fatal(err)
	}
	k.at = k.at.Add(time.Minute)
	for p := path; p != filepath.Dir(k.top); p = filepath.Dir(p) {
		if p == path || p == filepath.Dir(path) || !k.nested {
			if err := os.Chtimes(p, k.at, k.at); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A clock gives each thing that is written a time of its own.
type clock struct {
	top    string
	at     time.Time
	nested bool // folders further up keep their time, as they do
}

func TestAWatchSeesChunksThatComeWhileTheMetadataStay(t *testing.T) {
	ctx := context.Background()
	top := t.TempDir()
	k := &clock{top: top, at: time.Unix(1e9, 0)}
	k.write(t, filepath.Join(top, "zarr.json"))
	k.write(t, filepath.Join(top, "c", "0", "0", "0"))
	k.nested = true
	w := NewWatch(ctx, top)
	for _, c := range []struct {
		name string
		do   func()
		want bool
	}{
		{"nothing", func() {}, false},
		{"a chunk beside another", func() { k.write(t, filepath.Join(top, "c", "0", "0", "1")) }, true},
		{"once more, for what the clock did not tell apart", func() {}, true},
		{"then nothing", func() {}, false},
		{"a chunk written in place", func() {
			k.at = k.at.Add(time.Minute)
			os.WriteFile(filepath.Join(top, "c", "0", "0", "0"), []byte("others"), 0o666)
			os.Chtimes(filepath.Join(top, "c", "0", "0", "0"), k.at, k.at)
		}, true},
		{"once more", func() {}, true},
		{"then nothing", func() {}, false},
		{"a folder of a new time point", func() {
			k.write(t, filepath.Join(top, "c", "1", "0", "0"))
			os.Chtimes(filepath.Join(top, "c"), k.at, k.at)
		}, true},
		{"once more", func() {}, true},
		{"a chunk in it", func() { k.write(t, filepath.Join(top, "c", "1", "0", "1")) }, true},
		{"once more", func() {}, true},
		{"a chunk removed", func() {
			os.Remove(filepath.Join(top, "c", "1", "0", "1"))
		}, true},
		{"once more", func() {}, true},
		{"all removed", func() { os.RemoveAll(top) }, true},
		{"once more", func() {}, true},
		{"then nothing", func() {}, false},
	} {
		c.do()
		if got := w.Changed(ctx); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAWatchOfALargeFolderLooksAtSomeOfItEachTime(t *testing.T) {
	ctx := context.Background()
	top := t.TempDir()
	k := &clock{top: top, at: time.Unix(1e9, 0), nested: true}
	n := maxLooks + 100
	for i := range n {
		if err := os.WriteFile(filepath.Join(top, fmt.Sprint(i)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w := NewWatch(ctx, top)
	last := w.files.paths[n-1]
	os.Chtimes(last, k.at, k.at)
	if w.Changed(ctx) {
		t.Errorf("the last of %d files was looked at with the first", n)
	}
	if !w.Changed(ctx) {
		t.Errorf("the last of %d files was not looked at in its turn", n)
	}
}
