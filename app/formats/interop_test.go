package formats_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
)

// The program that reads tifffile and zarr-python: Debian's, whatever else is installed.
const python = "/usr/bin/python3"

// An exported image, whose values are those of a block.
type exported struct {
	name   string
	shape  lazy.Shape
	dtype  lazy.DType
	rgb    bool
	labels bool
	levels [][]int // rows and columns of coarser ones, where they are made
}

// exports are all combinations of T, Z and C that are longer than 1, odd lengths, and every kind of voxel.
var exports = []exported{
	{name: "plane", shape: lazy.Shape{1, 1, 1, 10, 7}, dtype: lazy.I16},
	{name: "volume", shape: lazy.Shape{1, 5, 1, 13, 17}, dtype: lazy.U16},
	{name: "channels", shape: lazy.Shape{1, 1, 3, 9, 5}, dtype: lazy.F32},
	{name: "series", shape: lazy.Shape{4, 1, 1, 3, 11}, dtype: lazy.U8},
	{name: "volumes", shape: lazy.Shape{2, 3, 1, 5, 6}, dtype: lazy.F32},
	{name: "deepchannels", shape: lazy.Shape{1, 4, 2, 6, 5}, dtype: lazy.U8},
	{name: "serieschannels", shape: lazy.Shape{3, 1, 2, 4, 4}, dtype: lazy.U16},
	{name: "all", shape: lazy.Shape{2, 3, 2, 5, 7}, dtype: lazy.U16},
	{name: "colour", shape: lazy.Shape{1, 2, 3, 5, 7}, dtype: lazy.U8, rgb: true},
	{name: "labels", shape: lazy.Shape{1, 3, 1, 8, 9}, dtype: lazy.U16, labels: true},
	{name: "wide", shape: lazy.Shape{1, 2, 1, 601, 1101}, dtype: lazy.U16, levels: [][]int{{301, 551}, {151, 276}}},
}

// block is values of which no two neighbours, planes or channels are alike.
func (e exported) block() *lazy.Block {
	b := lazy.NewBlock(e.shape.Whole(), e.dtype)
	for i := range b.Len() {
		v := i*7919 + i>>8
		switch e.dtype {
		case lazy.U8:
			lazy.View[uint8](b)[i] = uint8(v)
		case lazy.I16:
			lazy.View[int16](b)[i] = int16(v)
		case lazy.U16:
			lazy.View[uint16](b)[i] = uint16(v)
		case lazy.F32:
			lazy.View[float32](b)[i] = float32(v%1000)/8 - 40
		}
	}
	return b
}

func (e exported) description() loaders.Description {
	m := lazy.Meta{Shape: e.shape, DType: e.dtype, Labels: e.labels}
	m.Scale, m.Unit = [lazy.Rank]float64{2.5, 0.3, 0, 0.1, 0.1}, [lazy.Rank]string{"s", "um", "", "um", "um"}
	d := loaders.Description{Meta: m, RGB: e.rgb, Name: e.name, Recipe: loaders.Recipe{Source: "a b.tif", Chain: "gaussian sigma=1um | sobel", Version: "1"}}
	for c := range e.shape[lazy.C] {
		if !e.rgb {
			d.Channels = append(d.Channels, lazy.Channel{Name: []string{"DAPI", "α-tubulin", "c"}[c], Color: []string{"#0000ff", "#00ff80", "#ff0000"}[c], Limits: &[2]float64{float64(c), float64(100 + c)}})
		}
	}
	return d
}

// seen is what another program sees in a file.
type seen struct {
	Shape         []int
	DType, SHA256 string
	UM            []float64
	Names, Colors []string
	Levels        [][]int
	Info          string
}

