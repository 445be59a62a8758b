package tiff_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/tiff"
)

var ctx = context.Background()

var formats = loaders.Registry{tiff.Driver{}}

type create func(string, loaders.Description) (loaders.Writer, error)

var kinds = map[string]create{".tif": tiff.Create, ".ome.tif": tiff.CreateOME}

// random is a block of any bits, with finite real numbers.
func random(s lazy.Shape, d lazy.DType) *lazy.Block {
	b := lazy.NewBlock(s.Whole(), d)
	r := rand.New(rand.NewPCG(7, uint64(d)))
	switch d {
	case lazy.F32:
		for i := range lazy.View[float32](b) {
			lazy.View[float32](b)[i] = float32(r.NormFloat64())
		}
	case lazy.F64:
		for i := range lazy.View[float64](b) {
			lazy.View[float64](b)[i] = r.NormFloat64()
		}
	default:
		for i := range b.Bytes() {
			b.Bytes()[i] = byte(r.Uint32())
		}
	}
	return b
}

// save writes a whole block by the cells that the writer asks for.
func save(t *testing.T, make create, path string, d loaders.Description, b *lazy.Block) {
	t.Helper()
	w, err := make(path, d)
	if err != nil {
		t.Fatal(err)
	}
	for cell := range b.Region.Tiles(w.Grid()) {
		part := lazy.NewBlock(cell.Intersect(b.Region), b.DType)
		lazy.CopyRegion(part, b, part.Region)
		if err := w.Write(ctx, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, path string) lazy.Dataset {
	t.Helper()
	set, err := formats.Open(ctx, path, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

func describe(b *lazy.Block) loaders.Description {
	d := loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: b.DType}}
	d.Meta.Scale = [lazy.Rank]float64{2.5, 0.3, 0, 0.1, 0.1}
	d.Meta.Unit = [lazy.Rank]string{"s", "um", "", "um", "um"}
	return d
}

func TestEveryTypeAndShapeComesBackAsWritten(t *testing.T) {
	shapes := []lazy.Shape{{1, 1, 1, 7, 5}, {1, 6, 1, 5, 4}, {3, 1, 1, 5, 4}, {1, 1, 4, 5, 4}, {2, 3, 4, 5, 6}, {1, 2, 3, 1, 1}}
	for ending, create := range kinds {
		for _, d := range lazy.DTypes() {
			if ending == ".ome.tif" && (d == lazy.U64 || d == lazy.I64) {
				continue
			}
			for _, s := range shapes {
				name := fmt.Sprintf("%v %v%s", d, s, ending)
				b := random(s, d)
				path := filepath.Join(t.TempDir(), "a"+ending)
				save(t, create, path, describe(b), b)
				set := open(t, path)
				if len(set.Images) != 1 || len(set.Warnings) != 0 {
					t.Fatalf("%s: %d images, warnings %q", name, len(set.Images), set.Warnings)
				}
				a := set.Images[0].Levels[0].Array
				if m := a.Meta(); m.Shape != s || m.DType != d {
					t.Errorf("%s came back as %v of %v", name, m.DType, m.Shape)
					continue
				}
				got, err := loadertest.Read(ctx, a, s.Whole())
				if err != nil || string(got.Bytes()) != string(b.Bytes()) {
					t.Errorf("%s: voxels differ, %v", name, err)
				}
			}
		}
	}
}

func TestBR021VoxelSizeOriginAndTimeStepSurviveSaving(t *testing.T) {
	for ending, create := range kinds {
		for name, s := range map[string]lazy.Shape{"a volume": {1, 5, 1, 10, 10}, "one plane": {1, 1, 1, 10, 10}, "a series": {4, 1, 1, 10, 10}} {
			b := random(s, lazy.F32)
			d := describe(b)
			d.Meta.Origin = [lazy.Rank]float64{0, 1.5, 0, -0.7, 12.3}
			path := filepath.Join(t.TempDir(), "a"+ending)
			save(t, create, path, d, b)
			m := open(t, path).Images[0].Levels[0].Array.Meta()
			for _, a := range []lazy.Axis{lazy.T, lazy.Z, lazy.Y, lazy.X} {
				if m.Scale[a] != d.Meta.Scale[a] || m.Unit[a] != d.Meta.Unit[a] || math.Abs(m.Origin[a]-d.Meta.Origin[a]) > 1e-12 {
					t.Errorf("%s as %s: %v is %v %s from %v, not %v %s from %v", name, ending, a,
						m.Scale[a], m.Unit[a], m.Origin[a], d.Meta.Scale[a], d.Meta.Unit[a], d.Meta.Origin[a])
				}
			}
		}
	}
}

func TestASizeThatIsNotKnownStaysUnknown(t *testing.T) {
	for ending, create := range kinds {
		for _, known := range [][]lazy.Axis{{}, {lazy.Z}, {lazy.X}, {lazy.Y}, {lazy.Y, lazy.X}, {lazy.Z, lazy.X}, {lazy.Z, lazy.Y, lazy.X}} {
			b := random(lazy.Shape{1, 3, 1, 4, 4}, lazy.U8)
			d := loaders.Description{Meta: lazy.Meta{Shape: b.Region.Shape(), DType: b.DType}}
			for _, a := range known {
				d.Meta.Scale[a], d.Meta.Unit[a] = 1, "um" // also what a placeholder looks like
			}
			path := filepath.Join(t.TempDir(), "a"+ending)
			save(t, create, path, d, b)
			if m := open(t, path).Images[0].Levels[0].Array.Meta(); m.Scale != d.Meta.Scale {
				t.Errorf("%s with %v known: %v", ending, known, m.Scale)
			}
		}
	}
}

func TestChannelsKeepTheirNamesColoursAndLimits(t *testing.T) {
	fire := make([][3]uint8, 256)
	for i := range fire {
		fire[i] = [3]uint8{uint8(min(255, 2*i)), uint8(i * i / 255), uint8(i / 3)}
	}
	b := random(lazy.Shape{2, 2, 3, 4, 4}, lazy.U16)
	d := describe(b)
	d.Channels = []lazy.Channel{
		{Name: "DAPI", Color: "#0000ff", Limits: &[2]float64{0, 4095}},
		{Name: "α-tubulin", Color: "#00ff80", Limits: &[2]float64{-1.5, 70}},
		{Name: "heat", LUT: fire, Limits: &[2]float64{1, 2}},
	}
	for ending, create := range kinds {
		path := filepath.Join(t.TempDir(), "a"+ending)
		save(t, create, path, d, b)
		got := open(t, path).Images[0].Channels
		if len(got) != 3 {
			t.Fatalf("%s: %d channels", ending, len(got))
		}
		for i, c := range got {
			want := d.Channels[i]
			if c.Name != want.Name || c.Color != want.Color {
				t.Errorf("%s: channel %d is %q in %q", ending, i, c.Name, c.Color)
			}
			if ending == ".tif" && (c.Limits == nil || *c.Limits != *want.Limits || len(c.LUT) != len(want.LUT)) {
				t.Errorf("channel %d has the limits %v and a LUT of %d", i, c.Limits, len(c.LUT))
			}
		}
	}
}

func TestAPaletteIsWrittenAsOne(t *testing.T) {
	b := random(lazy.Shape{1, 1, 1, 4, 4}, lazy.U8)
	d := describe(b)
	lut := make([][3]uint8, 256)
	for i := range lut {
		lut[i] = [3]uint8{uint8(255 - i), uint8(i), 7}
	}
	d.Channels = []lazy.Channel{{LUT: lut}}
	path := filepath.Join(t.TempDir(), "a.tif")
	save(t, tiff.Create, path, d, b)
	c := open(t, path).Images[0].Channels
	if len(c) != 1 || len(c[0].LUT) != 256 || c[0].LUT[3] != lut[3] || *c[0].Limits != [2]float64{0, 255} {
		t.Errorf("got %v", c)
	}
}

func TestColourPicturesAreWrittenAsColour(t *testing.T) {
	for ending, create := range kinds {
		for _, s := range []lazy.Shape{{1, 1, 3, 5, 7}, {1, 2, 4, 5, 7}} {
			for _, dt := range []lazy.DType{lazy.U8, lazy.U16} {
				b := random(s, dt)
				d := describe(b)
				d.RGB = true
				path := filepath.Join(t.TempDir(), "a"+ending)
				save(t, create, path, d, b)
				set := open(t, path)
				a := set.Images[0].Levels[0].Array
				got, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
				if err != nil || !set.Images[0].RGB || a.Meta().Shape != s || string(got.Bytes()) != string(b.Bytes()) {
					t.Errorf("%s %v %v: RGB %v, shape %v, %v", ending, s, dt, set.Images[0].RGB, a.Meta().Shape, err)
				}
			}
		}
	}
}

func TestTheSameImageGivesTheSameBytes(t *testing.T) {
	b := random(lazy.Shape{2, 2, 2, 4, 4}, lazy.U16)
	d := describe(b)
	d.Recipe = loaders.Recipe{Source: "a b <c>.tif", Chain: "gaussian sigma=0.4um | sobel", Version: "0.1.0"}
	for ending, create := range kinds {
		var files [2]string
		for i := range files {
			path := filepath.Join(t.TempDir(), "a"+ending)
			save(t, create, path, d, b)
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[i] = string(raw)
		}
		if files[0] != files[1] {
			t.Errorf("two files %s of the same image differ", ending)
		}
		path := filepath.Join(t.TempDir(), "a"+ending)
		save(t, create, path, d, b)
		if r := open(t, path).Images[0].Recipe; r != d.Recipe {
			t.Errorf("%s tells the recipe %+v", ending, r)
		}
	}
}

func TestAFileAppearsWholeOrNotAtAll(t *testing.T) {
	b := random(lazy.Shape{1, 2, 1, 4, 4}, lazy.U8)
	for ending, create := range kinds {
		dir := t.TempDir()
		path := filepath.Join(dir, "a"+ending)
		w, err := create(path, describe(b))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is there before it is closed", path)
		}
		if err := w.Write(ctx, b); err == nil {
			t.Errorf("%s: two planes were taken for one", ending)
		}
		if err := w.Close(); err == nil {
			t.Errorf("%s: closed before the last voxel", ending)
		}
		w, err = create(path, describe(b))
		if err != nil {
			t.Fatal(err)
		}
		w.Abort()
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: %v was left", ending, left)
		}
		save(t, create, path, describe(b), b)
		if _, err := create(path, describe(b)); !errors.Is(err, loaders.ErrExists) {
			t.Errorf("%s: an existing file: %v", ending, err)
		}
		d := describe(b)
		d.Overwrite = true
		save(t, create, path, d, b)
	}
}

