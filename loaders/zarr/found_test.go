package zarr_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// zipped packs a folder below a prefix.
func zipped(t *testing.T, dir, prefix string, also ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "packed.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	add := func(name string, text []byte) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range also {
		add(name, []byte("a note"))
	}
	err = filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		add(prefix+filepath.ToSlash(rel), text)
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAnArchiveHoldsItsImageBelowAnyFolders(t *testing.T) {
	dir := objects(t, "a.zarr", map[string]string{"img/.zgroup": `{"zarr_format":2}`, "img/0/.zarray": v2("[2,2]", "[2,2]", "<u2", ""), "img/0/0.0": le16(1, 2, 3, 4)})
	for _, c := range []struct {
		what, prefix string
		also         []string
	}{
		{"at the top", "", nil},
		{"in a folder", "embryo.zarr/", nil},
		{"in folders of which each holds the next alone", "home/data/2026/embryo.zarr/", nil},
		{"beside what macOS adds", "data/embryo.zarr/", []string{"__MACOSX/data/._embryo.zarr", ".DS_Store"}},
	} {
		set := open(t, zipped(t, dir, c.prefix, c.also...))
		if len(set.Images) != 1 || values(t, set.Images[0].Levels[0].Array)[3] != 4 {
			t.Errorf("%s: %d images", c.what, len(set.Images))
		}
	}
	if _, err := registry.Open(ctx, zipped(t, dir, "a/b/c/", "notes/x"), loaders.Options{}); err == nil || !strings.Contains(err.Error(), "is a zip archive") {
		t.Errorf("an archive of several folders: %v", err)
	}
}

func TestWhatAnImageNamesAndIsNotThereIsTold(t *testing.T) {
	for _, c := range []struct {
		what  string
		gone  []string
		shape lazy.Shape // of the finest level that there is
		notes string
		fails string
	}{
		{"the finest level was not copied", []string{"0"}, lazy.Shape{1, 4, 1, 4, 4}, "Level 0 of the top is missing: there is no array 0", ""},
		{"two of three", []string{"0", "1"}, lazy.Shape{1, 2, 1, 2, 2}, "Level 1 of the top is missing", ""},
		{"the coarsest", []string{"2"}, lazy.Shape{1, 8, 1, 8, 8}, "Level 2 of the top and those after it were left out", ""},
		{"all", []string{"0", "1", "2"}, lazy.Shape{}, "", "none of the arrays that its multiscales name is there, such as 0"},
	} {
		all := pyramid("0.4")
		for key := range all {
			for _, g := range c.gone {
				if strings.HasPrefix(key, g+"/") {
					delete(all, key)
				}
			}
		}
		set, err := registry.Open(ctx, objects(t, "a.zarr", all), loaders.Options{})
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s: %v, want %q", c.what, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := set.Images[0].Levels[0].Array.Meta().Shape; got != c.shape || !strings.Contains(strings.Join(set.Warnings, " "), c.notes) {
			t.Errorf("%s: %v, notes %q", c.what, got, set.Warnings)
		}
		set.Close()
	}
}

func TestAttributesMayHoldWhatPythonWritesForNoNumber(t *testing.T) {
	all := pyramid("0.4")
	all[".zattrs"] = strings.Replace(all[".zattrs"], "{", `{"mean": NaN, "range": [-Infinity, Infinity], `, 1)
	set := open(t, objects(t, "a.zarr", all))
	if len(set.Images) != 1 || len(set.Images[0].Levels) != 3 || len(set.Warnings) > 0 {
		t.Errorf("%d images, notes %q", len(set.Images), set.Warnings)
	}
	a := open(t, objects(t, "b.zarr", map[string]string{".zarray": v2("[1,1]", "[1,1]", "<f4", `,"fill_value":NaN`)}))
	if v := values(t, a.Images[0].Levels[0].Array)[0]; v == v {
		t.Errorf("a fill value of NaN reads %v", v)
	}
}

func TestMetadataOfAnotherKindAreToldInWords(t *testing.T) {
	all := pyramid("0.4")
	all[".zattrs"] = `{"multiscales": "none"}`
	set := open(t, objects(t, "a.zarr", all))
	if want := `"multiscales" is a text where a list is expected`; len(set.Warnings) == 0 || !strings.Contains(set.Warnings[0], want) {
		t.Errorf("notes %q, want %q", set.Warnings, want)
	}
}