// compare says how that differs from what was written.
func (e exported) compare(t *testing.T, file string, got seen) {
	t.Helper()
	if !slices.Equal(got.Shape, e.shape[:]) || got.DType != e.dtype.String() || got.SHA256 != fmt.Sprintf("%x", sha256.Sum256(e.block().Bytes())) {
		t.Errorf("%s: %v of %s, want %v of %v; the values are alike: %v", file, got.Shape, got.DType, e.shape, e.dtype,
			got.SHA256 == fmt.Sprintf("%x", sha256.Sum256(e.block().Bytes())))
	}
	if strings.HasSuffix(file, ".npy") {
		return // which has room for nothing else
	}
	want := []float64{0.3, 0.1, 0.1}
	if e.shape[lazy.Z] == 1 && len(got.UM) == 3 && got.UM[0] == 0 {
		want[0] = 0 // tifffile does not look for the spacing of one plane
	}
	if !slices.EqualFunc(got.UM, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%s: voxels of %v µm, want %v", file, got.UM, want)
	}
	if ij := strings.HasSuffix(file, ".tif") && !strings.HasSuffix(file, ".ome.tif"); !ij && !e.rgb {
		d := e.description()
		for c, ch := range d.Channels {
			if c >= len(got.Names) || got.Names[c] != ch.Name || c >= len(got.Colors) || got.Colors[c] != ch.Color {
				t.Errorf("%s: channels %q in %q, want %+v", file, got.Names, got.Colors, d.Channels)
				break
			}
		}
	} else if ij && !strings.Contains(got.Info, "gaussian sigma=1um | sobel") {
		t.Errorf("%s does not say how it was made: %q", file, got.Info)
	}
	if levels := e.levels; !strings.HasSuffix(file, ".zarr") && strings.HasSuffix(file, ".ome.tif") || strings.HasSuffix(file, ".v4.zarr") || strings.HasSuffix(file, ".v5.zarr") {
		if fmt.Sprint(got.Levels) != fmt.Sprint(append([][]int{}, levels...)) && !(strings.HasSuffix(file, ".zarr") && e.name == "wide") {
			t.Errorf("%s: coarser levels of %v, want %v", file, got.Levels, levels)
		}
	}
}

// kinds are the files that are made of each image, by the end of their names.
var kinds = []struct {
	ending string
	layout loaders.Layout
}{
	{".tif", loaders.Layout{}}, {".ome.tif", loaders.Layout{}}, {".zstd.ome.tif", loaders.Layout{Compression: "zstd"}}, {".plain.ome.tif", loaders.Layout{Compression: "none"}},
	{".npy", loaders.Layout{}}, {".v4.zarr", loaders.Layout{}}, {".lz4.v4.zarr", loaders.Layout{Compression: "lz4"}}, {".plain.v4.zarr", loaders.Layout{Compression: "none"}},
	{".v5.zarr", loaders.Layout{Version: "0.5"}}, {".sharded.v5.zarr", loaders.Layout{Version: "0.5", Shard: lazy.Shape{0, 2, 0, 2048, 2048}}},
	{".plain.v5.zarr", loaders.Layout{Version: "0.5", Compression: "none"}},
}

// export writes all images that kinds with one of the endings are made of, and gives them by file name.
func export(t *testing.T, dir string, endings ...string) map[string]exported {
	t.Helper()
	files := map[string]exported{}
	for _, e := range exports {
		for _, k := range kinds {
			if !slices.Contains(endings, k.ending) {
				continue
			}
			d := e.description()
			d.Layout = k.layout
			save(t, filepath.Join(dir, e.name+k.ending), d, e.block())
			files[e.name+k.ending] = e
		}
	}
	return files
}

// save writes a whole block by the cells that the writer asks for.
func save(t *testing.T, path string, d loaders.Description, b *lazy.Block) {
	t.Helper()
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

// ask runs a program that prints a JSON object of what it sees by file name, and compares.
func ask(t *testing.T, files map[string]exported, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, stderr.String())
	}
	var got map[string]seen
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %v: %.300s", name, err, out)
	}
	for file, e := range files {
		g, ok := got[file]
		if !ok {
			t.Errorf("%s did not read %s", name, file)
			continue
		}
		e.compare(t, file, g)
	}
}

func TestPythonReadsWhatIsWritten(t *testing.T) {
	if exec.Command(python, "-c", "import tifffile, zarr").Run() != nil {
		t.Skip("not read by tifffile and zarr-python: there is no python3-tifffile or python3-zarr")
	}
	dir := t.TempDir()
	ask(t, export(t, dir, ".tif", ".ome.tif", ".plain.ome.tif", ".npy", ".v4.zarr", ".lz4.v4.zarr", ".plain.v4.zarr"), python, "testdata/interop.py", dir)
}

func TestZarritaReadsWhatIsWritten(t *testing.T) {
	modules := os.Getenv("LAMELLA_NODE_MODULES")
	if modules == "" {
		modules = filepath.Join("..", "..", "build", "interop", "node_modules")
	}
	if _, err := os.Stat(filepath.Join(modules, "zarrita")); err != nil || exec.Command("node", "--version").Run() != nil {
		t.Skip("OME-Zarr was not read by zarrita: there is no node, or no zarrita in build/interop (make interop fetches it by npm)")
	}
	dir := t.TempDir()
	ask(t, export(t, dir, ".v4.zarr", ".lz4.v4.zarr", ".plain.v4.zarr", ".v5.zarr", ".sharded.v5.zarr", ".plain.v5.zarr"), "node", "testdata/interop.mjs", modules, dir)
}

