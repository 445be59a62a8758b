package zarr_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/zarr"
)

// write hands a block to a writer in the cells that it wants.
func write(w loaders.Writer, b *lazy.Block) error {
	for cell := range b.Region.Tiles(w.Grid()) {
		cell = cell.Intersect(b.Region)
		part := lazy.NewBlock(cell, b.DType)
		lazy.CopyRegion(part, b, cell)
		if err := w.Write(ctx, part); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}

func ramp(s lazy.Shape, d lazy.DType) *lazy.Block {
	b := lazy.NewBlock(s.Whole(), d)
	for i := range b.Bytes() {
		b.Bytes()[i] = byte(i * 7 >> 2)
	}
	return b
}

// description is an image with everything that can be stated.
func description(b *lazy.Block) loaders.Description {
	return loaders.Description{
		Meta: lazy.Meta{
			Shape: b.Region.Shape(), DType: b.DType,
			Scale: [5]float64{2.5, 0.4, 0, 0.1, 0.1}, Unit: [5]string{"s", "um", "", "um", "um"}, Origin: [5]float64{0, 3, 0, 0, 0.05},
		},
		Channels: []lazy.Channel{{Name: "DAPI", Color: "#0000ff", Limits: &[2]float64{10, 90}}, {Name: "GFP"}},
		Name:     "embryo",
		Recipe:   loaders.Recipe{Source: "a b.tif", Chain: "gaussian sigma=1 | sobel", Version: "0.1"},
	}
}

func save(t *testing.T, path string, b *lazy.Block, d loaders.Description) {
	t.Helper()
	w, err := zarr.Driver{}.Create(path, d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !d.Overwrite && err == nil {
		t.Error("the folder has its name before it is whole")
	}
	if err := write(w, b); err != nil {
		t.Fatal(err)
	}
}

func TestBR023WhatIsWrittenUnderAnyNameReadsBackAsItWas(t *testing.T) {
	for _, d := range lazy.DTypes() {
		for _, s := range []lazy.Shape{{2, 9, 2, 300, 33}, {1, 1, 2, 20, 1030}, {1, 17, 2, 5, 7}} {
			if s.Voxels() > 100_000 && d.Size() == 8 {
				continue
			}
			b := ramp(s, d)
			path := filepath.Join(t.TempDir(), "100%25 #1.ome.zarr")
			save(t, path, b, description(b))
			set := open(t, path)
			image := set.Images[0]
			m := image.Levels[0].Array.Meta()
			want := description(b)
			got, err := loadertest.Read(ctx, image.Levels[0].Array, m.Shape.Whole())
			if err != nil || got.DType != d || got.Region != b.Region || string(got.Bytes()) != string(b.Bytes()) {
				t.Errorf("%v %v: %v %v, %v", d, s, got.DType, got.Region, err)
			}
			if m.Scale != want.Meta.Scale || m.Unit != want.Meta.Unit || m.Origin != want.Meta.Origin {
				t.Errorf("BR-021: scale %v %q, origin %v", m.Scale, m.Unit, m.Origin)
			}
			if len(image.Channels) != 2 || image.Channels[0].Name != "DAPI" || image.Channels[0].Color != "#0000ff" || *image.Channels[0].Limits != [2]float64{10, 90} ||
				image.Channels[1].Name != "GFP" || image.Channels[1].Color != "" || image.Channels[1].Limits != nil || image.Name != "embryo" || set.Format != "ome-zarr" {
				t.Errorf("%s %q, channels %+v", set.Format, image.Name, image.Channels)
			}
			if n := m.Chunk.Voxels() * d.Size(); n > 16<<20 {
				t.Errorf("chunks %v of %d bytes", m.Chunk, n)
			}
		}
	}
}

func TestLabelsAndColoursAreKept(t *testing.T) {
	b := ramp(lazy.Shape{1, 1, 3, 4, 5}, lazy.U8)
	path := filepath.Join(t.TempDir(), "a.zarr")
	save(t, path, b, loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: b.DType, Labels: true}, RGB: true})
	image := open(t, path).Images[0]
	m := image.Levels[0].Array.Meta()
	if !m.Labels || !image.RGB || len(image.Channels) != 3 || image.Channels[2].Color != "#0000ff" || m.Unit != [5]string{} || m.Scale[lazy.C] != 0 {
		t.Errorf("%+v %+v", image, m)
	}
}

