package zarr_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// What https://ngff.openmicroscopy.org/0.4 and /0.5 demand of an image with MUST, and where we follow it with SHOULD, each
// as a sentence that is told when it does not hold.

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

// rules gathers those that are broken.
type rules struct{ broken []string }

func (r *rules) rule(ok bool, format string, args ...any) {
	if !ok {
		r.broken = append(r.broken, fmt.Sprintf(format, args...))
	}
}

// An ngff is all metadata of an image: of its group, and of its arrays by their paths.
type ngff struct {
	version string
	group   object // what is under "ome" from 0.5 on, else all attributes
	node    object // the group itself: .zgroup, or zarr.json
	arrays  map[string]object
}

// check gives the rules that are broken.
func (m ngff) check() []string {
	var r rules
	format := map[string]float64{"0.4": 2, "0.5": 3}[m.version]
	r.rule(m.node["zarr_format"] == format, "the group is of Zarr %v", format)
	list, _ := m.group["multiscales"].([]any)
	r.rule(len(list) > 0, "multiscales is a list with an entry at least")
	for _, entry := range list {
		scale, _ := entry.(object)
		if m.version == "0.4" {
			r.rule(scale["version"] == "0.4", "the version stands in the multiscale")
		} else {
			r.rule(m.group["version"] == "0.5", "the version stands beside multiscales")
			r.rule(scale["version"] == nil, "the version does not stand in the multiscale")
		}
		_, named := scale["name"].(string)
		r.rule(named, "a multiscale has a name")
		names := r.axes(scale["axes"])
		m.datasets(&r, scale, names)
		if all, has := scale["coordinateTransformations"]; has {
			r.transforms(all, len(names), "of the multiscale")
		}
	}
	if omero, has := m.group["omero"]; has {
		m.omero(&r, omero)
	}
	if label, has := m.group["image-label"]; has {
		about, is := label.(object)
		r.rule(is, "image-label is an object")
		r.rule(m.version == "0.4" && about["version"] == "0.4" || m.version == "0.5" && about["version"] == nil, "image-label states the version until 0.4")
	}
	return r.broken
}

// lengths and times that axes may be measured in (UDUNITS-2, as far as the specification lists them).
var (
	lengthsOf = strings.Fields("angstrom attometer centimeter decimeter exameter femtometer foot gigameter hectometer inch kilometer megameter meter micrometer mile millimeter nanometer parsec petameter picometer terameter yard yoctometer yottameter zeptometer zettameter")
	timesOf   = strings.Fields("attosecond centisecond day decisecond exasecond femtosecond gigasecond hectosecond hour kilosecond megasecond microsecond millisecond minute nanosecond petasecond picosecond second terasecond yoctosecond yottasecond zeptosecond zettasecond")
)

// axes is the rules of the axes, whose names it gives.
func (r *rules) axes(v any) (names []string) {
	axes, _ := v.([]any)
	r.rule(len(axes) >= 2 && len(axes) <= 5, "there are two to five axes")
	rank := map[string]int{"time": 0, "channel": 1, "space": 2}
	last, count := -1, map[string]int{}
	space := ""
	for _, entry := range axes {
		a, _ := entry.(object)
		name, _ := a["name"].(string)
		kind, _ := a["type"].(string)
		r.rule(name != "", "every axis has a name")
		r.rule(!slices.Contains(names, name), "names of axes are unique")
		names = append(names, name)
		at, known := rank[kind]
		r.rule(known, "types of axes are time, channel or space")
		r.rule(at >= last, "axes of time, channel and space stand in this order")
		last = at
		count[kind]++
		if kind == "space" {
			space += name
		}
		unit, has := a["unit"].(string)
		r.rule(a["unit"] == nil || has, "a unit is a text")
		r.rule(!has || kind != "channel", "channels have no unit")
		r.rule(!has || kind != "space" || slices.Contains(lengthsOf, unit), "units of space are those of the list")
		r.rule(!has || kind != "time" || slices.Contains(timesOf, unit), "units of time are those of the list")
	}
	r.rule(count["space"] == 2 || count["space"] == 3, "there are two or three axes of space")
	r.rule(count["time"] <= 1, "there is one axis of time at most")
	r.rule(count["channel"] <= 1, "there is one axis of channels at most")
	r.rule(strings.HasSuffix("zyx", space), "axes of space stand in the order z, y, x")
	return names
}

