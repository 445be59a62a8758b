package viewer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
)

// labelled is the volume of testdata/objects.py with its labels, both in chunks.
func labelled() *lazy.Dataset {
	values := microns(zyx("values", lazy.U16, shape(7, 15, 21), func(z, y, x int) float64 {
		return float64((x*37 + y*91 + z*13 + (x*y)%13*17) % 1000)
	}), 2, 0.5, 0.25)
	labels := microns(zyx("labels", lazy.U16, shape(7, 15, 21), func(z, y, x int) float64 {
		if (x+y)%5 == 0 {
			return 0
		}
		return float64(1 + x/4 + 7*(y/6) + 300*(z/3))
	}), 2, 0.5, 0.25)
	values.meta.Chunk, labels.meta.Chunk, labels.meta.Labels = shape(2, 8, 8), shape(3, 4, 16), true
	set := dataset(values)
	set.Images = append(set.Images, dataset(labels).Images...)
	set.Images[1].Name = "cells"
	return set
}

func laid(t *testing.T) (*Scene, State) {
	t.Helper()
	sc, s := scene(t, labelled(), 210, 150)
	s = act(sc, s, LayOver(1))
	sc.lay(s.Overlay)
	return sc, s
}

func TestObjectsAreThoseOfScikitImage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "objects.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want []struct {
		Label          int64
		Voxels         int
		Centroid       [3]float64
		Bbox           [6]int
		Mean, Min, Max float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	sc, s := laid(t)
	v, err := sc.Survey(s, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.Objects(context.Background(), newEngine(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d objects, want %d", len(got), len(want))
	}
	for i, w := range want {
		o := got[i]
		box := [6]int{o.Box.Min[lazy.Z], o.Box.Min[lazy.Y], o.Box.Min[lazy.X], o.Box.Max[lazy.Z], o.Box.Max[lazy.Y], o.Box.Max[lazy.X]}
		if o.Label != w.Label || o.Voxels != w.Voxels || box != w.Bbox {
			t.Errorf("%+v, want %+v", o, w)
		}
		for k, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if !near9(o.Centroid[a], w.Centroid[k]) {
				t.Errorf("the middle of %d is %v, want %v", o.Label, o.Centroid, w.Centroid)
			}
		}
		if m := o.Values[0]; !near9(m.Mean, w.Mean) || m.Least != w.Min || m.Most != w.Max {
			t.Errorf("%d holds %+v, want %+v", o.Label, m, w)
		}
		if got := v.Volume(o); !near9(got, float64(w.Voxels)*0.25) {
			t.Errorf("%d is %v µm³", o.Label, got)
		}
	}
}

func TestWhatListingTakesIsSaidBefore(t *testing.T) {
	sc, s := laid(t)
	v, _ := sc.Survey(s, true)
	if v.Chunks != 3*4*2 || v.Bytes != 7*15*21*2 || v.Over != 4*2*3 || v.OverBytes != v.Bytes {
		t.Errorf("%d chunks of %d bytes, and %d of %d", v.Chunks, v.Bytes, v.Over, v.OverBytes)
	}
	if v, _ = sc.Survey(s, false); v.Over != 0 || v.Values.Valid() {
		t.Errorf("values that nobody asked for take %d chunks", v.Over)
	}
	float, at := scene(t, dataset(zyx("real", lazy.F32, shape(4, 4), nil)), 10, 10)
	if _, err := float.Survey(at, false); !errors.Is(err, ErrNoLabels) {
		t.Errorf("real numbers have objects: %v", err)
	}
	alone, at := scene(t, dataset(zyx("alone", lazy.U8, shape(4, 4), nil)), 10, 10)
	if v, err := alone.Survey(at, true); err != nil || v.WhyNoValue != "alone" || v.Values.Valid() || !v.Flat() {
		t.Errorf("%+v, %v", v, err)
	}
}

// The second channel holds the labels, the others what is measured in them.
func TestObjectsOfTheChosenChannelHaveTheValuesOfAll(t *testing.T) {
	f := formula{name: "labels in a channel", meta: lazy.Meta{Shape: lazy.Shape{1, 2, 3, 4, 6}, Chunk: lazy.Shape{1, 1, 2, 4, 6}, DType: lazy.U16}}
	f.value = func(i lazy.Index) float64 {
		switch label := i[lazy.X] / 2; i[lazy.C] {
		case 1:
			return float64(label)
		default:
			return float64(100*i[lazy.C] + 10*label + i[lazy.Z])
		}
	}
	sc, s := scene(t, dataset(f), 60, 40)
	s = act(sc, s, MoveTo(lazy.C, 1))
	v, err := sc.Survey(s, true)
	if err != nil || v.Channel != 1 || v.WhyNoValue != "" {
		t.Fatalf("%+v, %v", v, err)
	}
	all, err := v.Objects(context.Background(), newEngine(t), nil)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d objects, %v", len(all), err)
	}
	for i, o := range all {
		label := i + 1
		if o.Label != int64(label) || o.Voxels != 16 || o.Centroid[lazy.X] != float64(2*label)+0.5 {
			t.Errorf("object %d is %+v", label, o)
		}
		for c, want := range []Moments{{Mean: float64(10*label) + 0.5, Least: float64(10 * label), Most: float64(10*label + 1)}, {Mean: float64(label), Least: float64(label), Most: float64(label)},
			{Mean: float64(200+10*label) + 0.5, Least: float64(200 + 10*label), Most: float64(200 + 10*label + 1)}} {
			if m := o.Values[c]; m.Mean != want.Mean || m.Least != want.Least || m.Most != want.Most {
				t.Errorf("in object %d channel %d has %+v, want %+v", label, c+1, m, want)
			}
		}
	}
}

