package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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

// What was finished before the disk was full, or could no longer be written, is there when it can be written again.
func TestAnExportThatIsResumedLosesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("disk", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", "disk", "tmpfs", 0, "size=5m"); err != nil {
		t.Skipf("nothing was resumed on a full disk: a small one cannot be mounted here (%v)", err)
	}
	defer syscall.Unmount(filepath.Join(dir, "disk"), 0)
	remount := func(flags uintptr, size string) {
		t.Helper()
		if err := syscall.Mount("tmpfs", "disk", "tmpfs", syscall.MS_REMOUNT|flags, "size="+size); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "export", "sample:random?shape=1x40x1x300x300&dtype=uint16", "--out", "source.npy")
	text, err := os.ReadFile("source.npy")
	if err != nil {
		t.Fatal(err)
	}
	at, err := os.Stat("source.npy")
	if err != nil {
		t.Fatal(err)
	}
	must(t, "export", "source.npy", "--filter", "mean", "--out", "one.zarr")
	words := strings.Fields("export source.npy --filter mean --out disk/a.zarr --resume --quiet")
	refused := func(what, why string) {
		t.Helper()
		before := files(t, "disk/a.zarr.part")
		got := lamella(words...)
		if got.code != couldNot || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, why) {
			t.Errorf("%s: exit %d: %s", what, got.code, got.stderr)
		}
		now := files(t, "disk/a.zarr.part")
		for name, text := range before {
			if now[name] != text {
				t.Errorf("%s: %s was lost", what, name)
			}
		}
	}
	refused("a full disk", "no space left on device; disk/a.zarr.part keeps what is finished")
	if n := len(files(t, "disk/a.zarr.part")); n < 6 {
		t.Errorf("%d files are there", n)
	}
	refused("still full", "no space left")
	remount(syscall.MS_RDONLY, "5m")
	refused("a read-only folder", "read-only file system")
	remount(0, "60m")
	if err := os.Remove("source.npy"); err != nil {
		t.Fatal(err)
	}
	refused("no source", "source.npy")
	if err := os.WriteFile("source.npy", text, 0o644); err != nil {
		t.Fatal(err)
	}
	later := at.ModTime().Add(2 * time.Second)
	if err := os.Chtimes("source.npy", later, later); err != nil {
		t.Fatal(err)
	}
	refused("another source", "source.npy has changed since it was begun")
	if err := os.Chtimes("source.npy", at.ModTime(), at.ModTime()); err != nil {
		t.Fatal(err)
	}
	words[3] = "sobel"
	refused("another chain", `it was begun with the filters "mean", not with "sobel"`)
	words[3] = "mean"
	must(t, words...)
	got, want := files(t, "disk/a.zarr"), files(t, "one.zarr")
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files instead of %d", len(got), len(want))
	}
}
