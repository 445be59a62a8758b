package formats_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

// reader is what both kinds of test have.
type reader interface {
	Fatal(...any)
	Context() context.Context
}

func read(t reader, a lazy.Array, to *lazy.Block) {
	b, err := loadertest.Read(t.Context(), a, to.Region)
	if err != nil {
		t.Fatal(err)
	}
	copy(to.Bytes(), b.Bytes())
}

// What a format has room for, beside voxels, shape and type.
type room struct {
	ending   string
	layout   loaders.Layout
	kinds    []lazy.DType
	sizes    bool // voxel size, time step and origin
	channels bool // names, colours and limits, each known or not
	recipe   bool
	name     bool
	labels   bool
}

var omeTypes = []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16, lazy.U32, lazy.I32, lazy.F32, lazy.F64}

var rooms = []room{
	{ending: ".npy", kinds: lazy.DTypes()},
	{ending: ".tif", kinds: lazy.DTypes(), sizes: true, recipe: true},
	{ending: ".ome.tif", kinds: omeTypes, sizes: true, channels: true, recipe: true, name: true},
	{ending: ".ome.tif", layout: loaders.Layout{Compression: "zstd"}, kinds: omeTypes, sizes: true, channels: true, recipe: true, name: true},
	{ending: ".ome.zarr", kinds: lazy.DTypes(), sizes: true, channels: true, recipe: true, name: true, labels: true},
	{ending: ".ome.zarr", layout: loaders.Layout{Version: "0.5", Compression: "lz4"}, kinds: lazy.DTypes(), sizes: true, channels: true, recipe: true, name: true, labels: true},
	{ending: ".ome.zarr", layout: loaders.Layout{Version: "0.5", Shard: lazy.Shape{0, 32, 0, 512, 512}}, kinds: lazy.DTypes(), sizes: true, channels: true, recipe: true, name: true, labels: true},
}

// What is written reads back as it was: for any small image and every writer.
func TestWhatIsWrittenReadsBack(t *testing.T) {
	top := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rooms).Draw(t, "room")
		d, b := drawn(t, r)
		n++
		dir := filepath.Join(top, fmt.Sprint(n))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "a"+r.ending)
		saveAny(t, path, d, b)
		set, err := formats.Open(t.Context(), path, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		if len(set.Images) != 1 || len(set.Warnings) > 0 {
			t.Fatalf("%d images, warnings %q", len(set.Images), set.Warnings)
		}
		got := set.Images[0]
		m := got.Levels[0].Array.Meta()
		if m.Shape != d.Meta.Shape || m.DType != d.Meta.DType {
			t.Fatalf("%v of %v, want %v of %v", m.Shape, m.DType, d.Meta.Shape, d.Meta.DType)
		}
		back := lazy.NewBlock(b.Region, b.DType)
		read(t, got.Levels[0].Array, back)
		if string(back.Bytes()) != string(b.Bytes()) {
			t.Fatal("the voxels differ")
		}
		r.compare(t, d, got)
	})
}

func (r room) compare(t *rapid.T, d loaders.Description, got lazy.Image) {
	m := got.Levels[0].Array.Meta()
	for _, a := range []lazy.Axis{lazy.T, lazy.Z, lazy.Y, lazy.X} {
		near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(y)) }
		unit := d.Meta.Unit[a]
		if r.sizes && (!near(m.Scale[a], d.Meta.Scale[a]) || m.Unit[a] != unit || a != lazy.T && !near(m.Origin[a], d.Meta.Origin[a])) {
			t.Fatalf("%v is %v %q from %v, want %v %q from %v", a, m.Scale[a], m.Unit[a], m.Origin[a], d.Meta.Scale[a], unit, d.Meta.Origin[a])
		}
	}
	if r.channels && len(d.Channels) > 0 {
		if len(got.Channels) != len(d.Channels) {
			t.Fatalf("%d channels, want %d", len(got.Channels), len(d.Channels))
		}
		for i, c := range d.Channels {
			g := got.Channels[i]
			if g.Name != c.Name || g.Color != c.Color || (g.Limits == nil) != (c.Limits == nil) || g.Limits != nil && *g.Limits != *c.Limits {
				t.Fatalf("channel %d is %+v, want %+v", i, g, c)
			}
		}
	}
	if r.recipe && got.Recipe != d.Recipe || r.name && d.Name != "" && got.Name != d.Name || r.labels && m.Labels != d.Meta.Labels {
		t.Fatalf("%q by %+v, labels %v; want %q by %+v, %v", got.Name, got.Recipe, m.Labels, d.Name, d.Recipe, d.Meta.Labels)
	}
}

