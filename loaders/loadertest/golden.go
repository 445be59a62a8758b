package loadertest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// A golden is what an independent program says of one file.
type golden struct {
	File   string
	Stored bool // as loaders.Options.Stored
	Shape  lazy.Shape
	DType  string
	SHA256 string             // of the voxels as little-endian bytes, T Z C Y X
	Scale  map[string]float64 // in micrometres, or seconds for t; what is not there is not known
	Origin map[string]float64 // in micrometres
	RGB    bool               // the channels are a colour
	Says   string             // part of one of the warnings
	Unit   string             // of Scale, where the file states none: "-"
	Refuse string             // part of the error, if it has to be refused
}

// Golden compares the files of a folder with what an independent program wrote about them into its expect.json; the
// script that ran it lies there as make.py.
func Golden(t *testing.T, r loaders.Registry, dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Error("expect.json is empty")
	}
	for _, g := range all {
		t.Run(g.File, func(t *testing.T) { g.run(t, r, dir) })
	}
}

func (g golden) run(t *testing.T, r loaders.Registry, dir string) {
	set, err := r.Open(context.Background(), filepath.Join(dir, g.File), loaders.Options{Stored: g.Stored})
	if g.Refuse != "" {
		if err == nil || !strings.Contains(err.Error(), g.Refuse) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want an error with %q", err, g.Refuse)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	image := set.Images[0]
	a := image.Levels[0].Array
	m := a.Meta()
	if m.Shape != g.Shape || m.DType.String() != g.DType || image.RGB != g.RGB {
		t.Fatalf("%v %v, colour %v; want %v %v, %v", m.Shape, m.DType, image.RGB, g.Shape, g.DType, g.RGB)
	}
	b, err := Read(context.Background(), a, m.Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := littleEndian(b, g.DType)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != g.SHA256 {
		t.Error("the voxels differ")
	}
	for i, name := range []string{"t", "z", "c", "y", "x"} {
		if want := g.Scale[name]; math.Abs(m.Scale[i]-want) > 1e-6*want {
			t.Errorf("neighbours along %s are %v apart, want %v", name, m.Scale[i], want)
		}
		if want := g.Origin[name]; math.Abs(m.Origin[i]-want) > 1e-6*math.Abs(want) {
			t.Errorf("the origin along %s is %v, want %v", name, m.Origin[i], want)
		}
		unit := map[bool]string{true: "s", false: "um"}[name == "t"]
		if g.Unit == "-" {
			unit = ""
		}
		if m.Scale[i] > 0 && m.Unit[i] != unit {
			t.Errorf("the unit along %s is %q, want %q", name, m.Unit[i], unit)
		}
	}
	if said := strings.Join(set.Warnings, " "); !strings.Contains(said, g.Says) || g.Says == "" && said != "" {
		t.Errorf("it says %q, want %q", said, g.Says)
	}
}
