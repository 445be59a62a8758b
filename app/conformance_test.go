package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lamella/loaders/loadertest"
)

// conformanceFloor is the share of the shared files that must be read right; what remains is refused
// with a reason.
const conformanceFloor = 0.78

// disputed are cases of which the shared manifest says what the file does not hold, with what is wrong in it.
var disputed = map[string]string{
	"w-vips-pyr-subifd-zstd":            "level 1 is listed with the shape and the values of level 0; tifffile and the file itself have half of it",
	"dicom-SC_rgb_small_odd_big_endian": "the samples of each 16-bit word are listed in the wrong order, and the byte of padding as a sample (PS3.5, 8.1.1)",
}

// TestConformance runs the command line over files with known contents, as the shared program does it.
func TestConformance(t *testing.T) {
	shared, why := loadertest.Shared()
	if why != "" {
		t.Skip(why)
	}
	const python = "/usr/bin/python3" // the one that the packages of make test belong to
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("not run: the conformance of the command line, since python3-numpy is missing")
	}
	dir := t.TempDir()
	bin, answers := filepath.Join(dir, "lamella"), filepath.Join(dir, "answers.json")
	build := exec.Command("go", "build", "-tags", "headless", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the command line: %v: %s", err, out)
	}
	out, err := exec.Command(python, filepath.Join(shared, "tools", "conformance.py"), "--bin", bin, "--data", filepath.Join(shared, "data"),
		"--format", "tiff,zarr,npy,sequence,hdf5,n5,dicom,nifti,nrrd,metaimage,mrc,mgh", "--json", answers).CombinedOutput()
	text, readErr := os.ReadFile(answers)
	if readErr != nil {
		t.Fatalf("conformance.py gave no answer: %v: %s", err, out)
	}
	var rows []struct {
		ID, Format, Why, Kind string
		OK                    bool
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, r := range rows {
		switch {
		case r.OK:
			right++
		case disputed[r.ID] != "":
			t.Logf("%s: %s", r.ID, disputed[r.ID])
		case strings.Contains("crash hang wrong", r.Kind):
			t.Errorf("%s: %s: %s", r.ID, r.Kind, r.Why)
		default:
			t.Logf("%s: %s: %s", r.ID, r.Kind, r.Why)
		}
	}
	t.Logf("%d of %d are right", right, len(rows))
	if len(rows) == 0 || float64(right) < conformanceFloor*float64(len(rows)) {
		t.Errorf("%d of %d are right, less than %.0f %%", right, len(rows), 100*conformanceFloor)
	}
}
