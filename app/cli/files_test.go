package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// npy is a .npy file of little-endian real or integer numbers, as NumPy writes it.
func npy(t *testing.T, path, descr string, shape []int, values any) {
	t.Helper()
	lengths := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", descr, lengths)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	out := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	out, err := binary.Append(append(out, header...), binary.LittleEndian, values)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out, 0o644); err != nil {
		t.Fatal(err)
	}
}

// read is the shape and the values of what a verb sends to standard output as npy.
func read[E any](t *testing.T, args ...string) (shape string, values []E) {
	t.Helper()
	text := []byte(must(t, append(args, "--out", "-")...))
	n := 10 + int(binary.LittleEndian.Uint16(text[8:]))
	header := string(text[10:n])
	shape = header[strings.Index(header, "(")+1 : strings.Index(header, ")")]
	var e E
	values = make([]E, (len(text)-n)/binary.Size(e))
	if err := binary.Read(bytes.NewReader(text[n:]), binary.LittleEndian, values); err != nil {
		t.Fatal(err)
	}
	return shape, values
}

func count(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i)
	}
	return v
}

func TestANumPyFileComesOutAsItWentIn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	npy(t, path, "<f4", []int{3, 4, 5}, count(60))
	if shape, got := read[float32](t, "export", path); shape != "1, 3, 1, 4, 5" || !slices.Equal(got, count(60)) {
		t.Errorf("shape %s: %v", shape, got)
	}
	for words, want := range map[string]string{
		"--at 2":                     "4, 5: [40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59]",
		"--plane xz --at 1":          "3, 5: [5 6 7 8 9 25 26 27 28 29 45 46 47 48 49]",
		"--plane yz --at 4":          "3, 4: [4 9 14 19 24 29 34 39 44 49 54 59]",
		"--roi x=1:3,y=3:9 --at 0":   "1, 2: [16 17]",
		"--axes cyx":                 "3, 4, 5: " + strings.ReplaceAll(fmt.Sprint(count(60)), ",", ""),
		"--axes cyx --c 1 --roi y=0": "1, 5: [20 21 22 23 24]",
	} {
		shape, got := read[float32](t, append([]string{"slice", path}, strings.Fields(words)...)...)
		if text := fmt.Sprint(shape, ": ", got); text != want {
			t.Errorf("%s: %s, want %s", words, text, want)
		}
	}
}

func TestBR002FilesAreStackedInNaturalOrder(t *testing.T) {
	dir := t.TempDir()
	for i := 1; i <= 12; i++ {
		picture := image.NewGray(image.Rect(0, 0, 4, 4))
		for k := range picture.Pix {
			picture.Pix[k] = byte(i)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, picture); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("img_%d.png", i)), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, source := range []string{dir, filepath.Join(dir, "img_*.png")} {
		shape, got := read[uint8](t, "export", source, "--roi", "x=0:1,y=0:1")
		if shape != "1, 12, 1, 1, 1" || !slices.Equal(got, []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
			t.Errorf("%s: shape %s: %v", source, shape, got)
		}
	}
}

func TestBR010FilesOfOneNameAreNotTakenForEachOther(t *testing.T) {
	dir := t.TempDir()
	sum := func(path, chain string) float64 {
		_, v := read[float32](t, "export", path, "--filter", chain)
		total := 0.
		for _, x := range v {
			total += float64(x)
		}
		return total
	}
	paths := make([]string, 2)
	for i := range paths {
		folder := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		paths[i] = filepath.Join(folder, "a.npy")
		npy(t, paths[i], "<f4", []int{4, 4}, slices.Repeat([]float32{float32(i)}, 16))
	}
	for _, chain := range []string{"", "mean"} {
		if a, b := sum(paths[0], chain), sum(paths[1], chain); a != 0 || b != 16 {
			t.Errorf("%q: sums %v and %v, want 0 and 16", chain, a, b)
		}
	}
	npy(t, paths[0], "<f4", []int{4, 4}, slices.Repeat([]float32{3}, 16))
	if a := sum(paths[0], ""); a != 48 {
		t.Errorf("after it was replaced the sum is %v, want 48", a)
	}
}

func TestBR011AHaloMayBeLongerThanTheLastChunk(t *testing.T) {
	want := []float32{0.8, 1.2, 2, 3, 4, 5, 6, 7, 8, 8.8, 9.2}
	for _, chunk := range []string{"1", "2", "3", "4", "5", "11"} {
		for _, axis := range []string{"x", "y", "z"} {
			shape := map[string]string{"x": "1x1x11", "y": "1x11x1", "z": "11x1x1"}[axis]
			cut := strings.ReplaceAll(shape, "11", chunk)
			_, got := read[float32](t, "export", "sample:slow?ms=0&dtype=float32&shape="+shape+"&chunk="+cut, "--filter", "mean size=5")
			for i := range want {
				if d := got[i] - want[i]; d > 1e-5 || d < -1e-5 {
					t.Errorf("along %s in chunks of %s: %v, want %v", axis, chunk, got, want)
					break
				}
			}
		}
	}
}

