package hdf5_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/hdf5"
	"lamella/loaders/loadertest"
	"lamella/loaders/store"
)

// A counter is a store that counts what is read from its files.
type counter struct {
	store.Store
	bytes, reads atomic.Int64
	open         atomic.Int64
}

type counted struct {
	store.File
	of *counter
}

func (c *counter) Open(ctx context.Context, key string) (store.File, error) {
	f, err := c.Store.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	c.open.Add(1)
	return counted{f, c}, nil
}

func (f counted) ReadAt(ctx context.Context, p []byte, off int64) error {
	f.of.bytes.Add(int64(len(p)))
	f.of.reads.Add(1)
	return f.File.ReadAt(ctx, p, off)
}

func (f counted) Close() error {
	f.of.open.Add(-1)
	return f.File.Close()
}

// counting opens a file of testdata and counts what is read of it.
func counting(t *testing.T, key string) (lazy.Dataset, *counter) {
	t.Helper()
	s, err := store.Folder("testdata")
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{Store: s}
	head := make([]byte, 4096)
	p, err := os.ReadFile(filepath.Join("testdata", key))
	if err != nil {
		t.Fatal(err)
	}
	head = head[:copy(head, p)]
	set, err := hdf5.Driver{}.Open(context.Background(), loaders.Input{Path: key, Store: c, Key: key, Head: head})
	if err != nil {
		t.Fatal(err)
	}
	return set, c
}

func named(t *testing.T, set lazy.Dataset, path string) lazy.Array {
	t.Helper()
	for _, image := range set.Images {
		if image.Path == path {
			return image.Levels[0].Array
		}
	}
	t.Fatalf("no image %s", path)
	return lazy.Array{}
}

func TestAPlaneReadsItsChunksAndTheWayToThem(t *testing.T) {
	set, c := counting(t, "new.h5")
	defer set.Close()
	for _, x := range []struct {
		path  string
		rows  [2]int // of the dataset
		bytes int64  // at most, the way through the index included
	}{
		{"layouts/raw_chunks", [2]int{7, 8}, 42 + 1500},    // one row of 21 voxels, and the index
		{"layouts/many_chunks", [2]int{700, 701}, 10_000},  // a page of 1024 entries
		{"layouts/many_grow", [2]int{700, 701}, 3000},      // a block of 256 entries
		{"layouts/many_grow_both", [2]int{3, 4}, 10_000},   // two nodes of a B-tree
		{"layouts/never_written", [2]int{3, 4}, 0},         // nothing is there
		{"layouts/compact", [2]int{3, 4}, 0},               // it was in the header
		{"layouts/one_chunk_gzip", [2]int{3, 4}, 300},      // the chunk
		{"types/plain_little_u2", [2]int{3, 4}, 14},        // one row
		{"layouts/never_written_chunks", [2]int{3, 4}, 99}, // the header of the index at most
	} {
		a := named(t, set, x.path)
		before := c.bytes.Load()
		r := a.Meta().Shape.Whole().With(lazy.Y, x.rows[0], x.rows[1])
		if r.Len(lazy.Z) > 1 {
			r = r.With(lazy.Z, 2, 3)
		}
		if _, err := loadertest.Read(context.Background(), a, r); err != nil {
			t.Errorf("%s: %v", x.path, err)
		}
		if read := c.bytes.Load() - before; read > x.bytes {
			t.Errorf("%s: a row reads %d bytes, at most %d are needed", x.path, read, x.bytes)
		}
	}
}

func TestOpeningReadsNoVoxel(t *testing.T) {
	set, c := counting(t, "imaris.ims")
	defer set.Close()
	// Of 12 datasets with 4 to 8 chunks each, the headers of 2 and the notes of a few groups.
	if n := c.bytes.Load(); n > 60_000 {
		t.Errorf("opening reads %d bytes", n)
	}
	set, c = counting(t, "bdv.h5")
	defer set.Close()
	if n := c.bytes.Load(); n > 50_000 {
		t.Errorf("opening reads %d bytes", n)
	}
}

func TestClosingClosesWhatLinksLedTo(t *testing.T) {
	set, c := counting(t, "bdv_parts.xml")
	a := set.Images[0].Levels[0].Array
	if _, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole()); err != nil {
		t.Fatal(err)
	}
	if n := c.open.Load(); n != 2 {
		t.Errorf("%d files are open, want the file and one that it links to", n)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	if n := c.open.Load(); n != 0 {
		t.Errorf("%d files are open at the end", n)
	}
	if _, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole()); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("reading after the end: %v", err)
	}
}