// datasets is the rules of the levels, and of the arrays that they name.
func (m ngff) datasets(r *rules, scale object, names []string) {
	sets, _ := scale["datasets"].([]any)
	r.rule(len(sets) > 0, "there is a dataset at least")
	r.rule(len(sets) == len(m.arrays), "every array is a dataset")
	var before, scaled []float64
	for _, entry := range sets {
		d, _ := entry.(object)
		path, is := d["path"].(string)
		r.rule(is && path != "" && !strings.HasPrefix(path, "/"), "a dataset has a path in the group")
		array, there := m.arrays[path]
		r.rule(there, "a dataset's path is that of an array")
		shape := floats(array["shape"])
		r.rule(len(shape) == len(names), "arrays have as many dimensions as there are axes")
		for i := range min(len(shape), len(before)) {
			r.rule(shape[i] <= before[i], "datasets stand from the largest to the smallest")
		}
		before = shape
		step := r.transforms(d["coordinateTransformations"], len(names), "of a dataset")
		for i := range min(len(step), len(scaled)) {
			r.rule(step[i] >= scaled[i], "scales grow from dataset to dataset")
		}
		scaled = step
		if m.version == "0.4" {
			r.rule(array["zarr_format"] == 2.0, "arrays are of Zarr 2")
			r.rule(array["dimension_separator"] == "/", "chunks lie in nested folders")
		} else {
			r.rule(array["zarr_format"] == 3.0 && array["node_type"] == "array", "arrays are of Zarr 3")
			r.rule(fmt.Sprint(array["dimension_names"]) == fmt.Sprint(names), "names of dimensions are those of the axes")
		}
	}
}

// transforms is the rules of a list of coordinate transformations, whose scale it gives.
func (r *rules) transforms(v any, n int, of string) (scale []float64) {
	list, _ := v.([]any)
	r.rule(len(list) > 0, "coordinateTransformations %s is a list with an entry at least", of)
	count := map[any]int{}
	for i, entry := range list {
		x, _ := entry.(object)
		kind, _ := x["type"].(string)
		count[kind]++
		r.rule(kind == "scale" || kind == "translation", "a transformation %s is a scale or a translation", of)
		values := floats(x[kind])
		r.rule(len(values) == n, "a transformation %s has a number for every axis", of)
		if kind == "scale" {
			r.rule(i == 0, "the scale %s comes before the translation", of)
			scale = values
			for _, s := range values {
				r.rule(s > 0, "scales are above 0")
			}
		}
	}
	r.rule(count["scale"] == 1, "there is one scale %s", of)
	r.rule(count["translation"] <= 1, "there is one translation %s at most", of)
	return scale
}

var sixDigits = regexp.MustCompile("^[0-9A-Fa-f]{6}$")

// omero is the rules of what says how channels are shown.
func (m ngff) omero(r *rules, v any) {
	omero, _ := v.(object)
	list, is := omero["channels"].([]any)
	r.rule(is, "omero has channels")
	r.rule(m.version == "0.4" || omero["version"] == nil, "omero states no version from 0.5 on")
	for _, array := range m.arrays {
		if shape := floats(array["shape"]); len(shape) == 5 {
			r.rule(len(list) == int(shape[1]), "there are as many channels in omero as in the arrays")
		}
	}
	for _, entry := range list {
		c, _ := entry.(object)
		color, _ := c["color"].(string)
		r.rule(sixDigits.MatchString(color), "every channel has a colour of six digits")
		window, is := c["window"].(object)
		r.rule(is, "every channel has a window")
		for _, key := range []string{"min", "max", "start", "end"} {
			_, is := window[key].(float64)
			r.rule(is, "every window has a number %s", key)
		}
		min, _ := window["min"].(float64)
		max, _ := window["max"].(float64)
		r.rule(min <= max, "windows do not end before they begin")
		_, is = c["label"].(string)
		r.rule(c["label"] == nil || is, "labels of channels are texts")
		_, is = c["active"].(bool)
		r.rule(c["active"] == nil || is, "channels are active or not")
	}
}

func floats(v any) (out []float64) {
	list, _ := v.([]any)
	for _, x := range list {
		f, is := x.(float64)
		if !is {
			return nil
		}
		out = append(out, f)
	}
	return out
}

// metadataOf reads all metadata of an image.
func metadataOf(t *testing.T, path, version string) ngff {
	t.Helper()
	m := ngff{version: version, arrays: map[string]object{}}
	file := ".zarray"
	if version == "0.4" {
		m.node, m.group = readJSON(t, path, ".zgroup"), readJSON(t, path, ".zattrs")
	} else {
		file, m.node = "zarr.json", readJSON(t, path, "zarr.json")
		m.group = m.node["attributes"].(object)["ome"].(object)
	}
	for n := 0; ; n++ {
		name := fmt.Sprint(n)
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			return m
		}
		m.arrays[name] = readJSON(t, path, name, file)
	}
}

