package dicom_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func open(t *testing.T, name string, o loaders.Options) lazy.Dataset {
	t.Helper()
	set, err := registry.Open(context.Background(), "testdata/"+name, o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

func whole(t *testing.T, a lazy.Array) *lazy.Block {
	t.Helper()
	b, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sample is what testdata/make.py writes at z, y, x.
func sample(z, y, x int) float64 { return float64(100*z + 8*y + x) }

// every compares all voxels with a formula.
func every(t *testing.T, what string, b *lazy.Block, want func(lazy.Index) float64) {
	t.Helper()
	s := b.Region.Shape()
	for n := range b.Len() {
		i := lazy.Index{}
		for a, rest := lazy.Rank-1, n; a >= 0; a-- {
			i[a], rest = rest%s[a], rest/s[a]
		}
		if got := b.Value(i); got != want(i) {
			t.Fatalf("%s: at %v: %v, want %v", what, i, got, want(i))
		}
	}
}

func TestSlicesOfASeriesStandInOrderOfTheirPlaces(t *testing.T) {
	volume := func(i lazy.Index) float64 { return sample(i[lazy.Z], i[lazy.Y], i[lazy.X]) }
	for _, c := range []struct {
		name  string
		shape lazy.Shape
		z     float64 // µm
		want  func(lazy.Index) float64
		says  string
	}{
		{"sorted", lazy.Shape{1, 4, 1, 6, 8}, 2500, volume, ""},
		{"gap", lazy.Shape{1, 4, 1, 6, 8}, 2500, func(i lazy.Index) float64 {
			return sample([]int{0, 1, 2, 5}[i[lazy.Z]], i[lazy.Y], i[lazy.X])
		}, "seem to be missing: 2, the first of them after slice 2"},
		{"twice", lazy.Shape{1, 4, 1, 6, 8}, 2500, volume, "at the same place as another: 1"},
		{"times", lazy.Shape{2, 3, 1, 6, 8}, 2500, func(i lazy.Index) float64 {
			return sample(10*i[lazy.T]+i[lazy.Z], i[lazy.Y], i[lazy.X])
		}, "2 slices lie at each place; they are taken as time points"},
		{"echoes", lazy.Shape{1, 3, 2, 6, 8}, 2500, func(i lazy.Index) float64 {
			return sample(10*(1-i[lazy.C])+i[lazy.Z], i[lazy.Y], i[lazy.X])
		}, "as channels by their echo time"},
		{"unplaced", lazy.Shape{1, 3, 1, 6, 8}, 0, volume, "in order of their instance number"},
		{"partly", lazy.Shape{1, 1, 1, 6, 8}, 9000, volume, "1.dcm was left out: its pixels are cut: 86 of 96 bytes"},
	} {
		set := open(t, c.name, loaders.Options{})
		if len(set.Images) != 1 {
			t.Errorf("%s: %d images", c.name, len(set.Images))
		}
		m := set.Images[0].Levels[0].Array.Meta()
		if m.Shape != c.shape || math.Abs(m.Scale[lazy.Z]-c.z) > 1e-6 {
			t.Errorf("%s: shape %v, %v µm along z; want %v and %v", c.name, m.Shape, m.Scale[lazy.Z], c.shape, c.z)
			continue
		}
		if said := strings.Join(set.Warnings, " "); !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: said %q, want %q", c.name, said, c.says)
		}
		if c.z > 0 && (math.Abs(m.Scale[lazy.Y]-400) > 1e-6 || math.Abs(m.Scale[lazy.X]-300) > 1e-6 || m.Unit[lazy.X] != "um") {
			t.Errorf("%s: scale %v %v", c.name, m.Scale, m.Unit)
		}
		every(t, c.name, whole(t, set.Images[0].Levels[0].Array), c.want)
	}
}

func TestTwoSeriesInAFolderAreTwoImages(t *testing.T) {
	set := open(t, "two", loaders.Options{})
	if len(set.Images) != 2 {
		t.Fatalf("%d images", len(set.Images))
	}
	for i, want := range []lazy.Shape{{1, 2, 1, 6, 8}, {1, 1, 1, 6, 8}} {
		image := set.Images[i]
		if s := image.Levels[0].Array.Meta().Shape; s != want || !strings.HasSuffix(image.Path, "."+string(rune('1'+i))) {
			t.Errorf("image %d: %v at %q, want %v", i, s, image.Path, want)
		}
	}
}

func TestSamplesAreReadAsTheyAreWritten(t *testing.T) {
	volume := func(i lazy.Index) float64 { return sample(i[lazy.Z], i[lazy.Y], i[lazy.X]) }
	colours := func(i lazy.Index) float64 { return sample(0, i[lazy.Y], i[lazy.X]) + float64(i[lazy.C]) }
	stack := lazy.Shape{1, 3, 1, 6, 8}
	rgb := lazy.Shape{1, 1, 3, 6, 8}
	for _, c := range []struct {
		name   string
		stored bool
		shape  lazy.Shape
		dtype  lazy.DType
		codec  string
		want   func(lazy.Index) float64
	}{
		{"plain.dcm", false, stack, lazy.U16, "raw", volume},
		{"implicit.dcm", false, stack, lazy.U16, "raw", volume},
		{"big.dcm", false, stack, lazy.U16, "raw", volume},
		{"bigwords.dcm", false, lazy.Shape{1, 1, 1, 6, 8}, lazy.U8, "raw", volume},
		{"bare.dcm", false, stack, lazy.U16, "raw", volume},
		{"deflated.dcm", false, stack, lazy.U16, "deflate", volume},
		{"fragments.dcm", false, stack, lazy.U16, "rle", volume},
		{"rle.dcm", false, stack, lazy.U16, "rle", volume},
		{"lossless.dcm", false, stack, lazy.U16, "jpeg", volume},
		{"sv1.dcm", false, stack, lazy.U16, "jpeg", volume},
		{"jpegls.dcm", false, stack, lazy.U16, "jpeg-ls", volume},
		{"bits.dcm", false, lazy.Shape{1, 1, 1, 6, 8}, lazy.I16, "raw", func(i lazy.Index) float64 { return volume(i) - 20 }},
		{"onebit.dcm", false, lazy.Shape{1, 3, 1, 5, 7}, lazy.U8, "raw", func(i lazy.Index) float64 {
			if (i[lazy.Z]*35+i[lazy.Y]*7+i[lazy.X])%3 == 0 {
				return 1
			}
			return 0
		}},
		{"float.dcm", false, lazy.Shape{1, 1, 1, 6, 8}, lazy.F32, "raw", func(i lazy.Index) float64 { return volume(i) / 4 }},
		{"rescaled.dcm", false, lazy.Shape{1, 1, 1, 6, 8}, lazy.F32, "raw", func(i lazy.Index) float64 { return volume(i)/2 - 3 }},
		{"rescaled.dcm", true, lazy.Shape{1, 1, 1, 6, 8}, lazy.U16, "raw", volume},
		{"dark.dcm", false, lazy.Shape{1, 1, 1, 6, 8}, lazy.U16, "raw", volume},
		{"rgb.dcm", false, rgb, lazy.U8, "raw", colours},
		{"planar.dcm", false, rgb, lazy.U8, "raw", colours},
		{"jpegls_line.dcm", false, rgb, lazy.U8, "jpeg-ls", colours},
		{"jpegls_sample.dcm", false, rgb, lazy.U8, "jpeg-ls", colours},
		{"ybr.dcm", true, rgb, lazy.U8, "raw", func(i lazy.Index) float64 { return []float64{76, 85, 255}[i[lazy.C]] }},
		{"ybr.dcm", false, rgb, lazy.U8, "raw", func(i lazy.Index) float64 { return []float64{254, 0, 0}[i[lazy.C]] }},
		{"palette.dcm", false, lazy.Shape{1, 1, 1, 6, 8}, lazy.U8, "raw", func(i lazy.Index) float64 { return float64(i[lazy.X] % 4) }},
		{"enhanced.dcm", true, lazy.Shape{2, 3, 1, 6, 8}, lazy.U16, "raw", func(i lazy.Index) float64 {
			return sample(10*i[lazy.T]+i[lazy.Z], i[lazy.Y], i[lazy.X])
		}},
		{"enhanced.dcm", false, lazy.Shape{2, 3, 1, 6, 8}, lazy.F32, "raw", func(i lazy.Index) float64 {
			return sample(10*i[lazy.T]+i[lazy.Z], i[lazy.Y], i[lazy.X]) + float64(i[lazy.T])
		}},
		{"cine.dcm", false, lazy.Shape{3, 1, 1, 6, 8}, lazy.U16, "raw", func(i lazy.Index) float64 { return sample(i[lazy.T], i[lazy.Y], i[lazy.X]) }},
	} {
		l := open(t, c.name, loaders.Options{Stored: c.stored}).Images[0].Levels[0]
		m := l.Array.Meta()
		if m.Shape != c.shape || m.DType != c.dtype || l.Codec != c.codec {
			t.Errorf("%s: shape %v, type %v, codec %s; want %v, %v, %s", c.name, m.Shape, m.DType, l.Codec, c.shape, c.dtype, c.codec)
			continue
		}
		every(t, c.name, whole(t, l.Array), c.want)
	}
}

func TestLengthsOfFunctionalGroupsAndTimes(t *testing.T) {
	m := open(t, "enhanced.dcm", loaders.Options{}).Images[0].Levels[0].Array.Meta()
	if want := [lazy.Rank]float64{0, 1500, 0, 200, 100}; m.Scale != want {
		t.Errorf("enhanced: %v, want %v", m.Scale, want)
	}
	m = open(t, "cine.dcm", loaders.Options{}).Images[0].Levels[0].Array.Meta()
	if m.Scale[lazy.T] != 0.04 || m.Unit[lazy.T] != "s" || m.Scale[lazy.X] != 0 {
		t.Errorf("cine: %v %v", m.Scale, m.Unit)
	}
}

func TestColoursAndWindows(t *testing.T) {
	p := open(t, "palette.dcm", loaders.Options{}).Images[0].Channels
	if len(p) != 1 || len(p[0].LUT) != 4 || p[0].LUT[1] != [3]uint8{255, 0, 0} || p[0].LUT[0] != [3]uint8{0, 0, 7} {
		t.Errorf("palette: %v", p)
	}
	for stored, want := range map[bool][2]float64{false: {-0.5, 19.5}, true: {5, 45}} {
		c := open(t, "rescaled.dcm", loaders.Options{Stored: stored}).Images[0].Channels
		if len(c) != 1 || c[0].Limits == nil || *c[0].Limits != want {
			t.Errorf("window, stored %v: %v, want %v", stored, c, want)
		}
	}
	if w := open(t, "dark.dcm", loaders.Options{}).Warnings; len(w) != 1 || !strings.Contains(w[0], "MONOCHROME1") {
		t.Errorf("dark: %q", w)
	}
	if i := open(t, "ybr.dcm", loaders.Options{}).Images[0]; !i.RGB || i.Channels[0].Name != "red" {
		t.Errorf("ybr: %v", i)
	}
}

func TestOneFileOfASeriesIsOpenedAlone(t *testing.T) {
	if s := open(t, "sorted/0.dcm", loaders.Options{}).Images[0].Levels[0].Array.Meta().Shape; s != (lazy.Shape{1, 1, 1, 6, 8}) {
		t.Errorf("%v", s)
	}
}

func TestTheUserNamesTheAxes(t *testing.T) {
	for _, c := range []struct {
		name, axes string
		shape      lazy.Shape
		want       func(lazy.Index) float64
	}{
		{"plain.dcm", "tyx", lazy.Shape{3, 1, 1, 6, 8}, func(i lazy.Index) float64 { return sample(i[lazy.T], i[lazy.Y], i[lazy.X]) }},
		{"times", "zcyx", lazy.Shape{1, 2, 3, 6, 8}, func(i lazy.Index) float64 { return sample(10*i[lazy.Z]+i[lazy.C], i[lazy.Y], i[lazy.X]) }},
		{"times", "ztyx", lazy.Shape{3, 2, 1, 6, 8}, func(i lazy.Index) float64 { return sample(10*i[lazy.Z]+i[lazy.T], i[lazy.Y], i[lazy.X]) }},
		{"rgb.dcm", "yx", lazy.Shape{1, 1, 3, 6, 8}, func(i lazy.Index) float64 { return sample(0, i[lazy.Y], i[lazy.X]) + float64(i[lazy.C]) }},
	} {
		b := whole(t, open(t, c.name, loaders.Options{Axes: c.axes}).Images[0].Levels[0].Array)
		if s := b.Region.Shape(); s != c.shape {
			t.Errorf("%s as %s: %v, want %v", c.name, c.axes, s, c.shape)
			continue
		}
		every(t, c.name+" as "+c.axes, b, c.want)
	}
	for _, axes := range []string{"tzyx", "xyz", "qyx", "zz"} {
		if _, err := registry.Open(context.Background(), "testdata/plain.dcm", loaders.Options{Axes: axes}); err == nil {
			t.Errorf("three frames were given the axes %s", axes)
		}
	}
}

// changed is a copy of a test file in which one element's value is another; the element is found by its
// tag in little endian.
func changed(t testing.TB, name string, group, element uint16, value string) string {
	t.Helper()
	p, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	head := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, group), element)
	at := bytes.LastIndex(p, head)
	if group == 2 {
		at = bytes.Index(p, head)
	}
	if at < 0 {
		t.Fatalf("%s has no %04x,%04x", name, group, element)
	}
	copy(p[at+8:], value)
	to := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(to, p, 0o666); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestBadFilesAreRefusedInOneLine(t *testing.T) {
	for _, c := range []struct {
		what, path, says string
	}{
		{"no rows", changed(t, "plain.dcm", 0x28, 0x10, "\x00\x00"), "a picture of 8 x 0 pixels"},
		{"more rows than there are pixels", changed(t, "plain.dcm", 0x28, 0x10, "\xff\xff"), "need more than the 288 bytes"},
		{"frames in words", changed(t, "plain.dcm", 0x28, 0x08, "x "), `its number of frames is "x"`},
		{"tightly packed samples", changed(t, "plain.dcm", 0x28, 0x100, "\x0c\x00"), "12 bits a sample"},
		{"an unknown transfer syntax", changed(t, "plain.dcm", 2, 0x10, "9.9.9"), `"9.9.940.10008.1.2.1" is not known`},
		{"JPIP", changed(t, "jpegls.dcm", 2, 0x10, "1.2.840.10008.1.2.4.94"), "JPIP referenced (transfer syntax 1.2.840.10008.1.2.4.94)"},
		{"JPEG 2000 that is JPEG-LS", changed(t, "jpegls.dcm", 2, 0x10, "1.2.840.10008.1.2.4.90"), "jpeg 2000"},
		{"RLE that is JPEG-LS", changed(t, "jpegls.dcm", 2, 0x10, "1.2.840.10008.1.2.5\x00\x00\x00"), "rle"},
		{"a frame of a wrong size", changed(t, "jpegls.dcm", 0x28, 0x10, "\x07\x00"), "a stream of 8 x 6 pixels"},
		{"no pixels", "testdata/partly/notes.txt", "of no kind that is known"},
	} {
		set, err := registry.Open(context.Background(), c.path, loaders.Options{})
		if err == nil {
			a := set.Images[0].Levels[0].Array
			_, err = loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
			set.Close()
		}
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one line with %q", c.what, err, c.says)
		}
	}
}

// FuzzFile: whatever a file holds, its first rows are read or refused in one line.
func FuzzFile(f *testing.F) {
	for _, name := range []string{"implicit", "big", "bare", "deflated", "onebit", "enhanced", "fragments", "lossless", "jpegls_line", "jpegls_sample", "palette"} {
		p, err := os.ReadFile("testdata/" + name + ".dcm")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	at := filepath.Join(f.TempDir(), "a.dcm")
	f.Fuzz(func(t *testing.T, p []byte) {
		if err := os.WriteFile(at, p, 0o666); err != nil {
			t.Fatal(err)
		}
		set, err := registry.Open(context.Background(), at, loaders.Options{})
		if err == nil {
			defer set.Close()
			a := set.Images[0].Levels[0].Array
			if m := a.Meta(); m.Chunk.Voxels() < 1<<20 {
				_, err = loadertest.Read(context.Background(), a, m.Shape.Whole().Intersect(lazy.Region{Max: lazy.Index{1, 2, 3, 8, 8}}))
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
	})
}
