//go:build unix

package cli

import (
	"strings"
	"testing"
)

// A budget that is too little for what neighbouring parts have in common costs time, and is told in one line.
func TestLittleMemoryIsToldOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	words := strings.Fields("export sample:random?shape=16x256x512&chunk=8x64x64&dtype=uint8 --filter sobel|gaussian --out")
	const told = "lamella: warning: chunks are read again and again, since 12 MiB of memory"
	little := lamella(append(words, "little.zarr", "--memory", "12MiB")...)
	if little.code != done || strings.Count(little.stderr, told) != 1 {
		t.Errorf("exit %d: %s", little.code, little.stderr)
	}
	for _, more := range [][]string{{"--memory", "12MiB", "--quiet"}, {"--memory", "1GiB"}} {
		if got := lamella(append(append(words, "much.zarr", "--overwrite"), more...)...); got.code != done || strings.Contains(got.stderr, "again") {
			t.Errorf("%v: exit %d: %s", more, got.code, got.stderr)
		}
	}
	small := files(t, "little.zarr")
	for name, text := range files(t, "much.zarr") {
		if small[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}