func TestOMEHasNoIntegersOf64Bits(t *testing.T) {
	b := random(lazy.Shape{1, 1, 1, 2, 2}, lazy.I64)
	path := filepath.Join(t.TempDir(), "a.ome.tif")
	if _, err := tiff.CreateOME(path, describe(b)); !errors.Is(err, loaders.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left")
	}
}

// Above 4 GB an OME-TIFF is a BigTIFF. ImageJ reads none: it wants a classic TIFF whose only directory counts the
// planes behind each other, but for what it does not read anyway.
func TestWhatBecomesOfMoreThanFourGigabytes(t *testing.T) {
	const classic, big = "II*\x00", "II+\x00"
	for _, c := range []struct {
		ending string
		dtype  lazy.DType
		want   string
	}{{".tif", lazy.U16, classic}, {".tif", lazy.F64, classic}, {".tif", lazy.I64, big}, {".ome.tif", lazy.U16, big}} {
		b := random(lazy.Shape{2, 3, 2, 5, 6}, c.dtype)
		for _, limit := range []int64{1 << 10, math.MaxUint32} {
			restore := tiff.ClassicLimit(limit) // as if the file were so large
			path := filepath.Join(t.TempDir(), "a"+c.ending)
			save(t, kinds[c.ending], path, describe(b), b)
			restore()
			raw, err := os.ReadFile(path)
			if err != nil || string(raw[:4]) != c.want && limit == 1<<10 || string(raw[:4]) != classic && limit != 1<<10 {
				t.Fatalf("%s of %v beyond %d bytes begins with %q, %v", c.ending, c.dtype, limit, raw[:4], err)
			}
			set := open(t, path)
			a := set.Images[0].Levels[0].Array
			got, err := loadertest.Read(ctx, a, a.Meta().Shape.Whole())
			if err != nil || a.Meta().Shape != b.Region.Shape() || string(got.Bytes()) != string(b.Bytes()) || len(set.Warnings) > 0 {
				t.Errorf("%s of %v: %v, %v, warnings %q", c.ending, c.dtype, a.Meta().Shape, err, set.Warnings)
			}
		}
	}
}

func TestTheNameOfASingleChannelSurvives(t *testing.T) {
	for ending, create := range kinds {
		for name, s := range map[string]lazy.Shape{"one plane": {1, 1, 1, 4, 4}, "a volume": {1, 3, 1, 4, 4}, "a series of volumes": {2, 3, 1, 4, 4}} {
			b := random(s, lazy.U16)
			d := describe(b)
			d.Channels = []lazy.Channel{{Name: "DAPI ü", Limits: &[2]float64{10, 300}}}
			path := filepath.Join(t.TempDir(), "a"+ending)
			save(t, create, path, d, b)
			c := open(t, path).Images[0].Channels
			if len(c) != 1 || c[0].Name != "DAPI ü" {
				t.Errorf("%s as %s: channels %v", name, ending, c)
			}
			if ending == ".tif" && (len(c) != 1 || c[0].Limits == nil || *c[0].Limits != [2]float64{10, 300}) {
				t.Errorf("%s as %s: the limits are lost: %v", name, ending, c)
			}
		}
	}
}
