package tiff_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"lamella/lazy"
)

// readBack prints what Python's tifffile sees in a file: axes, shape, type, digest of the values
// with the low byte first, and the metadata that name the voxel size.
const readBack = `
import hashlib, json, sys, tifffile
with tifffile.TiffFile(sys.argv[1]) as f:
    s = f.series[0]
    a = s.asarray()
    p = f.pages[0]
    res = [p.tags[k].value for k in (282, 283)]
    ij = f.imagej_metadata or {}
    print(json.dumps({"kind": s.kind, "axes": s.axes, "shape": list(a.shape), "dtype": a.dtype.name,
        "sha256": hashlib.sha256(a.astype(a.dtype.newbyteorder("<")).tobytes()).hexdigest(),
        "x": res[0][0] / res[0][1], "y": res[1][0] / res[1][1],
        "unit": ij.get("unit", ""), "spacing": ij.get("spacing", 0), "finterval": ij.get("finterval", 0),
        "labels": ij.get("Labels", []), "ranges": ij.get("Ranges", []), "big": f.is_bigtiff, "ome": f.ome_metadata or ""}))
`

type seen struct {
	Kind, Axes, DType, SHA256, Unit, OME string
	Shape                                []int
	X, Y, Spacing, Finterval             float64
	Labels                               []string
	Ranges                               []float64
}

func readByTifffile(t *testing.T, path string) seen {
	t.Helper()
	out, err := exec.Command("/usr/bin/python3", "-c", readBack, path).Output()
	if err != nil {
		t.Fatalf("tifffile: %v", err)
	}
	var s seen
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("tifffile said %q: %v", out, err)
	}
	return s
}

func TestBR021AnotherReaderSeesTheSameVoxelsAndMicrometres(t *testing.T) {
	if exec.Command("/usr/bin/python3", "-c", "import tifffile").Run() != nil {
		t.Skip("not checked against another reader: python3-tifffile is not installed")
	}
	for _, c := range []struct {
		shape lazy.Shape
		dtype lazy.DType
		axes  string // as tifffile names them in an ImageJ file and in an OME-TIFF
		ome   string
	}{
		{lazy.Shape{1, 5, 1, 10, 10}, lazy.F32, "ZYX", "ZYX"},
		{lazy.Shape{1, 1, 1, 10, 12}, lazy.F32, "YX", "YX"},
		{lazy.Shape{3, 4, 2, 6, 5}, lazy.U16, "TZCYX", "TZCYX"},
		{lazy.Shape{3, 1, 1, 6, 5}, lazy.U8, "TYX", "TYX"},
		{lazy.Shape{1, 2, 1, 6, 5}, lazy.I16, "ZYX", "ZYX"},
		{lazy.Shape{1, 2, 1, 6, 5}, lazy.F64, "ZYX", "ZYX"},
	} {
		for ending, create := range kinds {
			b := random(c.shape, c.dtype)
			d := describe(b)
			if c.shape[lazy.C] == 2 {
				d.Channels = []lazy.Channel{{Name: "a", Color: "#ff0000", Limits: &[2]float64{1, 9}}, {Name: "b", Color: "#00ff00", Limits: &[2]float64{2, 8}}}
			}
			path := filepath.Join(t.TempDir(), "a"+ending)
			save(t, create, path, d, b)
			got := readByTifffile(t, path)
			axes, kind := c.axes, "imagej"
			if ending == ".ome.tif" {
				axes, kind = c.ome, "ome"
			}
			if got.Kind != kind || got.Axes != axes || got.DType != c.dtype.String() || got.SHA256 != fmt.Sprintf("%x", sha256.Sum256(b.Bytes())) {
				t.Errorf("%v %v%s: tifffile sees %s %s %s %v, values alike: %v", c.shape, c.dtype, ending, got.Kind, got.Axes, got.DType, got.Shape,
					got.SHA256 == fmt.Sprintf("%x", sha256.Sum256(b.Bytes())))
			}
			if ending == ".ome.tif" {
				continue
			}
			if got.X != 10 || got.Y != 10 || got.Unit != "micron" || got.Spacing != 0.3 || got.Finterval != 2.5 {
				t.Errorf("%v: %v and %v pixels a %s, spacing %v, interval %v", c.shape, got.X, got.Y, got.Unit, got.Spacing, got.Finterval)
			}
			if d.Channels != nil && (fmt.Sprint(got.Ranges) != "[1 9 2 8]" || len(got.Labels) != 24 || got.Labels[1] != "b") {
				t.Errorf("ranges %v, labels %q", got.Ranges, got.Labels)
			}
		}
	}
}