func written(t *testing.T, version string, change func(*loaders.Description)) ngff {
	t.Helper()
	b := ramp(lazy.Shape{1, 9, 2, 30, 600}, lazy.U16)
	d := description(b)
	d.Layout.Version = version
	change(&d)
	path := filepath.Join(t.TempDir(), "a.zarr")
	save(t, path, b, d)
	return metadataOf(t, path, version)
}

func TestMetadataFollowTheRulesOfNGFF(t *testing.T) {
	for _, version := range []string{"0.4", "0.5"} {
		for name, change := range map[string]func(*loaders.Description){
			"everything known": func(*loaders.Description) {},
			"nothing known": func(d *loaders.Description) {
				d.Meta.Scale, d.Meta.Origin, d.Channels = [5]float64{}, [5]float64{}, nil
			},
			"no numbers": func(d *loaders.Description) {
				nan, inf := math.NaN(), math.Inf(1)
				d.Meta.Scale, d.Meta.Origin = [5]float64{nan, inf, nan, -inf, 0.5}, [5]float64{inf, nan, nan, -inf, nan}
				for i := range d.Channels {
					d.Channels[i].Limits = &[2]float64{nan, inf}
				}
			},
			"colour": func(d *loaders.Description) { d.RGB, d.Channels = true, nil },
			"labels": func(d *loaders.Description) { d.Meta.Labels, d.Channels = true, nil },
			"shards": func(d *loaders.Description) { d.Layout.Shard = lazy.Shape{0, 0, 0, 512, 512} },
		} {
			if name == "shards" && version == "0.4" {
				continue
			}
			m := written(t, version, change)
			if len(m.arrays) != 3 {
				t.Errorf("%s: %d levels", name, len(m.arrays))
			}
			if broken := m.check(); len(broken) > 0 {
				t.Errorf("%s in %s breaks: %s", name, version, strings.Join(slices.Compact(broken), "; "))
			}
		}
	}
}

