package cli

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/loaders/loadertest"
)

// Whatever the runs, what lies in a bucket or behind a server is what a folder holds, and opens.
func TestAnExportToAnAddressIsThatToAFolder(t *testing.T) {
	for _, lists := range []bool{true, false} {
		at, address := loadertest.NewDepot(t, lists)
		t.Setenv("LAMELLA_CACHE", "off")
		dir := t.TempDir()
		const source = "sample:blobs?shape=40x300x300&dtype=uint16&chunk=16x64x64"
		words := []string{"export", source, "--filter", "sobel", "--quiet", "--memory", "64MiB"}
		words = words[:len(words):len(words)]
		to := func(out string, more ...string) (string, int) {
			got := lamella(append(append(words, "--out", out), more...)...)
			return got.stderr, got.code
		}
		must(t, append(words, "--out", filepath.Join(dir, "one.zarr"))...)
		want := map[string]string{}
		top := os.DirFS(filepath.Join(dir, "one.zarr"))
		err := fs.WalkDir(top, ".", func(key string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				var p []byte
				p, err = fs.ReadFile(top, key)
				want[key] = string(p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, runs := range map[string][][]string{
			"at once": {{}}, "verified": {{"--resume", "--verify"}, {"--resume"}}, "shares": {{"--shard", "1/3"}, {"--shard", "0/3"}, {"--shard", "2/3"}, {"--shard", "finish", "--verify"}},
		} {
			at.Change(func(all map[string]string) { clear(all) })
			for _, run := range runs {
				if said, code := to(address, run...); code != 0 {
					t.Fatalf("%s: %s", name, said)
				}
			}
			got := at.All()
			for key, text := range want {
				if got[key] != text {
					t.Errorf("%s: %s differs", name, key)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d objects, %d in a folder", name, len(got), len(want))
			}
		}
		if about := must(t, "info", address); !strings.Contains(about, "40") {
			t.Errorf("info of it: %s", about)
		}
		if said, code := to(address, "--overwrite"); code != 1 || !strings.Contains(said, "remove it") {
			t.Errorf("an image is there: %s", said)
		}
		if said, code := to(strings.TrimSuffix(address, ".zarr") + ".tif"); code != 2 || !strings.Contains(said, "only .zarr") {
			t.Errorf("a TIFF: %s", said)
		}
		at.Change(func(all map[string]string) { clear(all) })
		at.Odd = func(w http.ResponseWriter, r *http.Request, _ int) bool {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		if said, code := to(address, "--resume"); code != 1 || strings.Count(said, "\n") != 1 || !strings.Contains(said, address) || !strings.Contains(said, "403") || strings.Contains(said, ".part") {
			t.Errorf("it may not be written: %s", said)
		}
	}
}
