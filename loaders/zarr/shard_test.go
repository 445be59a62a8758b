package zarr_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/zarr"
)

// A shard is its inner chunks and, at its end, their places and the checksum of these.
func TestShardsHoldWhatChunksWouldHold(t *testing.T) {
	s := lazy.Shape{2, 35, 1, 300, 700}
	for _, shard := range []lazy.Shape{{0, 32, 0, 512, 512}, {0, 0, 0, 1024, 1024}, {0, 16, 0, 256, 256}, {2, 64, 1, 512, 1024}} {
		if shard[lazy.T] > 0 {
			shard[lazy.T] = 1
		}
		b := ramp(s, lazy.U16)
		d := description(b)
		d.Channels = d.Channels[:1]
		d.Layout = loaders.Layout{Version: "0.5", Shard: shard}
		path := filepath.Join(t.TempDir(), "a.zarr")
		save(t, path, b, d)
		set := open(t, path)
		want := b
		for n, l := range set.Images[0].Levels {
			if n > 0 {
				before, after := set.Images[0].Levels[n-1].Array.Meta().Scale, l.Array.Meta().Scale
				step := lazy.Shape{1, 1, 1, 1, 1}
				for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
					step[a] = int(math.Round(after[a] / before[a]))
				}
				want = loaders.Reduce(want, step, false)
			}
			got, err := loadertest.Read(ctx, l.Array, l.Array.Meta().Shape.Whole())
			if err != nil || string(got.Bytes()) != string(want.Bytes()) {
				t.Errorf("shards of %v: level %d differs: %v", shard, n, err)
			}
		}
		files := 0
		for name := range tree(t, path) {
			if strings.HasPrefix(name, "0"+string(filepath.Separator)+"c") {
				files++
			}
		}
		cells := func(n, of int) int { return (n + of - 1) / of }
		z, y, x := max(16, shard[1]), max(256, shard[3]), max(256, shard[4])
		if want := 2 * cells(35, z) * cells(300, y) * cells(700, x); files != want {
			t.Errorf("shards of %v: %d files, want %d", shard, files, want)
		}
	}
	for name, l := range map[string]loaders.Layout{
		"no whole chunks":    {Version: "0.5", Shard: lazy.Shape{0, 20, 0, 256, 256}},
		"shards in 0.4":      {Shard: lazy.Shape{0, 32, 0, 256, 256}},
		"an unknown version": {Version: "0.6"},
		"a compression":      {Compression: "deflate"},
	} {
		d := description(ramp(s, lazy.U8))
		d.Layout = l
		path := filepath.Join(t.TempDir(), "a.zarr")
		if _, err := (zarr.Driver{}).Create(path, d); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
			t.Errorf("%s: something was left", name)
		}
	}
}
