//go:build !headless

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"lamella/viewer/ui"
)

func TestTheWordsOfAWindowAreADeviceAndSources(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args    string
		device  ui.Device
		sources string
		fails   string
	}{
		{"", "", "", ""},
		{"a.tif b.tif", "", "a.tif b.tif", ""},
		{"--device gpu a.tif", ui.Graphics, "a.tif", ""},
		{"a.tif --device=cpu", ui.Processor, "a.tif", ""},
		{"--device auto", ui.Automatic, "", ""},
		{"-- --device gpu", "", "--device gpu", ""},
		{"--device gpu -- --device", ui.Graphics, "--device", ""},
		{"--device fast", "", "", "--device fast: not auto, cpu or gpu"},
		{"a.tif --device", "", "", "expected auto, cpu or gpu"},
		{"a.tif --filter sobel", "", "", "--filter: the window has no such flag"},
		{"a.tif -- --filter", "", "a.tif --filter", ""},
		{"--device=", "", "", "not auto, cpu or gpu"},
	} {
		device, sources, err := windowWords(strings.Fields(c.args))
		switch {
		case c.fails != "":
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: %v, want %q", c.args, err, c.fails)
			}
		case err != nil || device != c.device || strings.Join(sources, " ") != c.sources:
			t.Errorf("%q: device %q, sources %q, %v", c.args, device, sources, err)
		}
	}
	if err := os.WriteFile("--device", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if device, sources, err := windowWords([]string{"--device", "gpu"}); device != "" || fmt.Sprint(sources) != "[--device gpu]" || err != nil {
		t.Errorf("a file of that name: %q, %q, %v", device, sources, err)
	}
}

func TestTheWindowTakesADeviceAndTheCommandLineAVerb(t *testing.T) {
	for args, verb := range map[string]bool{
		"": false, "a.tif": false, "--device gpu": false, "--device=gpu a.tif": false, "--device gpu slice a.tif": true,
		"slice a.tif": true, "--help": true, "-- slice": false,
	} {
		if got := wantsVerb(strings.Fields(args)); got != verb {
			t.Errorf("%q is for the command line: %v, want %v", args, got, verb)
		}
	}
}

func TestARendererIsCalledByItsName(t *testing.T) {
	for renderer, want := range map[string]string{
		"llvmpipe (LLVM 15.0.6, 256 bits)":              "llvmpipe",
		"NVIDIA GeForce RTX 4090/PCIe/SSE2":             "NVIDIA GeForce RTX 4090",
		"Mesa Intel(R) UHD Graphics 620 (KBL GT2)":      "Mesa Intel(R) UHD Graphics 620",
		"AMD Radeon Pro W6800 (navi21, LLVM 17, DRM 3)": "AMD Radeon Pro W6800",
	} {
		if got := shortName(renderer); got != want {
			t.Errorf("%q is called %q, want %q", renderer, got, want)
		}
	}
}
