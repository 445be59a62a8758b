package sequence_test

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/sequence"
)

// deep writes a picture of 16 bits.
func deep(t *testing.T, dir, name string, width, height int) {
	t.Helper()
	p := image.NewGray16(image.Rect(0, 0, width, height))
	p.Pix[0] = 7
	if err := sequence.WritePNG(filepath.Join(dir, name), p, true); err != nil {
		t.Fatal(err)
	}
}

// kinds writes pictures of which each letter of a word is one: s small, w wide, d of 16 bits, b both, x damaged, n no picture.
func kinds(t *testing.T, word string) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	for i, r := range word {
		name := string(rune('a'+i)) + ".png"
		switch r {
		case 's':
			drawn(t, dir, name, 4, 3, uint8(i+1))
		case 'w':
			drawn(t, dir, name, 5, 3, uint8(i+1))
		case 'd':
			deep(t, dir, name, 4, 3)
		case 'b':
			deep(t, dir, name, 9, 8)
		case 'x':
			if err := os.WriteFile(filepath.Join(dir, name), []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0DIHDRand no more"), 0o644); err != nil {
				t.Fatal(err)
			}
		case 'n':
			name = string(rune('a'+i)) + ".txt"
			if err := os.WriteFile(filepath.Join(dir, name), []byte("what was seen\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, filepath.Join(dir, name))
	}
	return dir, paths
}

func TestBR002FilesThatMakeNoStackAreNamedWithWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		files string
		says  string // "" if they make a stack
		notes string // of the stack
	}{
		{"ss", "", ""},
		{"sw", "they differ in shape: a.png is 3 y, 4 x of uint8; b.png is 3 y, 5 x of uint8", ""},
		{"sd", "they differ in type: a.png is 3 y, 4 x of uint8; b.png is 3 y, 4 x of uint16", ""},
		{"sb", "they differ in shape and type: a.png is 3 y, 4 x of uint8; b.png is 8 y, 9 x of uint16", ""},
		{"sn", "not all can be read: a.png is 3 y, 4 x of uint8; b.txt cannot be read as an image", ""},
		{"sx", "not all can be read: a.png is 3 y, 4 x of uint8; b.png is damaged", ""},
		{"sdwbn", "they differ in shape and type: a.png is 3 y, 4 x of uint8; b.png is 3 y, 4 x of uint16; c.png is 3 y, 5 x of uint8; d.png is 8 y, 9 x of uint16; and 1 more kind", ""},
		{"ssww", "they differ in shape: a.png and 1 more are 3 y, 4 x of uint8; c.png and 1 more are 3 y, 5 x of uint8", ""},
		{"nn", "none of 2 files can be read, such as a.txt", ""},
		{"wsss", "", "a.png: is 3 y, 5 x of uint8, other files of the stack are 3 y, 4 x of uint8"},
		{"sssx", "", "d.png"},
		{"xsss", "", "a.png"},
		{"ssns", "", "c.txt"},
	} {
		_, paths := kinds(t, c.files)
		set, err := formats.OpenMany(ctx, paths, loaders.Options{})
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.files, err, c.says)
		}
		if err != nil {
			if strings.Contains(err.Error(), "\n") || c.files != "sx" && strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s: %v: good files are not damaged, and it is one line", c.files, err)
			}
			continue
		}
		if w := strings.Join(set.Warnings, "; "); !strings.Contains(w, c.notes) || (w == "") != (c.notes == "") {
			t.Errorf("%s: the notes %q, want %q", c.files, w, c.notes)
		}
		a := set.Images[0].Levels[0].Array
		for z, r := range c.files {
			b, err := loadertest.Read(ctx, a, lazy.At(lazy.Index{0, z}, lazy.Shape{1, 1, 1, 3, 4}))
			switch {
			case (err == nil) != (r == 's'):
				t.Errorf("%s: plane %d: %v", c.files, z, err)
			case err == nil && b.Value(lazy.Index{0, z, 0, 2, 3}) != float64(z+1):
				t.Errorf("%s: plane %d reads %v", c.files, z, b.Value(lazy.Index{0, z, 0, 2, 3}))
			case err != nil && !strings.Contains(err.Error(), filepath.Base(paths[z])):
				t.Errorf("%s: plane %d: %v does not name its file", c.files, z, err)
			}
		}
		set.Close()
	}
}

// Of many files not all are looked into. The first may be few of another kind.
func TestManyFilesAreOfTheKindOfMost(t *testing.T) {
	dir := t.TempDir()
	for i := range 600 {
		if name := fmt.Sprintf("p%03d.png", i); i < 20 {
			drawn(t, dir, name, 4, 3, 1)
		} else {
			deep(t, dir, name, 4, 3)
		}
	}
	set, err := formats.Open(ctx, dir, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	a := set.Images[0].Levels[0].Array
	if m := a.Meta(); m.DType != lazy.U16 || m.Shape != (lazy.Shape{1, 600, 1, 3, 4}) {
		t.Fatalf("%v of %v", m.Shape, m.DType)
	}
	for z, want := range map[int]string{0: "p000.png: is 3 y, 4 x of uint8, other files of the stack are 3 y, 4 x of uint16", 20: "", 599: ""} {
		_, err := loadertest.Read(ctx, a, lazy.At(lazy.Index{0, z}, lazy.Shape{1, 1, 1, 3, 4}))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("plane %d: %v, want %q", z, err, want)
		}
	}
}

func TestBR002AFolderOfUnlikeFilesHoldsAnImageForEach(t *testing.T) {
	dir, _ := kinds(t, "swbx")
	set, err := formats.Open(ctx, dir, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	var got []string
	for _, img := range set.Images {
		got = append(got, img.Name+" "+img.Levels[0].Array.Meta().Shape.String())
	}
	if want := "a.png 1x1x1x3x4, b.png 1x1x1x3x5, c.png 1x1x1x8x9"; strings.Join(got, ", ") != want {
		t.Errorf("the images are %q, want %q", got, want)
	}
	if w := strings.Join(set.Warnings, "; "); !strings.Contains(w, "they differ in shape and type") || !strings.Contains(w, "d.png is damaged") {
		t.Errorf("the notes %q", w)
	}
	if got := at(t, set.Images[1].Levels[0].Array, lazy.Index{0, 0, 0, 2, 4}); got != 2 {
		t.Errorf("the second image reads %v", got)
	}
}

func TestAFolderOfOneFileIsThatFile(t *testing.T) {
	dir, _ := kinds(t, "sn")
	set, err := formats.Open(ctx, dir, loaders.Options{})
	if err != nil || set.Format != "png" || len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "left out beside 1 PNG file: b.txt") {
		t.Fatalf("%s of %d images, notes %q: %v", set.Format, len(set.Images), set.Warnings, err)
	}
	set.Close()
}