// tree is every file of a folder with its content.
func tree(t *testing.T, top string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(top, path)
		p, err := os.ReadFile(path)
		all[rel] = string(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheSameImageGivesTheSameBytes(t *testing.T) {
	b := ramp(lazy.Shape{2, 9, 2, 40, 33}, lazy.U16)
	one, two := filepath.Join(t.TempDir(), "a.zarr"), filepath.Join(t.TempDir(), "b.zarr")
	save(t, one, b, description(b))
	save(t, two, b, description(b))
	first, second := tree(t, one), tree(t, two)
	if len(first) != 4+4 || len(second) != len(first) {
		t.Errorf("%d and %d files", len(first), len(second))
	}
	for k, v := range first {
		if second[k] != v {
			t.Errorf("%s differs", k)
		}
	}
	if !strings.Contains(first[".zattrs"], `"chain": "gaussian sigma=1 | sobel"`) {
		t.Errorf("the recipe is not there: %s", first[".zattrs"])
	}
}

func TestAFolderAppearsWholeOrNotAtAll(t *testing.T) {
	b := ramp(lazy.Shape{1, 9, 2, 40, 33}, lazy.U8)
	d := description(b)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.zarr")
	left := func(want string) {
		t.Helper()
		var names []string
		l, _ := os.ReadDir(dir)
		for _, e := range l {
			names = append(names, e.Name())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("in the folder: %q, want %q", got, want)
		}
	}
	w, err := zarr.Driver{}.Create(path, d)
	if err != nil {
		t.Fatal(err)
	}
	left("a.zarr.part")
	if _, err := (zarr.Driver{}).Create(path, d); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("a second writer: %v, want ErrExists", err)
	} else if !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a second writer: %v, which does not say what to do", err)
	}
	w.Abort()
	w.Abort()
	left("")

	w, _ = zarr.Driver{}.Create(path, d)
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "0 of 2 chunks") {
		t.Errorf("closing without chunks: %v", err)
	}
	left("")
	for name, bad := range map[string]*lazy.Block{
		"no chunk": lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 9, 1, 40, 32}}, lazy.U8), "another type": lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 9, 1, 40, 33}}, lazy.U16),
	} {
		w, _ = zarr.Driver{}.Create(path, d)
		if w.Write(ctx, bad) == nil || w.Close() == nil {
			t.Errorf("%s gave no error", name)
		}
		left("")
	}

	save(t, path, b, d)
	left("a.zarr")
	if _, err := (zarr.Driver{}).Create(path, d); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("an existing image: %v, want ErrExists", err)
	}
	d.Overwrite, d.Name = true, "second"
	save(t, path, b, d)
	left("a.zarr")
	if name := open(t, path).Images[0].Name; name != "second" {
		t.Errorf("the image is still %q", name)
	}

	other := filepath.Join(dir, "photos")
	os.Mkdir(other, 0o777)
	os.WriteFile(filepath.Join(other, "dear.jpg"), nil, 0o666)
	if _, err := (zarr.Driver{}).Create(other, d); !errors.Is(err, loaders.ErrExists) {
		t.Errorf("a folder of other things: %v, want ErrExists", err)
	}
	left("a.zarr photos")
	if _, err := (zarr.Driver{}).Create(filepath.Join(dir, "a.zarr", ".zattrs", "b.zarr"), d); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("below a file: %v", err)
	}
}

// TestZarrPythonReadsWhatIsWritten hands images to python3-zarr.
func TestTwoWritersNeverMixTheirChunks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zarr")
	old, new := ramp(lazy.Shape{1, 9, 1, 300, 33}, lazy.U8), ramp(lazy.Shape{1, 9, 1, 300, 33}, lazy.U8)
	clear(old.Bytes())
	d := description(old)
	d.Overwrite = true
	first, err := zarr.Driver{}.Create(path, d)
	if err != nil {
		t.Fatal(err)
	}
	second, err := zarr.Driver{}.Create(path, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(first, old); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("the first, whose folder was replaced: %v", err)
	}
	first.Abort()
	if err := write(second, new); err != nil {
		t.Fatal(err)
	}
	got := values(t, open(t, path).Images[0].Levels[0].Array)
	n := 0
	for cell := range new.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if got[n] != new.Value(cell.Min) {
			t.Fatalf("voxel %d is %v, want %v", n, got[n], new.Value(cell.Min))
		}
		n++
	}
}

func TestZarrPythonReadsWhatIsWritten(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import zarr").Run() != nil {
		t.Skip("zarr-python did not read our images: there is no python3-zarr")
	}
	dir := t.TempDir()
	for _, d := range lazy.DTypes() {
		b := ramp(lazy.Shape{2, 9, 3, 40, 300}, d)
		save(t, filepath.Join(dir, d.String()+".zarr"), b, description(b))
		os.WriteFile(filepath.Join(dir, d.String()+".raw"), b.Bytes(), 0o666)
	}
	out, err := exec.Command(python, "-c", `
import glob, os, sys, numpy as np, zarr
for p in glob.glob(sys.argv[1] + "/*.zarr"):
    g = zarr.open_group(p, mode="r")
    m = g.attrs["multiscales"][0]
    a = g[m["datasets"][0]["path"]]
    want = np.fromfile(p[:-4] + "raw", a.dtype).reshape(2, 9, 3, 40, 300).transpose(0, 2, 1, 3, 4)
    if a.dtype.name != os.path.basename(p)[:-5] or not (a[:].tobytes() == want.tobytes()) or [x["name"] for x in m["axes"]] != list("tczyx"):
        print("differs:", p, a.dtype, a.shape)
`, dir).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func BenchmarkReadChunk(b *testing.B) {
	block := lazy.NewBlock(lazy.Shape{1, 16, 1, 256, 256}.Whole(), lazy.U16)
	v := lazy.View[uint16](block)
	for i := range v {
		v[i] = uint16(1000 + i%256*3 + i*7919>>9%13)
	}
	path := filepath.Join(b.TempDir(), "a.zarr")
	w, err := zarr.Driver{}.Create(path, loaders.Description{Meta: lazy.Meta{Shape: block.Region.Shape(), DType: lazy.U16}})
	if err != nil {
		b.Fatal(err)
	}
	if err := write(w, block); err != nil {
		b.Fatal(err)
	}
	s := open(b, path).Images[0].Levels[0].Array.Node().Source
	b.SetBytes(int64(len(block.Bytes())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Read(ctx, block); err != nil {
			b.Fatal(err)
		}
	}
}
