package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that fills up while a file is written ends with one line that says so, and holds nothing afterwards.
func TestAFullDiskLeavesNothingAndSaysSo(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("nothing was written to a full disk: a small one cannot be mounted here (%v)", err)
	}
	defer syscall.Unmount(disk, 0)
	const source = "sample:random?shape=1x4x1x1000x1000&dtype=uint16&chunk=1x4x1x256x256"
	for _, words := range []string{
		"--out a.tif", "--out a.npy", "--out a.ome.tif", "--out a.ome.tif --compression zstd", "--out a.zarr", "--out a.zarr --compression none",
		"--out a.zarr --ome 0.5", "--out a.zarr --ome 0.5 --shard-shape 32,512,512", "--out a.png --values --roi z=3:4",
	} {
		args := strings.Fields(words)
		args[1] = filepath.Join(disk, args[1])
		got := lamella(append([]string{"export", source, "--quiet"}, args...)...)
		if got.code != couldNot || !strings.Contains(got.stderr, "no space left") || !strings.Contains(got.stderr, args[1]) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d: %s", words, got.code, got.stderr)
		}
		if left, _ := os.ReadDir(disk); len(left) > 0 {
			t.Errorf("%s: %v is left", words, left)
		}
	}
}
