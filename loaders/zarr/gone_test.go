package zarr_test

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

// sparse are arrays of 4 x 4 of which only the first chunk is stored, by the way they are described.
func sparse() map[string]map[string]string {
	zarray := v2("[4,4]", "[2,2]", "<u2", `,"fill_value":9`)
	v3array := v3("[4,4]", "[2,2]", "uint16", "9", bytesLE)
	return map[string]map[string]string{
		"version 2":               {"a/.zarray": zarray, "a/0.0": le16(7, 7, 7, 7), ".zgroup": `{"zarr_format":2}`},
		"version 3":               {"a/zarr.json": v3array, "a/c/0/0": le16(7, 7, 7, 7), "zarr.json": `{"zarr_format":3,"node_type":"group"}`},
		"version 2, consolidated": {"a/.zarray": zarray, "a/0.0": le16(7, 7, 7, 7), ".zgroup": `{"zarr_format":2}`, ".zmetadata": `{"metadata":{".zgroup":{"zarr_format":2},"a/.zarray":` + zarray + `}}`},
	}
}

func TestAnArrayThatVanishedIsNotTakenForItsFillValue(t *testing.T) {
	for name, all := range sparse() {
		for _, gone := range []string{"", "a"} {
			top := objects(t, "s.zarr", all)
			a := open(t, top).Images[0].Levels[0].Array
			if v := values(t, a); v[0] != 7 || v[15] != 9 {
				t.Errorf("%s: reads %v", name, v)
			}
			if err := os.RemoveAll(filepath.Join(top, gone)); err != nil {
				t.Fatal(err)
			}
			_, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
			if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "gone") || !strings.Contains(err.Error(), "s.zarr/a") {
				t.Errorf("%s, %q removed: %v", name, gone, err)
			}
		}
	}
}

// Consolidated metadata tell of an array whose folder is no longer there: it is not opened as all fill value.
func TestAnArrayThatIsGoneIsNotOpenedByItsGroupsMetadata(t *testing.T) {
	all := sparse()["version 2, consolidated"]
	top := objects(t, "s.zarr", all)
	if err := os.RemoveAll(filepath.Join(top, "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Open(ctx, top, loaders.Options{}); err == nil || !strings.Contains(err.Error(), "gone") || !strings.Contains(err.Error(), "s.zarr") {
		t.Errorf("with its folder removed: %v", err)
	}
	delete(all, "a/.zarray")
	if v := values(t, open(t, objects(t, "t.zarr", all)).Images[0].Levels[0].Array); v[0] != 7 {
		t.Errorf("without metadata of its own, but with a chunk: %v", v)
	}
}

func TestAnArrayWhoseMetadataChangedIsToBeReloaded(t *testing.T) {
	for name, all := range sparse() {
		top := objects(t, "s.zarr", all)
		a := open(t, top).Images[0].Levels[0].Array
		key := "a/.zarray"
		if _, ok := all[key]; !ok {
			key = "a/zarr.json"
		}
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(top, key), later, later); err != nil {
			t.Fatal(err)
		}
		if _, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole()); err == nil || !strings.Contains(err.Error(), "reload") || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAChunkThatIsNoFileIsNamedAndNotFilled(t *testing.T) {
	for name, all := range sparse() {
		last := "a/1.1"
		if _, ok := all["a/zarr.json"]; ok {
			last = "a/c/1/1"
		}
		for what, make := range map[string]func(path string) error{
			"a link to nowhere": func(p string) error { return os.Symlink("../.git/annex/objects/gone", p) },
			"a folder":          func(p string) error { return os.Mkdir(p, 0o777) },
		} {
			top := objects(t, "s.zarr", all)
			path := filepath.Join(top, filepath.FromSlash(last))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil {
				t.Skipf("%s was not tried: %v", what, err)
			}
			a := open(t, top).Images[0].Levels[0].Array
			_, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
			if err == nil || !strings.Contains(err.Error(), "chunk 1/1") || !strings.Contains(err.Error(), what) {
				t.Errorf("%s, a chunk that is %s: %v", name, what, err)
			}
		}
	}
}

func TestChunksThatAnArchiveDoesNotHoldAreTheFillValue(t *testing.T) {
	for name, all := range sparse() {
		path := filepath.Join(t.TempDir(), "s.zarr.zip")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for key, text := range all {
			w, err := z.Create(key)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		a := open(t, path).Images[0].Levels[0].Array
		if v := values(t, a); a.Meta().Shape != (lazy.Shape{1, 1, 1, 4, 4}) || v[0] != 7 || v[15] != 9 {
			t.Errorf("%s: reads %v", name, v)
		}
	}
}