func TestBR011AnyChunkingGivesTheSameGaussian(t *testing.T) {
	_, want := read[uint16](t, "export", "sample:random?shape=13x21x34&chunk=13x21x34", "--filter", "gaussian sigma=1.5")
	for _, chunk := range []string{"1x1x34", "2x5x7", "5x8x13", "12x20x33", "64x64x64"} {
		_, got := read[uint16](t, "export", "sample:random?shape=13x21x34&chunk="+chunk, "--filter", "gaussian sigma=1.5")
		if !slices.Equal(got, want) {
			t.Errorf("chunks of %s give other voxels", chunk)
		}
	}
}

// The volume of the case: 32-bit float, 5 x 10 x 10, z 0.3 µm, y and x 0.1 µm.
func TestBR021TheVoxelSizeSurvivesAnExport(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "first.ome.tif")
	sized(t, first)
	_, want := read[float32](t, "export", first)
	for _, ending := range voxelSized {
		for verb, size := range map[string]string{"export": "z 0.3, y 0.1, x 0.1 µm", "slice": "y 0.1, x 0.1 µm"} {
			path := filepath.Join(dir, verb+ending)
			must(t, verb, first, "--out", path)
			var about description
			if err := json.Unmarshal([]byte(must(t, "info", path, "--json")), &about); err != nil {
				t.Fatal(err)
			}
			img := about.Images[0]
			if got := img.VoxelSize.String(); !strings.HasSuffix(got, size) || img.DType != "float32" {
				t.Errorf("%s to %s: voxel %s of %s, want %s", verb, ending, got, img.DType, size)
			}
			plane := want
			if verb == "slice" {
				plane = want[200:300]
			}
			if _, got := read[float32](t, "export", path); !slices.Equal(got, plane) {
				t.Errorf("%s to %s: the values differ", verb, ending)
			}
		}
	}
}

func TestBR023NamesAreTakenToTheLetter(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	npy(t, "plain.npy", "<f4", []int{2, 3}, count(6))
	for _, name := range []string{
		"a b", "gel_1%_0.2%_1hr", "100%25", "F#1.1", "x+y&z=1", "t 12:30", "-stack", "Zelle_ü_Κύτταρο_細胞", "[1]", "what?", "sample:cells", "*",
	} {
		for _, ending := range []string{".tif", ".ome.tif", ".npy", ".zarr"} {
			path := name + ending
			must(t, "export", "plain.npy", "--out", path)
			if _, err := os.Lstat(path); err != nil {
				t.Errorf("%q was not made: %v", path, err)
				continue
			}
			if _, got := read[float32](t, "export", path); !slices.Equal(got, count(6)) {
				t.Errorf("%q reads %v", path, got)
			}
			var about description
			if err := json.Unmarshal([]byte(must(t, "info", path, "--json")), &about); err != nil || about.Source != path {
				t.Errorf("%q calls itself %q: %v", path, about.Source, err)
			}
		}
	}
}

// The corner of the case's volume lies where it lay in it, in formats that can hold a place.
func TestBR021APartKeepsItsPlace(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "first.ome.tif")
	sized(t, first)
	for _, ending := range voxelSized {
		path := filepath.Join(dir, "part"+ending)
		must(t, "export", first, "--roi", "z=2:4,y=3:9,x=1:5", "--out", path)
		var about description
		if err := json.Unmarshal([]byte(must(t, "info", path, "--json")), &about); err != nil {
			t.Fatal(err)
		}
		o := about.Images[0].Levels[0].Origin
		if o.Z == nil || o.Y == nil || o.X == nil || math.Abs(*o.Z-0.6) > 1e-9 || math.Abs(*o.Y-0.3) > 1e-9 || math.Abs(*o.X-0.1) > 1e-9 {
			t.Errorf("%s: the part begins at %v, want 0.6, 0.3, 0.1 um", ending, o)
		}
	}
}

