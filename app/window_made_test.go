//go:build !headless

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheSourceOfAnExportIsFoundWhereItMayBe(t *testing.T) {
	top := t.TempDir()
	for _, f := range []string{"data/a.tif", "data/moved.tif", "out/moved.tif", "out/edges.tif", "work/here.tif", "data/p_1.png"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.Dir(f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, f), []byte(f), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(top, "work"))
	in := func(name string) string { return filepath.Join(top, name) }
	for _, c := range []struct{ what, source, want string }{
		{"where it says", in("data/a.tif"), in("data/a.tif")},
		{"as seen from the export", "../data/a.tif", in("data/a.tif")},
		{"as seen from the working folder", "here.tif", "here.tif"},
		{"beside the export, since both were moved", "/gone/moved.tif", in("out/moved.tif")},
		{"a glob", in("data/p_*.png"), in("data/p_*.png")},
		{"a sample", "sample:cells", "sample:cells"},
		{"an address", "https://example.org/a.zarr", "https://example.org/a.zarr"},
		{"nowhere", "/gone/a.tif", ""},
		{"never the export itself", "edges.tif", ""},
	} {
		got, ok := sourceOf(c.source, in("out/edges.tif"))
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.what, got, ok, c.want)
		}
	}
}
