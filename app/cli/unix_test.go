//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestBR024AnEntryThatNeverAnswersIsLeftOut(t *testing.T) {
	t.Chdir(t.TempDir())
	npy(t, "plane.npy", "<f4", []int{2, 3}, count(6))
	if err := os.Mkdir("planes", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		must(t, "export", "plane.npy", "--out", "planes/"+name+".tif")
	}
	if err := syscall.Mkfifo("planes/p.tif", 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("gone.tif", "planes/y.tif"); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"planes", "planes/*.tif"} {
		var about description
		if err := json.Unmarshal([]byte(must(t, "info", source, "--json")), &about); err != nil {
			t.Fatal(err)
		}
		left := strings.Join(about.Warnings, " ")
		if z := about.Images[0].Shape.Z; z != 3 || !strings.Contains(left, "p.tif") || !strings.Contains(left, "y.tif") {
			t.Errorf("%s has %d planes and says %q", source, z, about.Warnings)
		}
	}
	for _, source := range []string{"planes/p.tif", "planes/y.tif"} {
		if got := lamella("info", source); got.code != couldNot || !strings.Contains(got.stderr, source) {
			t.Errorf("%s: exit %d: %s", source, got.code, got.stderr)
		}
	}
	must(t, "info", "planes/a.tif")
}

// Work that would take an hour ends at an interrupt, with one line and no half file.
func TestAnInterruptEndsTheWork(t *testing.T) {
	// The test hears the signal as well, so that it does not end before Main listens.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt)
	defer signal.Stop(heard)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	for _, words := range []string{
		"slice sample:slow?ms=3600000 --out a.tif",
		"slice sample:slow?ms=3600000 --filter sobel --out -",
		"export sample:slow?ms=3600000 --out a.npy",
		"export sample:slow?ms=3600000&shape=500x512x512 --memory 64MiB --out a.npy",
		"bench plane sample:slow?ms=3600000",
		"info sample:slow?ms=3600000 --stats-sample",
	} {
		ended := make(chan said)
		go func() {
			var out, stderr bytes.Buffer
			code := Main(strings.Fields(words), strings.NewReader(""), &out, &stderr)
			ended <- said{code, out.String(), stderr.String()}
		}()
		again := time.NewTicker(50 * time.Millisecond)
		for got := (*said)(nil); got == nil; {
			select {
			case s := <-ended:
				got = &s
				if s.code != couldNot || strings.Count(s.stderr, "\n") != 1 || !strings.Contains(s.stderr, "interrupted") || s.stdout != "" {
					t.Errorf("%s: exit %d: %s", words, s.code, s.stderr)
				}
			case <-again.C:
				if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
			}
		}
		again.Stop()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is left", words, left)
		}
	}
}
