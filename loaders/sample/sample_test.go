package sample

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

func openSample(t testing.TB, path string) lazy.Image {
	t.Helper()
	set, err := Driver{}.Open(t.Context(), loaders.Input{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return set.Images[0]
}

func read(t testing.TB, path string, r lazy.Region) *lazy.Block {
	t.Helper()
	return readFrom(t, openSample(t, path).Levels[0].Array.Node(), r)
}

func readFrom(t testing.TB, n *lazy.Node, r lazy.Region) *lazy.Block {
	t.Helper()
	b := lazy.NewBlock(r, n.Meta.DType)
	if _, err := n.Source.Read(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return b
}

func at(t, z, c, y, x int) lazy.Region {
	return lazy.At(lazy.Index{t, z, c, y, x}, lazy.Shape{1, 1, 1, 1, 1})
}

func TestAShapeNamesTheLastAxes(t *testing.T) {
	for words, want := range map[string]string{
		"shape=7":                        "1x1x1x1x7",
		"shape=5x7":                      "1x1x1x5x7",
		"shape=3x5x7":                    "1x3x1x5x7",
		"shape=2x3x5x7":                  "2x3x1x5x7",
		"shape=2x3x4x5x7":                "2x3x4x5x7",
		"shape=1000000x1000x1000":        "1x1000000x1x1000x1000",
		"shape=4x5x7&chunk=2x3x9":        "1x4x1x5x7 in 1x2x1x3x9",
		"shape=4x100x200":                "1x4x1x100x200 in 1x4x1x64x64",
		"shape=9x9x9&dtype=float64":      "1x9x1x9x9",
		"shape=2x3&chunk=1x1&dtype=int8": "1x1x1x2x3 in 1x1x1x1x1",
	} {
		m := openSample(t, "sample:ones?"+words).Levels[0].Array.Meta()
		got := m.Shape.String()
		if strings.Contains(want, " in ") {
			got += " in " + m.Chunk.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

func TestAxesThatTheUserNamesOrderTheLengths(t *testing.T) {
	set, err := Driver{}.Open(t.Context(), loaders.Input{Path: "sample:random?shape=2x5x7", Options: loaders.Options{Axes: "CYX"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Images[0].Levels[0].Array.Meta().Shape; got != (lazy.Shape{1, 1, 2, 5, 7}) {
		t.Errorf("shape %v", got)
	}
}

func TestWrongWordsAreNamed(t *testing.T) {
	for path, word := range map[string]string{
		"sample:":                                      `""`,
		"sample:cell":                                  `"cell"`,
		"sample:cells?shape=3x3x3":                     "no words",
		"sample:ones?shape=0x4x4":                      `"0"`,
		"sample:ones?shape=-1x4x4":                     `"-1"`,
		"sample:ones?shape=axbxc":                      `"a"`,
		"sample:ones?shape=":                           `""`,
		"sample:ones?shape=1x1x1x1x1x1":                "not 6",
		"sample:ones?shape=4x4x4&chunk=4x4":            "chunk=4x4",
		"sample:ones?shape=99999999999x99999999999x1":  "too many voxels",
		"sample:ones?shape=99999999999999999999x1x1":   "99999999999999999999",
		"sample:ones?shape=9x9x9&chunk=4096x4096x4096": "2 GiB",
		"sample:ones?dtype=complex64":                  "complex64",
		"sample:ones?seed=1":                           "seed",
		"sample:ones?ms=1":                             "ms",
		"sample:random?seed=-1":                        "seed=-1",
		"sample:random?seed=1&seed=2":                  "seed",
		"sample:slow?ms=soon":                          "ms=soon",
		"sample:slow?ms=%zz":                           "%zz",
	} {
		_, err := Driver{}.Open(t.Context(), loaders.Input{Path: path})
		if !errors.Is(err, loaders.ErrUnsupported) || !strings.Contains(err.Error(), word) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line that names %s", path, err, word)
		}
	}
}

// The expected values come from testdata/random.py.
func TestRandomIsAHashOfTheIndexAndTheSeed(t *testing.T) {
	for _, c := range []struct {
		words string
		place lazy.Region
		want  string
	}{
		{"seed=1&dtype=uint8", at(0, 0, 0, 0, 0), "229"},
		{"seed=7&dtype=int16", at(0, 3, 0, 2, 1), "-30826"},
		{"seed=7&dtype=float64", at(1, 2, 3, 4, 5), "0.18962471729116193"},
	} {
		b := read(t, "sample:random?shape=9x9x9x9x9&"+c.words, c.place)
		if got := fmt.Sprint(b.Value(c.place.Min)); got != c.want {
			t.Errorf("%s at %v: %s, want %s", c.words, c.place, got, c.want)
		}
	}
	b := read(t, "sample:random?shape=9x9x9x9x9&seed=7&dtype=uint64", at(1, 2, 3, 4, 5))
	if got := fmt.Sprint(lazy.View[uint64](b)[0]); got != "3497958629919592108" {
		t.Errorf("uint64: %s", got)
	}
}

// Any box of any sample must hold what the boxes that it is made of hold.
func TestVoxelsDoNotDependOnTheBoxTheyAreReadIn(t *testing.T) {
	for _, path := range []string{
		"sample:cells", "sample:blobs", "sample:ones?dtype=float64", "sample:slow?shape=40x40x40&ms=0",
		"sample:random", "sample:random?dtype=float32", "sample:blobs?dtype=uint8&seed=9", "sample:blobs?dtype=float32",
	} {
		whole := lazy.Region{Min: lazy.Index{0, 5, 0, 12, 23}, Max: lazy.Index{1, 8, 1, 39, 38}}
		if path == "sample:cells" {
			whole = lazy.Region{Min: lazy.Index{0, 29, 0, 240, 150}, Max: lazy.Index{1, 31, 3, 290, 330}}
		}
		node := openSample(t, path).Levels[0].Array.Node()
		big := readFrom(t, node, whole)
		for _, grid := range []lazy.Shape{{1, 1, 1, 1, 7}, {1, 2, 2, 5, 64}, {1, 1, 3, 64, 3}} {
			for cell := range whole.Tiles(grid) {
				cell = cell.Intersect(whole)
				part, same := readFrom(t, node, cell), lazy.NewBlock(cell, big.DType)
				lazy.CopyRegion(same, big, cell)
				if string(part.Bytes()) != string(same.Bytes()) {
					t.Fatalf("%s: %v read alone differs from the same place in %v", path, cell, whole)
				}
			}
		}
	}
}

// Most of a plane is dark gel, and a little of it bright, whichever channel.
func TestCellsShowWhatTheirChannelsAreNamedFor(t *testing.T) {
	plane := lazy.Region{Min: lazy.Index{0, 30, 0, 0, 0}, Max: lazy.Index{1, 31, 3, 512, 512}}
	b := read(t, "sample:cells", plane)
	for c, name := range []string{"DAPI", "Actin", "RNA"} {
		var dark, bright, sum float64
		for y := range 512 {
			for x := range 512 {
				v := b.Value(lazy.Index{0, 30, c, y, x})
				sum += v
				if v < 200 {
					dark++
				}
				if v > 700 {
					bright++
				}
			}
		}
		n := 512. * 512
		if dark/n < 0.4 || bright/n < 0.002 || bright/n > 0.2 || sum/n < 110 || sum/n > 400 {
			t.Errorf("%s: mean %.0f, %.1f %% dark, %.2f %% bright: not a picture of cells", name, sum/n, 100*dark/n, 100*bright/n)
		}
	}
	m := openSample(t, "sample:cells").Levels[0].Array.Meta()
	if m.Scale != [lazy.Rank]float64{0, 0.5, 0, 0.1, 0.1} || m.Unit[lazy.Z] != "um" {
		t.Errorf("voxel size %v %v", m.Scale, m.Unit)
	}
}

func TestSlowEndsAtOnceWhenItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := openSample(t, "sample:slow?ms=3600000").Levels[0].Array.Node()
	_, err := n.Source.Read(ctx, lazy.NewBlock(at(0, 0, 0, 0, 0), n.Meta.DType))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}

func TestEqualNamesAreEqualVoxelsAndNoOthersAre(t *testing.T) {
	hashOf := func(path string) [16]byte { return openSample(t, path).Levels[0].Array.Node().Hash }
	if hashOf("sample:random?seed=3") != hashOf("sample:random?seed=3&dtype=uint16") {
		t.Error("the same volume has two identities")
	}
	seen := map[[16]byte]string{}
	for _, p := range []string{"sample:cells", "sample:blobs", "sample:random", "sample:ones", "sample:slow", "sample:random?seed=2",
		"sample:random?dtype=uint8", "sample:random?shape=3x3", "sample:random?chunk=1x512x512", "sample:slow?ms=2"} {
		if other, ok := seen[hashOf(p)]; ok {
			t.Errorf("%s and %s have one identity", p, other)
		}
		seen[hashOf(p)] = p
	}
}

func FuzzWords(f *testing.F) {
	f.Add("shape=64x512x512&chunk=32x64x64&dtype=uint16", "")
	f.Add("shape=1x1&dtype=int8&seed=18446744073709551615", "yx")
	f.Add("shape=4611686018427387904x2&chunk=1x1", "tz")
	f.Fuzz(func(t *testing.T, query, axes string) {
		w, err := parse(query, axes, kinds["random"].words)
		if err != nil {
			return
		}
		if w.meta.Shape.Voxels() < 1 || w.meta.Chunk.Voxels()*w.meta.DType.Size() > maxChunk {
			t.Errorf("%q gave shape %v, chunk %v", query, w.meta.Shape, w.meta.Chunk)
		}
	})
}

func BenchmarkCellsPlane(b *testing.B) {
	for c, name := range []string{"DAPI", "Actin", "RNA"} {
		b.Run(name, func(b *testing.B) {
			plane := lazy.Region{Min: lazy.Index{0, 30, c, 0, 0}, Max: lazy.Index{1, 31, c + 1, 512, 512}}
			s := newCells()
			for b.Loop() {
				if _, err := s.Read(b.Context(), lazy.NewBlock(plane, lazy.U16)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