// Each rule is one that can be broken.
func TestTheRulesOfNGFFFindWhatIsWrong(t *testing.T) {
	scale := func(m ngff) object { return m.group["multiscales"].([]any)[0].(object) }
	axis := func(m ngff, i int) object { return scale(m)["axes"].([]any)[i].(object) }
	set := func(m ngff, i int) object { return scale(m)["datasets"].([]any)[i].(object) }
	moves := func(m ngff, i int) []any { return set(m, i)["coordinateTransformations"].([]any) }
	channel := func(m ngff) object { return m.group["omero"].(object)["channels"].([]any)[0].(object) }
	for want, spoil := range map[string]func(m ngff){
		"multiscales is a list with an entry at least":              func(m ngff) { m.group["multiscales"] = []any{} },
		"a multiscale has a name":                                   func(m ngff) { delete(scale(m), "name") },
		"there are two to five axes":                                func(m ngff) { scale(m)["axes"] = scale(m)["axes"].([]any)[:1] },
		"every axis has a name":                                     func(m ngff) { delete(axis(m, 2), "name") },
		"names of axes are unique":                                  func(m ngff) { axis(m, 2)["name"] = "y" },
		"types of axes are time, channel or space":                  func(m ngff) { axis(m, 2)["type"] = "depth" },
		"axes of time, channel and space stand in this order":       func(m ngff) { axis(m, 0)["type"], axis(m, 1)["type"] = "channel", "time" },
		"units of space are those of the list":                      func(m ngff) { axis(m, 2)["unit"] = "um" },
		"units of time are those of the list":                       func(m ngff) { axis(m, 0)["unit"] = "s" },
		"channels have no unit":                                     func(m ngff) { axis(m, 1)["unit"] = "nanometer" },
		"there is one axis of time at most":                         func(m ngff) { axis(m, 1)["type"] = "time" },
		"there are two or three axes of space":                      func(m ngff) { axis(m, 1)["type"] = "space" },
		"axes of space stand in the order z, y, x":                  func(m ngff) { axis(m, 2)["name"], axis(m, 4)["name"] = "x", "z" },
		"there is a dataset at least":                               func(m ngff) { scale(m)["datasets"] = []any{} },
		"every array is a dataset":                                  func(m ngff) { scale(m)["datasets"] = scale(m)["datasets"].([]any)[1:] },
		"a dataset has a path in the group":                         func(m ngff) { set(m, 0)["path"] = "/0" },
		"a dataset's path is that of an array":                      func(m ngff) { set(m, 0)["path"] = "s0" },
		"datasets stand from the largest to the smallest":           func(m ngff) { slices.Reverse(scale(m)["datasets"].([]any)) },
		"arrays have as many dimensions as there are axes":          func(m ngff) { m.arrays["1"]["shape"] = []any{1.0} },
		"a transformation of a dataset has a number for every axis": func(m ngff) { moves(m, 1)[0].(object)["scale"] = []any{1.0, 1.0} },
		"a transformation of a dataset is a scale or a translation": func(m ngff) { moves(m, 1)[1].(object)["type"] = "rotation" },
		"the scale of a dataset comes before the translation":       func(m ngff) { slices.Reverse(moves(m, 1)) },
		"there is one scale of a dataset":                           func(m ngff) { set(m, 1)["coordinateTransformations"] = moves(m, 1)[1:] },
		"there is one translation of a dataset at most": func(m ngff) {
			set(m, 1)["coordinateTransformations"] = append(moves(m, 1), moves(m, 1)[1])
		},
		"coordinateTransformations of a dataset is a list with an entry at least": func(m ngff) { delete(set(m, 0), "coordinateTransformations") },
		"a transformation of the multiscale has a number for every axis": func(m ngff) {
			scale(m)["coordinateTransformations"] = []any{object{"type": "scale", "scale": []any{2.0}}}
		},
		"scales are above 0":                       func(m ngff) { moves(m, 0)[0].(object)["scale"].([]any)[4] = 0.0 },
		"scales grow from dataset to dataset":      func(m ngff) { moves(m, 0)[0].(object)["scale"].([]any)[4] = 100.0 },
		"omero has channels":                       func(m ngff) { delete(m.group["omero"].(object), "channels") },
		"every channel has a colour of six digits": func(m ngff) { channel(m)["color"] = "#FF0000" },
		"every channel has a window":               func(m ngff) { delete(channel(m), "window") },
		"every window has a number start":          func(m ngff) { delete(channel(m)["window"].(object), "start") },
		"windows do not end before they begin":     func(m ngff) { channel(m)["window"].(object)["min"] = 1e9 },
		"labels of channels are texts":             func(m ngff) { channel(m)["label"] = 7.0 },
		"there are as many channels in omero as in the arrays": func(m ngff) {
			m.group["omero"].(object)["channels"] = m.group["omero"].(object)["channels"].([]any)[1:]
		},
		"image-label is an object": func(m ngff) { m.group["image-label"] = "cells" },
	} {
		for _, version := range []string{"0.4", "0.5"} {
			m := written(t, version, func(*loaders.Description) {})
			spoil(m)
			if broken := m.check(); !slices.Contains(broken, want) {
				t.Errorf("%s: %q is not among what is broken: %q", version, want, broken)
			}
		}
	}
	for want, spoil := range map[string]func(old, now ngff){
		"the version stands in the multiscale":         func(old, _ ngff) { delete(scale(old), "version") },
		"chunks lie in nested folders":                 func(old, _ ngff) { delete(old.arrays["0"], "dimension_separator") },
		"arrays are of Zarr 2":                         func(old, _ ngff) { old.arrays["0"]["zarr_format"] = 3.0 },
		"the group is of Zarr 2":                       func(old, _ ngff) { old.node["zarr_format"] = 3.0 },
		"the version stands beside multiscales":        func(_, now ngff) { delete(now.group, "version") },
		"the version does not stand in the multiscale": func(_, now ngff) { scale(now)["version"] = "0.5" },
		"omero states no version from 0.5 on":          func(_, now ngff) { now.group["omero"].(object)["version"] = "0.5" },
		"names of dimensions are those of the axes":    func(_, now ngff) { now.arrays["0"]["dimension_names"] = []any{"z", "y", "x"} },
		"image-label states the version until 0.4":     func(_, now ngff) { now.group["image-label"] = object{"version": "0.4"} },
		"arrays are of Zarr 3": func(_, now ngff) {
			maps.DeleteFunc(now.arrays["0"], func(k string, _ any) bool { return k == "node_type" })
		},
	} {
		old, now := written(t, "0.4", func(*loaders.Description) {}), written(t, "0.5", func(*loaders.Description) {})
		spoil(old, now)
		if broken := append(old.check(), now.check()...); !slices.Contains(broken, want) {
			t.Errorf("%q is not among what is broken: %q", want, broken)
		}
	}
}