func TestBR022AVoxelSizeOfImageJIsTheSameAfterAnExport(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "first.tif", string(nanometres("ImageJ=1.53t\nimages=2\nslices=2\nunit=nm\nspacing=25\n")))
	from := "first.tif"
	for _, ending := range voxelSized { // each from the one before
		path := "again" + ending
		must(t, "export", from, "--out", path)
		var about description
		if err := json.Unmarshal([]byte(must(t, "info", path, "--json")), &about); err != nil {
			t.Fatal(err)
		}
		if got := about.Images[0].VoxelSize.String(); !strings.HasSuffix(got, "z 0.025, y 0.0165, x 0.0165 µm") {
			t.Errorf("%s: the voxel is %s", path, got)
		}
		from = path
	}
}

func TestBR025ATIFFThatPointsAtItselfIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loop.tif")
	if err := os.WriteFile(path, []byte{0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0}, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"info", "export"} {
		args := []string{verb, path}
		if verb == "export" {
			args = append(args, "--out", filepath.Join(t.TempDir(), "a.npy"))
		}
		got := lamella(args...)
		if got.code != couldNot || !strings.Contains(got.stderr, path) || !strings.Contains(got.stderr, "directory chain is cyclic") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d: %s", verb, got.code, got.stderr)
		}
	}
}

func TestTheSourceIsNeverReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	npy(t, "a.npy", "<f4", []int{2, 3}, count(6))
	before, _ := os.ReadFile("a.npy")
	if err := os.Symlink("a.npy", "b.npy"); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"a.npy", "./a.npy", "b.npy"} {
		got := lamella("export", "a.npy", "--filter", "mean", "--out", out, "--overwrite")
		if got.code != couldNot || !strings.Contains(got.stderr, "source itself") {
			t.Errorf("to %s: exit %d: %s", out, got.code, got.stderr)
		}
	}
	if after, _ := os.ReadFile("a.npy"); !bytes.Equal(before, after) {
		t.Error("a.npy was changed")
	}
	must(t, "export", "a.npy", "--out", "c.npy")
	if got := lamella("export", "a.npy", "--out", "c.npy"); got.code != couldNot || !strings.Contains(got.stderr, "--overwrite") || strings.Count(got.stderr, "export:") != 1 {
		t.Errorf("an existing file: exit %d: %s", got.code, got.stderr)
	}
	must(t, "export", "a.npy", "--out", "c.npy", "--overwrite")
}

// A colour picture keeps its colours; a value that is no number is hatched.
func TestAPictureOfKnownValues(t *testing.T) {
	t.Chdir(t.TempDir())
	nan := count(16)
	nan[0] = float32(notANumber())
	npy(t, "nan.npy", "<f4", []int{4, 4}, nan)
	must(t, "slice", "nan.npy", "--out", "nan.png")
	for at, want := range map[image.Point]color.RGBA{{X: 0, Y: 0}: {0x6e, 0x6e, 0x6e, 255}, {X: 1, Y: 0}: {0, 0, 0, 255}, {X: 3, Y: 3}: {255, 255, 255, 255}} {
		if got := decode(t, "nan.png").At(at.X, at.Y); color.RGBAModel.Convert(got) != want {
			t.Errorf("BR-006: the pixel at %v is %v, want %v", at, got, want)
		}
	}
	picture := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	copy(picture.Pix, []byte{10, 20, 30, 255, 200, 100, 50, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("rgb.png", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "slice", "rgb.png", "--out", "again.png")
	for x, want := range []color.RGBA{{10, 20, 30, 255}, {200, 100, 50, 255}} {
		if got := decode(t, "again.png").At(x, 0); color.RGBAModel.Convert(got) != want {
			t.Errorf("colour %d is %v, want %v", x, got, want)
		}
	}
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func TestAxesAreSplitAndReadFromNamesByWords(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "planes.bin"), "abcdefghijkl")
	got := must(t, "info", filepath.Join(dir, "planes.bin"), "--raw", "shape=12x1x1,dtype=uint8", "--axes", "(zc3)yx")
	if !strings.Contains(got, "4 z, 3 c") {
		t.Errorf("split it is\n%s", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "s"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"s_DAPI_1.png", "s_DAPI_2.png", "s_GFP_1.png", "s_GFP_2.png"} {
		must(t, "slice", "sample:ones?shape=1x3x4&dtype=uint8", "--out", filepath.Join(dir, "s", name), "--values", "--quiet")
	}
	got = must(t, "info", filepath.Join(dir, "s"), "--axes", "s_{c}_{z}.png")
	if !strings.Contains(got, "2 z, 2 c") || !strings.Contains(got, "c DAPI to GFP (2), z 1 to 2 (2)") {
		t.Errorf("by the names it is\n%s", got)
	}
	if bad := lamella("info", dir, "--axes", "(zc)yx"); bad.code != 2 {
		t.Errorf("a split without a length ends with %d: %s", bad.code, bad.stderr)
	}
}
