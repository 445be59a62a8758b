package zarr_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/zarr"
)

type object = map[string]any

func readJSON(t *testing.T, path ...string) object {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// checkNGFF is the rules of the NGFF schemas 0.4 and 0.5 for the metadata of an image whose arrays have the shapes.
func checkNGFF(m object, version string, shapes [][]float64) (broken []string) {
	rule := func(ok bool, format string, args ...any) {
		if !ok {
			broken = append(broken, fmt.Sprintf(format, args...))
		}
	}
	list := m["multiscales"].([]any)
	rule(len(list) > 0, "multiscales has at least one entry")
	scale := list[0].(object)
	if version == "0.4" {
		rule(scale["version"] == "0.4", "the version stands in the multiscale")
	} else {
		rule(m["version"] == "0.5" && scale["version"] == nil, "the version stands beside multiscales, and not in it")
	}
	axes := scale["axes"].([]any)
	rule(len(axes) >= 2 && len(axes) <= 5, "two to five axes")
	rank := map[string]int{"time": 0, "channel": 1, "space": 2}
	last, count, names := -1, map[string]int{}, map[string]bool{}
	for _, a := range axes {
		kind, name := a.(object)["type"].(string), a.(object)["name"].(string)
		count[kind]++
		rule(!names[name], "names of axes are unique")
		names[name] = true
		rule(rank[kind] >= last, "time, channel and space stand in this order")
		last = rank[kind]
		unit, has := a.(object)["unit"]
		rule(!has || unit == "micrometer" || unit == "second", "units are those of UDUNITS-2")
	}
	rule(count["space"] >= 2 && count["space"] <= 3 && count["time"] <= 1 && count["channel"] <= 1, "two or three axes of space, at most one of time and channel")
	sets := scale["datasets"].([]any)
	rule(len(sets) == len(shapes) && len(sets) > 0, "as many datasets as arrays")
	for i, d := range sets {
		transforms := d.(object)["coordinateTransformations"].([]any)
		rule(len(transforms) == 1 || len(transforms) == 2, "one scale and at most one translation")
		for k, x := range transforms {
			kind := []string{"scale", "translation"}[k]
			v, _ := x.(object)[kind].([]any)
			rule(x.(object)["type"] == kind && len(v) == len(axes), "first a scale and then a translation, of all axes")
		}
		rule(len(shapes[i]) == len(axes), "arrays have as many dimensions as there are axes")
		for a := range axes {
			rule(i == 0 || shapes[i][a] <= shapes[i-1][a], "datasets stand from largest to smallest")
		}
	}
	if omero, ok := m["omero"].(object); ok {
		for _, c := range omero["channels"].([]any) {
			color, _ := c.(object)["color"].(string)
			rule(regexp.MustCompile("^[0-9A-F]{6}$").MatchString(color), "every channel has a colour of six digits")
			window, _ := c.(object)["window"].(object)
			for _, key := range []string{"min", "max", "start", "end"} {
				_, is := window[key].(float64)
				rule(is, "every channel has a window with %s", key)
			}
		}
	}
	return broken
}

func floats(v any) (out []float64) {
	for _, x := range v.([]any) {
		out = append(out, x.(float64))
	}
	return out
}

func TestMetadataFollowTheRulesOfNGFF(t *testing.T) {
	for _, version := range []string{"0.4", "0.5"} {
		for name, change := range map[string]func(*loaders.Description){
			"everything known": func(*loaders.Description) {},
			"nothing known": func(d *loaders.Description) {
				d.Meta.Scale, d.Meta.Origin, d.Channels = [5]float64{}, [5]float64{}, nil
			},
			"colour": func(d *loaders.Description) { d.RGB, d.Channels = true, nil },
			"labels": func(d *loaders.Description) { d.Meta.Labels, d.Channels = true, nil },
			"shards": func(d *loaders.Description) { d.Layout.Shard = lazy.Shape{0, 0, 0, 512, 512} },
		} {
			if name == "shards" && version == "0.4" {
				continue
			}
			b := ramp(lazy.Shape{1, 9, 2, 30, 600}, lazy.U16)
			d := description(b)
			d.Layout.Version = version
			change(&d)
			path := filepath.Join(t.TempDir(), "a.zarr")
			save(t, path, b, d)
			m, file := object(nil), ".zarray"
			if version == "0.4" {
				m = readJSON(t, path, ".zattrs")
			} else {
				m, file = readJSON(t, path, "zarr.json")["attributes"].(object)["ome"].(object), "zarr.json"
			}
			var shapes [][]float64
			for n := 0; ; n++ {
				if _, err := os.Stat(filepath.Join(path, fmt.Sprint(n))); err != nil {
					break
				}
				a := readJSON(t, path, fmt.Sprint(n), file)
				shapes = append(shapes, floats(a["shape"]))
				if names := a["dimension_names"]; version == "0.5" && fmt.Sprint(names) != "[t c z y x]" {
					t.Errorf("%s: dimension names %v are not those of the axes", name, names)
				}
			}
			if len(shapes) != 3 {
				t.Errorf("%s: %d levels", name, len(shapes))
			}
			if broken := checkNGFF(m, version, shapes); len(broken) > 0 {
				t.Errorf("%s in %s breaks: %s", name, version, strings.Join(slices.Compact(broken), "; "))
			}
		}
	}
}

// A shard is its inner chunks and, at its end, their places and the checksum of these.
func TestShardsHoldWhatChunksWouldHold(t *testing.T) {
	s := lazy.Shape{2, 35, 1, 300, 700}
	for _, shard := range []lazy.Shape{{0, 32, 0, 512, 512}, {0, 0, 0, 1024, 1024}, {0, 16, 0, 256, 256}, {2, 64, 1, 512, 1024}} {
		if shard[lazy.T] > 0 {
			shard[lazy.T] = 1
		}
		b := ramp(s, lazy.U16)
		d := description(b)
		d.Channels = d.Channels[:1]
		d.Layout = loaders.Layout{Version: "0.5", Shard: shard}
		path := filepath.Join(t.TempDir(), "a.zarr")
		save(t, path, b, d)
		set := open(t, path)
		want := b
		for n, l := range set.Images[0].Levels {
			if n > 0 {
				before, after := set.Images[0].Levels[n-1].Array.Meta().Scale, l.Array.Meta().Scale
				step := lazy.Shape{1, 1, 1, 1, 1}
				for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
					step[a] = int(math.Round(after[a] / before[a]))
				}
				want = loaders.Reduce(want, step, false)
			}
			got, err := loadertest.Read(ctx, l.Array, l.Array.Meta().Shape.Whole())
			if err != nil || string(got.Bytes()) != string(want.Bytes()) {
				t.Errorf("shards of %v: level %d differs: %v", shard, n, err)
			}
		}
		files := 0
		for name := range tree(t, path) {
			if strings.HasPrefix(name, "0"+string(filepath.Separator)+"c") {
				files++
			}
		}
		cells := func(n, of int) int { return (n + of - 1) / of }
		z, y, x := max(16, shard[1]), max(256, shard[3]), max(256, shard[4])
		if want := 2 * cells(35, z) * cells(300, y) * cells(700, x); files != want {
			t.Errorf("shards of %v: %d files, want %d", shard, files, want)
		}
	}
	for name, l := range map[string]loaders.Layout{
		"no whole chunks":    {Version: "0.5", Shard: lazy.Shape{0, 20, 0, 256, 256}},
		"shards in 0.4":      {Shard: lazy.Shape{0, 32, 0, 256, 256}},
		"an unknown version": {Version: "0.6"},
		"a compression":      {Compression: "deflate"},
	} {
		d := description(ramp(s, lazy.U8))
		d.Layout = l
		path := filepath.Join(t.TempDir(), "a.zarr")
		if _, err := (zarr.Driver{}).Create(path, d); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
			t.Errorf("%s: something was left", name)
		}
	}
}
