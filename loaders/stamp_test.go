package loaders_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lamella/loaders"
	"lamella/loaders/n5"
	"lamella/loaders/store"
	"lamella/loaders/zarr"
)

func TestStampedIndices(t *testing.T) {
	for _, c := range []struct {
		grid []int
		want int
		last string
	}{
		{nil, 1, "[]"},
		{[]int{2, 3}, 6, "[1 2]"},
		{[]int{256, 256}, 1 << 16, "[255 255]"},
		{[]int{256, 257}, 256, "[255]"},
		{[]int{3, 1000, 1000, 4}, 3000, "[2 999]"},
		{[]int{1 << 20, 4}, 1, "[]"},
	} {
		n, last := 0, ""
		for at := range loaders.Stamped(c.grid) {
			n, last = n+1, fmt.Sprint(at)
		}
		if n != c.want || last != c.last {
			t.Errorf("%v: %d, the last %s; want %d, %s", c.grid, n, last, c.want, c.last)
		}
	}
}

// The stamp of an array is that of its chunks, or where there are very many of the folders that hold them.
func TestAStampTellsOfChunks(t *testing.T) {
	v2 := `{"zarr_format":2,"shape":[%s],"chunks":[1,1],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null%s}`
	v3 := `{"zarr_format":3,"node_type":"array","shape":[%s],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1,1]}},` +
		`"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes"}]}`
	for _, c := range []struct {
		driver              loaders.Driver
		meta, text          string
		chunk, where, other string // where is what changes when the chunk is replaced
	}{
		{zarr.Driver{}, ".zarray", fmt.Sprintf(v2, "4,5", ""), "3.4", "3.4", "3.5"},
		{zarr.Driver{}, ".zarray", fmt.Sprintf(v2, "4,5", `,"dimension_separator":"/"`), "3/4", "3/4", "3"},
		{zarr.Driver{}, "zarr.json", fmt.Sprintf(v3, "4,5"), "c/3/4", "c/3/4", "c/3"},
		{zarr.Driver{}, ".zarray", fmt.Sprintf(v2, "900,900", ""), "3.4", ".", "3.5"},
		{zarr.Driver{}, ".zarray", fmt.Sprintf(v2, "900,900", `,"dimension_separator":"/"`), "3/4", "3", "3/4"},
		{zarr.Driver{}, "zarr.json", fmt.Sprintf(v3, "900,900"), "c/3/4", "c/3", "c/3/4"},
		{n5.Driver{}, "attributes.json", `{"n5":"2.0.0","dimensions":[5,4],"blockSize":[1,1],"dataType":"uint8","compression":{"type":"raw"}}`, "4/3", "4/3", "4"},
		{n5.Driver{}, "attributes.json", `{"n5":"2.0.0","dimensions":[900,900],"blockSize":[1,1],"dataType":"uint8","compression":{"type":"raw"}}`, "4/3", "4", "4/3"},
	} {
		dir := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(c.meta, c.text)
		write(c.chunk, "x")
		write(c.other+"x", "x") // no chunk
		stamp := func() string {
			t.Helper()
			folder, err := store.Folder(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Close()
			set, err := c.driver.Open(t.Context(), loaders.Input{Path: dir, Store: folder})
			if err != nil {
				t.Fatal(err)
			}
			s, err := loaders.Stamp(context.Background(), set.Images[0].Levels[0].Array)
			if err != nil || s == "" {
				t.Fatalf("%q, %v", s, err)
			}
			return s
		}
		at := time.Unix(1_700_000_000, 0)
		touch := func(name string, when time.Time) {
			t.Helper()
			if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
				t.Fatal(err)
			}
		}
		touch(c.where, at)
		before := stamp()
		if other := c.other; other != c.where {
			if _, err := os.Stat(filepath.Join(dir, other)); err == nil {
				touch(other, at.Add(time.Hour))
			}
		}
		if now := stamp(); now != before {
			t.Errorf("%s: another stamp though nothing was changed that it is of", c.chunk)
		}
		touch(c.where, at.Add(time.Second))
		if stamp() == before {
			t.Errorf("%s: the stamp is the same when it is replaced", c.chunk)
		}
	}
}