// libtiff decodes every page without a word of complaint, and the values of its uncompressed copy are the same.
func TestLibtiffReadsWhatIsWritten(t *testing.T) {
	if exec.Command("which", "tiffcp").Run() != nil {
		t.Skip("not read by libtiff: there is no tiffcp (libtiff-tools)")
	}
	dir := t.TempDir()
	for file, e := range export(t, dir, ".tif", ".ome.tif", ".zstd.ome.tif", ".plain.ome.tif") {
		copied := filepath.Join(dir, "copy-"+file)
		out, err := exec.Command("tiffcp", "-c", "none", filepath.Join(dir, file), copied).CombinedOutput()
		if complaint := strings.TrimSpace(strings.ReplaceAll(string(out), "Unknown field with tag", "")); err != nil || strings.Contains(complaint, "rror") {
			t.Errorf("%s: %v: %s", file, err, out)
			continue
		}
		set, err := formats.Open(t.Context(), copied, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := set.Images[0].Levels[0].Array
		got := lazy.NewBlock(a.Meta().Shape.Whole(), a.Meta().DType)
		read(t, a, got)
		if string(got.Bytes()) != string(e.block().Bytes()) {
			t.Errorf("%s: libtiff's copy has other values (%v)", file, a.Meta().Shape)
		}
		set.Close()
	}
}

func TestImageJReadsWhatIsWritten(t *testing.T) {
	jar := "/usr/share/java/ij.jar"
	if _, err := os.Stat(jar); err != nil || exec.Command("which", "java").Run() != nil || os.Getenv("DISPLAY") == "" {
		t.Skip("not read by ImageJ: there is no " + jar + " (imagej), no java, or no display, which its macros need (xvfb-run)")
	}
	dir := t.TempDir()
	files := export(t, dir, ".tif")
	delete(files, "wide.tif") // too many values for a macro
	out := filepath.Join(dir, "seen.txt")
	args := []string{out}
	for file := range files {
		args = append(args, filepath.Join(dir, file))
	}
	script, err := filepath.Abs("testdata/interop.ijm")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // where something is wrong it asks, and waits for an answer
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-Duser.home="+dir, "-cp", jar, "ij.ImageJ", "-ijpath", dir, "-batch", script, strings.Join(args, "\n"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ImageJ: %v: %s", err, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for len(lines) > 0 {
		words := strings.Fields(lines[0])
		e, ok := files[words[0]]
		planes := e.shape[lazy.T] * e.shape[lazy.Z] * e.shape[lazy.C]
		if e.rgb {
			planes /= 3
		}
		if !ok || len(lines) <= planes {
			t.Fatalf("ImageJ says %.200q", lines[0])
		}
		e.compareImageJ(t, words, lines[1:1+planes])
		lines = lines[1+planes:]
		delete(files, words[0])
	}
	if len(files) > 0 {
		t.Errorf("ImageJ did not read %d files", len(files))
	}
}

func (e exported) compareImageJ(t *testing.T, words, planes []string) {
	t.Helper()
	s, c := e.shape, e.shape[lazy.C]
	if e.rgb {
		c = 1
	}
	want := fmt.Sprint(s[lazy.X], s[lazy.Y], c, s[lazy.Z], s[lazy.T], " 0.1 0.1 0.3 micron")
	if got := strings.TrimSuffix(strings.Join(words[1:10], " "), "s"); got != want {
		t.Errorf("ImageJ sees %s as %s, want %s", words[0], got, want)
	}
	for i, ch := range e.description().Channels {
		var r, g, b int
		fmt.Sscanf(ch.Color, "#%02x%02x%02x", &r, &g, &b)
		if want := fmt.Sprintf("%v..%v#%d,%d,%d", ch.Limits[0], ch.Limits[1], r, g, b); c > 1 && words[10+i] != want {
			t.Errorf("ImageJ shows channel %d of %s as %s, want %s", i, words[0], words[10+i], want)
		}
	}
	if e.rgb {
		return // its macros give one number for three samples
	}
	b, i := e.block(), 0
	for at := range e.shape.Whole().Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		plane := strings.Fields(planes[i/(s[lazy.Y]*s[lazy.X])])
		v, err := strconv.ParseFloat(plane[i%(s[lazy.Y]*s[lazy.X])], 64)
		if err != nil || math.Abs(v-b.Value(at.Min)) > 5e-5 { // macros print four decimals
			t.Fatalf("ImageJ sees %v at %v of %s, want %v", v, at.Min, words[0], b.Value(at.Min))
		}
		i++
	}
}
