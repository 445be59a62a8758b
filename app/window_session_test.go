//go:build !headless

package main

import (
	"path/filepath"
	"testing"
)

func TestAFolderIsChosenByWhatIsInIt(t *testing.T) {
	for _, c := range []struct{ path, name, want string }{
		{"/data/new/embryo.ome.zarr/0/0/1", "embryo.ome.zarr", "/data/new/embryo.ome.zarr"},
		{"/data/new/stack.tif", "stack.tif", "/data/new/stack.tif"},
		{"/data/new/renamed.tif", "stack.tif", "/data/new/renamed.tif"},
	} {
		if got := holding(filepath.FromSlash(c.path), c.name); got != filepath.FromSlash(c.want) {
			t.Errorf("by %s %s is found at %s, want %s", c.path, c.name, got, c.want)
		}
	}
	dir := t.TempDir()
	if got := nearest(filepath.Join(dir, "gone", "deeper")); got != dir {
		t.Errorf("what is there of a folder that has gone is %s, want %s", got, dir)
	}
}
