//go:build unix && cgo && !headless

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lamella/lazy/engine"
)

// onDevice skips a test where no device can be opened.
func onDevice(t *testing.T) {
	t.Helper()
	if _, err := graphics(); err != nil {
		t.Skipf("not run: work on the graphics device: %v", err)
	}
}

func TestTheDeviceWritesTheProcessorsBytes(t *testing.T) {
	onDevice(t)
	t.Chdir(t.TempDir())
	for _, device := range []string{"gpu", "cpu", "auto"} {
		must(t, "slice", "sample:random?shape=9x64x80&dtype=uint16", "--filter", "gaussian sigma=1.5 | sobel | mean | unsharp",
			"--device", device, "--out", device+".npy", "--stats", device+".json")
	}
	var s engine.Stats
	b, err := os.ReadFile("gpu.json")
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil || s.Device != "gpu" || s.ReadBacks != 1 || s.Uploads != s.ChunksRead {
		t.Errorf("%+v, %v: want all on the device, each chunk carried over once and one plane back", s, err)
	}
	want, err := os.ReadFile("cpu.npy")
	if err != nil {
		t.Fatal(err)
	}
	for _, device := range []string{"gpu", "auto"} {
		if got, err := os.ReadFile(device + ".npy"); err != nil || !bytes.Equal(got, want) {
			t.Errorf("--device %s wrote other bytes, %v", device, err)
		}
	}
}

func TestTheDeviceIsListedWithItsMemoryAndEveryFilter(t *testing.T) {
	onDevice(t)
	var got []device
	if err := json.Unmarshal([]byte(must(t, "devices", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1].Test != "ok" || got[1].Budget <= 0 || got[1].Filters["sobel"] != "gpu" || got[1].Filters["median"] != "cpu" {
		t.Errorf("devices %+v", got)
	}
	if text := must(t, "devices"); !strings.Contains(text, "on gpu: ") || !strings.Contains(text, "for voxels") {
		t.Error(text)
	}
}

// Work that would take minutes on the device ends when it is told to, at whatever moment, with one line and no
// half file.
func TestAnInterruptEndsWorkOnTheDevice(t *testing.T) {
	onDevice(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for round := range 6 {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan said, 1)
		go func() {
			var out, stderr bytes.Buffer
			words := "export sample:blobs?shape=512x1024x1024&chunk=32x128x128&dtype=uint16 --device gpu --quiet --out a.npy"
			code := Run(ctx, append(strings.Fields(words), "--filter", "gaussian sigma=2 | sobel"), strings.NewReader(""), &out, &stderr)
			ended <- said{code, out.String(), stderr.String()}
		}()
		time.Sleep(time.Duration(round) * 60 * time.Millisecond)
		cancel()
		if got := <-ended; got.code != couldNot || !strings.Contains(got.stderr, "interrupted") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("exit %d: %s", got.code, got.stderr)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	}
}
