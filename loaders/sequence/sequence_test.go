package sequence_test

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/sequence"
)

// drawn writes grey pictures of one value each.
func drawn(t *testing.T, dir, name string, width, height int, value uint8) {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, width, height))
	for i := range p.Pix {
		p.Pix[i] = value
	}
	if err := sequence.WritePNG(filepath.Join(dir, name), p, true); err != nil {
		t.Fatal(err)
	}
}

func stackOf(t *testing.T, place string, o loaders.Options) (lazy.Dataset, lazy.Array) {
	t.Helper()
	set, err := formats.Open(ctx, place, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set, set.Images[0].Levels[0].Array
}

func at(t *testing.T, a lazy.Array, i lazy.Index) float64 {
	t.Helper()
	b, err := loadertest.Read(ctx, a, lazy.At(i, lazy.Shape{1, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	return b.Value(i)
}

func TestBR002FilesStandInNaturalOrder(t *testing.T) {
	for _, c := range []struct {
		name   string
		format string
		first  int
		n      int
	}{
		{"img_1 to img_12", "img_%d.png", 1, 12}, {"z01 to z117", "z%02d.png", 1, 117}, {"s (1) to s (11)", "s (%d).png", 1, 11},
	} {
		dir := t.TempDir()
		for i := range c.n {
			drawn(t, dir, fmt.Sprintf(c.format, c.first+i), 4, 4, uint8(c.first+i))
		}
		for _, place := range []string{dir, filepath.Join(dir, "*.png")} {
			_, a := stackOf(t, place, loaders.Options{})
			if s := a.Meta().Shape; s != (lazy.Shape{1, c.n, 1, 4, 4}) {
				t.Fatalf("%s: %v", c.name, s)
			}
			for z := range c.n {
				if got := at(t, a, lazy.Index{0, z, 0, 1, 1}); got != float64(c.first+z) {
					t.Errorf("%s: plane %d reads %v", c.name, z, got)
				}
			}
		}
	}
}

func TestNumbersInNamesBecomeAxes(t *testing.T) {
	for _, c := range []struct {
		names   string
		shape   [3]int
		assumed string
	}{
		{"a_t0_z0_c0 a_t0_z0_c1 a_t0_z1_c0 a_t0_z1_c1 a_t1_z0_c0 a_t1_z0_c1 a_t1_z1_c0 a_t1_z1_c1", [3]int{2, 2, 2}, ""},
		{"Channel_0 Channel_1 Channel_2", [3]int{1, 1, 3}, ""},
		{"x_w1 x_w2", [3]int{1, 1, 2}, ""},
		{"frame001 frame002 frame003", [3]int{3, 1, 1}, ""},
		{"img_000_ch1_000 img_000_ch1_001 img_000_ch2_000 img_000_ch2_001 img_001_ch1_000 img_001_ch1_001 img_001_ch2_000 img_001_ch2_001", [3]int{2, 2, 2}, "tz"},
		{"s014_z000_ch00 s014_z001_ch00", [3]int{1, 2, 1}, ""},
		{"T=1 T=2", [3]int{2, 1, 1}, ""},
		{"b1 b2 b10", [3]int{1, 3, 1}, "z"},
		{"left right", [3]int{1, 2, 1}, "z"},
		{"z1 y2 z3", [3]int{1, 3, 1}, "z"},
		{"t1_z1 t1_z2 t2_z1", [3]int{2, 2, 1}, ""},                      // one is missing
		{"e_DAPI_z1 e_DAPI_z2 e_GFP_z1 e_GFP_z2", [3]int{1, 2, 2}, "c"}, // a word tells channels, if numbers are told by theirs
		{"DAPI-t1-z1 DAPI-t1-z2 Cy5-t1-z1 Cy5-t1-z2", [3]int{1, 2, 2}, "c"},
		{"ctrl_1 ctrl_2 drug_1 drug_2", [3]int{1, 4, 1}, "z"},                 // specimens, it may be
		{"DAPI_z1 DAPI_z2 GFP_z1", [3]int{1, 3, 1}, "z"},                      // not each of each
		{"a_DAPI_z1 b_DAPI_z1 a_GFP_z1 b_GFP_z1", [3]int{1, 4, 1}, "z"},       // two words
		{"t1_z1 t2_z2 t3_z3", [3]int{1, 3, 1}, "z"},                           // numbers that run together are no grid
		{"a99999999999999999999 a99999999999999999998", [3]int{1, 2, 1}, "z"}, // no number that can be counted
	} {
		dir := t.TempDir()
		for i, n := range strings.Fields(c.names) {
			drawn(t, dir, n+".png", 3, 2, uint8(i))
		}
		set, a := stackOf(t, dir, loaders.Options{})
		if s := a.Meta().Shape; [3]int(s[:3]) != c.shape || set.Images[0].Assumed != c.assumed {
			t.Errorf("%s: %v, assumed %q", c.names, s, set.Images[0].Assumed)
		}
	}
}

func TestAGridOfNamesPutsEveryFileInItsPlace(t *testing.T) {
	dir := t.TempDir()
	for tt := range 2 {
		for z := range 3 {
			for c := range 2 {
				drawn(t, dir, fmt.Sprintf("e_c%d_t%d_z%d.png", c, tt, z+8), 3, 2, uint8(100*tt+10*z+c))
			}
		}
	}
	os.Remove(filepath.Join(dir, "e_c1_t1_z9.png"))
	set, a := stackOf(t, dir, loaders.Options{})
	for tt := range 2 {
		for z := range 3 {
			for c := range 2 {
				want := float64(100*tt + 10*z + c)
				if tt == 1 && z == 1 && c == 1 {
					want = 0
				}
				if got := at(t, a, lazy.Index{tt, z, c, 1, 2}); got != want {
					t.Errorf("t %d z %d c %d reads %v, not %v", tt, z, c, got, want)
				}
			}
		}
	}
	if w := strings.Join(set.Warnings, "; "); !strings.Contains(w, "t=1 z=1 c=1") {
		t.Errorf("BR-001: the missing file is not named in %q", w)
	}
	if ch := set.Images[0].Channels; len(ch) != 2 || ch[1].Name != "c1" {
		t.Errorf("channels %v", ch)
	}
}

func TestTheUserNamesTheAxis(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		drawn(t, dir, fmt.Sprintf("z%d.png", i), 3, 2, uint8(i))
	}
	_, a := stackOf(t, dir, loaders.Options{Axes: "tyx"})
	if s := a.Meta().Shape; s != (lazy.Shape{3, 1, 1, 2, 3}) {
		t.Errorf("got %v", s)
	}
	if _, err := formats.Open(ctx, dir, loaders.Options{Axes: "tcyx"}); err == nil {
		t.Error("two axes were found in one number")
	}
}

func TestBR002AFileThatDoesNotFitIsNamed(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		drawn(t, dir, fmt.Sprintf("m%d.png", i), 4, 4, uint8(i+1))
	}
	drawn(t, dir, "m2.png", 5, 4, 3)
	deep := image.NewGray16(image.Rect(0, 0, 4, 4))
	deep.SetGray16(0, 0, color.Gray16{Y: 300})
	if err := sequence.WritePNG(filepath.Join(dir, "m3.png"), deep, true); err != nil {
		t.Fatal(err)
	}
	set, a := stackOf(t, dir, loaders.Options{})
	if w := strings.Join(set.Warnings, "; "); !strings.Contains(w, "m2.png") || !strings.Contains(w, "m3.png") {
		t.Errorf("the warnings %q do not name them", w)
	}
	for z, name := range map[int]string{2: "m2.png", 3: "m3.png"} {
		_, err := loadertest.Read(ctx, a, lazy.At(lazy.Index{0, z}, lazy.Shape{1, 1, 1, 4, 4}))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("plane %d: %v", z, err)
		}
	}
	if at(t, a, lazy.Index{0, 1, 0, 3, 3}) != 2 {
		t.Error("the planes that fit are not shown")
	}
}

func TestAGapInTheNumberingIsTold(t *testing.T) {
	dir := t.TempDir()
	for _, i := range []int{0, 1, 2, 4, 5} {
		drawn(t, dir, fmt.Sprintf("z%02d.png", i), 4, 4, uint8(i))
	}
	set, a := stackOf(t, dir, loaders.Options{})
	if len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "leaves out 3") || at(t, a, lazy.Index{0, 3, 0, 0, 0}) != 4 {
		t.Errorf("warnings %q", set.Warnings)
	}
}

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		p := image.NewGray16(image.Rect(0, 0, 33, 21))
		for k := range p.Pix {
			p.Pix[k] = uint8(k*7 + i)
		}
		if err := sequence.WritePNG(filepath.Join(dir, fmt.Sprintf("t%d_z%d.png", i/3, i%3)), p, false); err != nil {
			t.Fatal(err)
		}
	}
	loadertest.Run(t, loadertest.Case{Registry: formats, Path: dir})
	loadertest.Run(t, loadertest.Case{Registry: formats, Path: filepath.Join(dir, "t0_z1.png")})
}

func TestAFolderThatIsOneOMESetIsOpenedAsThatSet(t *testing.T) {
	shared, why := loadertest.Shared()
	if why != "" {
		t.Skipf("folders of OME-TIFF sets were not opened: %s", why)
	}
	for folder, want := range map[string]lazy.Shape{
		"mfa": {1, 4, 3, 28, 36}, "mfc": {1, 3, 2, 28, 36}, "viv_multifile": {1, 5, 1, 24, 18},
	} {
		set, a := stackOf(t, filepath.Join(shared, "data", "tiff", folder), loaders.Options{})
		if a.Meta().Shape != want || set.Format != "tiff" {
			t.Errorf("%s: %s of %v", folder, set.Format, a.Meta().Shape)
		}
		at(t, a, lazy.Index{0, want[lazy.Z] - 1, want[lazy.C] - 1, 0, 0})
	}
}
