package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A chunk of the source that is written over between two runs, its metadata untouched, is a changed source.
func TestAChunkWrittenOverBetweenTwoRunsIsNoticed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, ome := range []string{"0.4", "0.5"} {
		source, out := "source-"+ome+".zarr", "out-"+ome+".zarr"
		must(t, "export", "sample:random?shape=40x300x300", "--out", source, "--ome", ome)
		words := []string{"export", source, "--filter", "sobel", "--out", out, "--quiet"}
		must(t, append(words, "--shard", "0/2")...)
		chunk := filepath.Join(source, "0", "0", "0", "1", "0", "0")
		if ome == "0.5" {
			chunk = filepath.Join(source, "0", "c", "0", "0", "1", "0", "0")
		}
		at, err := os.Stat(chunk)
		if err != nil {
			t.Fatal(err)
		}
		later := at.ModTime().Add(time.Second)
		if err := os.Chtimes(chunk, later, later); err != nil {
			t.Fatal(err)
		}
		for _, way := range [][]string{{"--shard", "1/2"}, {"--shard", "finish"}, {"--resume"}} {
			got := lamella(append(words, way...)...)
			if got.code != couldNot || !strings.Contains(got.stderr, source+" has changed since it was begun") || strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("%v: exit %d: %s", way, got.code, got.stderr)
			}
		}
		if err := os.Chtimes(chunk, at.ModTime(), at.ModTime()); err != nil {
			t.Fatal(err)
		}
		must(t, append(words, "--resume")...)
	}
}
