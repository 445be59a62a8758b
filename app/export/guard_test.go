package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatMayBeWritten(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, f := range []string{"a.tif", "b.tif", "seq/1.png", "seq/2.png", "v.zarr/.zarray"} {
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"alias.tif": "a.tif", "nowhere.tif": "gone", "linked": "seq"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link("a.tif", "hard.tif"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		out, source string
		replace     bool
		want        string // "" if it may be
	}{
		{"new.tif", "a.tif", false, ""},
		{"new.tif", "sample:cells", false, ""},
		{"b.tif", "a.tif", false, "exists already"},
		{"b.tif", "a.tif", true, ""},
		{"a.tif", "a.tif", true, "the source itself"},
		{"./seq/../a.tif", "a.tif", true, "the source itself"},
		{"alias.tif", "a.tif", true, "the source itself"},
		{"a.tif", "alias.tif", true, "the source itself"},
		{"hard.tif", "a.tif", true, "the source itself"},
		{"seq/1.png", "seq", true, "a part of the source"},
		{"linked/1.png", "seq", true, "a part of the source"},
		{"seq/1.png", "seq/*.png", true, "the source itself"},
		{"seq/new.png", "seq", false, "would lie in the source"},
		{"linked/new.png", "seq", false, "would lie in the source"},
		{"v.zarr/0.npy", "./v.zarr", true, "would lie in the source"},
		{"seq/new.png", "seq/*.png", false, ""},
		{"v.zarr", "v.zarr", true, "the source itself"},
		{"v.zarr", "v.zarr/.zarray", true, "holds the source"},
		{"v.zarr", "a.tif", true, ""},
		{"nowhere.tif", "a.tif", true, "link to nowhere"},
		{"none/new.tif", "a.tif", false, "folder"},
		{"a.tif/new.tif", "b.tif", false, "a.tif"},
		{"a[1.tif", "a[1.tif", false, ""},
		{"s3://b/v.zarr", "a.tif", false, ""},
		{"s3://b/v.zarr", "s3://b/w.zarr", false, ""},
		{"s3://b/v.zarr/", "s3://b/v.zarr", true, "the source itself"},
		{"s3://b/v.zarr/0", "s3://b/v.zarr", true, "would lie in the source"},
		{"s3://b/v.zarr", "s3://b/v.zarr/0", true, "holds the source"},
	} {
		err := Check(c.out, c.source, c.replace)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s from %s: %v", c.out, c.source, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.out)):
			t.Errorf("%s from %s: error %v, want %q", c.out, c.source, err, c.want)
		}
	}
}