// drawn is any image that a format takes.
func drawn(t *rapid.T, r room) (loaders.Description, *lazy.Block) {
	m := lazy.Meta{DType: rapid.SampledFrom(r.kinds).Draw(t, "type"), Labels: r.labels && rapid.Bool().Draw(t, "labels")}
	most := lazy.Shape{3, 20, 3, 40, 40}
	for a, n := range most {
		m.Shape[a] = rapid.IntRange(1, n).Draw(t, lazy.Axis(a).String())
	}
	length := rapid.SampledFrom([]float64{0.1, 0.3, 1, 0.0645, 12.5, 1.0 / 3})
	// ImageJ's unit is that of x, and stands for the others.
	for _, a := range []lazy.Axis{lazy.T, lazy.Z, lazy.Y, lazy.X} {
		if !r.sizes || a == lazy.Z && m.Shape[lazy.Z] == 1 || rapid.IntRange(0, 4).Draw(t, "unknown") == 0 {
			continue
		}
		m.Scale[a], m.Unit[a] = length.Draw(t, "length"), "um"
		if a == lazy.T {
			m.Unit[a] = "s"
		} else if rapid.Bool().Draw(t, "moved") {
			m.Origin[a] = rapid.SampledFrom([]float64{3, -0.7, 120.25}).Draw(t, "origin")
		}
	}
	d := loaders.Description{Meta: m, Layout: r.layout}
	text := rapid.SampledFrom([]string{"DAPI", "α-tubulin <b> & \"c\"", "a;b=c", "日本"})
	if rapid.Bool().Draw(t, "made") {
		d.Recipe = loaders.Recipe{Source: text.Draw(t, "source"), Chain: `stencil "(x[0] + 1) // 2" | sobel`, Version: "1"}
	}
	d.Name = text.Draw(t, "name")
	for range m.Shape[lazy.C] {
		if !r.channels {
			break
		}
		c := lazy.Channel{Name: text.Draw(t, "channel")}
		if rapid.Bool().Draw(t, "coloured") {
			c.Color = rapid.SampledFrom([]string{"#ff0000", "#00ff80", "#ffffff"}).Draw(t, "colour")
		}
		if rapid.Bool().Draw(t, "limited") {
			c.Limits = &[2]float64{rapid.SampledFrom([]float64{0, 2, -1.5}).Draw(t, "low"), rapid.SampledFrom([]float64{3, 250}).Draw(t, "high")}
		}
		d.Channels = append(d.Channels, c)
	}
	b := lazy.NewBlock(m.Shape.Whole(), m.DType)
	seed := rapid.Uint32().Draw(t, "seed")
	for i := range b.Bytes() {
		seed = seed*1664525 + 1013904223
		b.Bytes()[i] = byte(seed>>24) & 0x3f // which is finite as a real number too
	}
	return d, b
}

func saveAny(t *rapid.T, path string, d loaders.Description, b *lazy.Block) {
	w, err := formats.Create(context.Background(), path, d)
	if err != nil {
		t.Fatal(err)
	}
	for cell := range b.Region.Tiles(w.Grid()) {
		part := lazy.NewBlock(cell.Intersect(b.Region), b.DType)
		lazy.CopyRegion(part, b, part.Region)
		if err := w.Write(t.Context(), part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
