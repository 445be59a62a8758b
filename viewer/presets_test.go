package viewer

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

func TestThePresetsGiveTheNumbersOfScipy(t *testing.T) {
	text, err := os.ReadFile("testdata/presets.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Voxels [][3]int
		Values map[string][]float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	source := microns(zyx("presets", lazy.U16, shape(6, 9, 10), func(z, y, x int) float64 {
		return float64((z*7919 + y*104729 + x*1299709) % 1000)
	}), 1, 0.25, 0.5)
	e := engine.New(engine.Options{Memory: 16 << 20, Workers: 1})
	defer e.Close()
	for _, p := range Presets() {
		sc, err := NewScene(dataset(source), 0, filters.Chain{withText(filters.Step{Filter: "stencil"}, p.Text)})
		if err != nil || sc.Fault != nil {
			t.Errorf("%s: %v, %v", p.Name, err, sc.Fault)
			continue
		}
		if h := sc.Rows[0].Formula.Halo; (h.Before[lazy.Z]+h.After[lazy.Z] > 0) != p.Volume {
			t.Errorf("%s is listed as one of the volume: %v, and reaches %v", p.Name, p.Volume, h)
		}
		values := want.Values[p.Name]
		if len(values) != len(want.Voxels) {
			t.Errorf("scipy was not asked for %s", p.Name)
			continue
		}
		for i, v := range want.Voxels {
			at := lazy.Index{0, v[0], 0, v[1], v[2]}
			b, _, err := e.Get(context.Background(), sc.Shown[0], lazy.At(at, lazy.Shape{1, 1, 1, 1, 1}), engine.Priority{})
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if got := b.Value(at); math.Abs(got-values[i]) > 1e-5*math.Max(1, math.Abs(values[i])) {
				t.Errorf("%s at %v is %v, scipy has %v", p.Name, v, got, values[i])
			}
		}
	}
	if len(want.Values) != len(Presets()) {
		t.Errorf("%d presets, %d asked scipy for", len(Presets()), len(want.Values))
	}
}