func TestObjectsAreATableOfTheirOwn(t *testing.T) {
	sc, s := laid(t)
	v, _ := sc.Survey(s, true)
	all, err := v.Objects(context.Background(), newEngine(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := v.WriteObjects(&out, []string{"DAPI"}, "gaussian", all[:1]); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if want := "label,t,voxels,volume_um3,area_um2,x,y,z,x_um,y_um,z_um,x_min,x_max,y_min,y_max,z_min,z_max,mean DAPI,min DAPI,max DAPI,filters"; lines[0] != want {
		t.Errorf("headed %s", lines[0])
	}
	if !strings.HasPrefix(lines[1], "1,1,57,14.25,,") || !strings.HasSuffix(lines[1], ",gaussian") {
		t.Errorf("a line is %s", lines[1])
	}
}

// Labels of another resolution lie at the same place in the world, and so does an object that is gone to.
func TestLabelsLieWhereTheirVoxelsAre(t *testing.T) {
	fine := microns(zyx("fine", lazy.U8, shape(8, 16, 16), func(_, _, _ int) float64 { return 100 }), 1, 1, 1)
	coarse := microns(zyx("coarse", lazy.U16, shape(8, 4, 4), func(_, y, x int) float64 {
		if y == 2 && x == 1 {
			return 5
		}
		return 0
	}), 1, 4, 4)
	coarse.meta.Origin[lazy.Y], coarse.meta.Origin[lazy.X] = 1.5, 1.5 // as a mean of four lies
	set := dataset(fine)
	set.Images = append(set.Images, dataset(coarse).Images...)
	b := open(t, set, Options{})
	b.Act(Resize(160, 160))
	b.Act(SetLUT(0, "Grays"))
	b.Act(SetLimits(0, Limits{0, 255}))
	grey := [3]uint8{100, 100, 100}
	if c := colorAt(b.settled(), 5, 9); c != grey {
		t.Fatalf("without labels %v", c)
	}
	b.Act(LayOver(1))
	f := b.until("labels", func(f *Frame, r Report) bool { return f.State.Overlay.On && !f.Partial && colorAt(f, 5, 9) != grey })
	for _, at := range [][2]int{{4, 8}, {7, 11}, {5, 10}} {
		if c := colorAt(f, at[0], at[1]); c == grey {
			t.Errorf("voxel %v has no label", at)
		}
	}
	for _, at := range [][2]int{{3, 8}, {8, 9}, {4, 7}, {6, 12}} {
		if c := colorAt(f, at[0], at[1]); c != grey {
			t.Errorf("voxel %v has the colour %v, want none of a label", at, c)
		}
	}
	b.Act(OutlineOverlay(true))
	b.until("edges alone", func(f *Frame, _ Report) bool {
		return f.State.Overlay.Edges && !f.Partial && colorAt(f, 5, 9) == grey
	})
	sc := b.Scene()
	v, err := sc.Survey(b.State(), true)
	if err != nil || v.WhyNoValue != "apart" {
		t.Errorf("values of other voxels: %+v, %v", v, err)
	}
	all, err := v.Objects(context.Background(), b.engine, nil)
	if err != nil || len(all) != 1 || all[0].Voxels != 8 {
		t.Fatalf("%+v, %v", all, err)
	}
	b.Act(v.GoTo(all[0]))
	if s := b.State(); s.At[lazy.Y] != 10 || s.At[lazy.X] != 6 || s.At[lazy.Z] != 4 || s.Overlay.Object != 5 {
		t.Errorf("went to %v of object %d", s.At, s.Overlay.Object)
	}
	b.Undo()
	b.Undo()
	if b.State().Overlay.On {
		t.Error("labels cannot be undone")
	}
}

func TestLabelsAreOfferedWhereTheyFit(t *testing.T) {
	set := labelled()
	add := func(f formula) { set.Images = append(set.Images, dataset(f).Images...) }
	add(zyx("real", lazy.F32, shape(7, 15, 21), nil))
	add(zyx("other shape", lazy.U8, shape(7, 15, 22), nil))
	add(zyx("a mask", lazy.U8, shape(7, 15, 21), nil))
	sc, s := scene(t, set, 100, 100)
	if got := sc.Layable(); len(got) != 2 || got[0] != 1 || got[1] != 4 {
		t.Errorf("offered %v, want the labels and the mask", got)
	}
	if s = act(sc, s, FlipOverlay()); !s.Overlay.On || s.Overlay.Image != 1 {
		t.Errorf("%+v", s.Overlay)
	}
	if s = act(sc, s, LayOver(2)); s.Overlay.On {
		t.Error("real numbers lie over the picture as labels")
	}
}
