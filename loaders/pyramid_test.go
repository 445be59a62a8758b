package loaders

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lamella/lazy"
)

func rowOf[E lazy.Number](v ...E) *lazy.Block {
	return lazy.BlockOf(lazy.Shape{1, 1, 1, 1, len(v)}.Whole(), v)
}

func TestBR009AMeanIsRoundedAndNeverCutDown(t *testing.T) {
	x := lazy.Shape{1, 1, 1, 1, 2}
	nan := float32(math.NaN())
	for _, c := range []struct {
		what string
		b    *lazy.Block
		want string
	}{
		{"halves go away from zero", rowOf[int8](1, 2, -1, -2, 0, 1, 0, -1), "[2 -2 1 -1]"},
		{"the same of small unsigned numbers", rowOf[uint8](255, 254, 255, 255, 0, 1), "[255 255 1]"},
		{"32 bits do not overflow", rowOf(uint32(math.MaxUint32), uint32(math.MaxUint32), uint32(math.MaxUint32), 0), "[4294967295 2147483648]"},
		{"nor do 64", rowOf(uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64), 0), "[18446744073709551615 9223372036854775808]"},
		{"nor do negative ones", rowOf(int64(math.MinInt64), int64(math.MinInt64), int64(math.MinInt64), int64(math.MaxInt64), -3, -4, 3, 4), "[-9223372036854775808 -1 -4 4]"},
		{"an odd end is the last one alone", rowOf[int16](5, 6, 7), "[6 7]"},
		{"what is no number is left out", rowOf(1, nan, nan, nan, float32(math.Inf(1)), 2), "[1 NaN +Inf]"},
	} {
		if got := fmt.Sprint(voxels(Reduce(c.b, x, false))); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	eight := lazy.BlockOf(lazy.Shape{1, 2, 1, 2, 2}.Whole(), []uint8{1, 1, 1, 0, 1, 1, 1, 1})
	if got := fmt.Sprint(voxels(Reduce(eight, lazy.Shape{1, 2, 1, 2, 2}, false))); got != "[1]" {
		t.Errorf("seven ones and a zero: %s", got)
	}
}

func voxels(b *lazy.Block) (v []any) {
	for at := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		switch b.DType {
		case lazy.U64:
			v = append(v, lazy.View[uint64](b)[b.Offset(at.Min)])
		case lazy.I64:
			v = append(v, lazy.View[int64](b)[b.Offset(at.Min)])
		default:
			x := b.Value(at.Min)
			if x == math.Trunc(x) && !math.IsInf(x, 0) {
				v = append(v, int64(x))
			} else {
				v = append(v, x)
			}
		}
	}
	return v
}

func TestLabelsAreReducedToTheMostFrequent(t *testing.T) {
	b := lazy.BlockOf(lazy.Shape{1, 2, 1, 2, 3}.Whole(), []uint16{7, 9, 5, 9, 0, 5, 9, 7, 6, 0, 0, 6})
	if got := fmt.Sprint(voxels(Reduce(b, lazy.Shape{1, 2, 1, 2, 2}, true))); got != "[9 5]" {
		t.Errorf("%s; a mean would name labels that are not there", got)
	}
}

func TestBR004TheCentreOfACoarseVoxelLiesBetweenThoseThatItReplaces(t *testing.T) {
	m := lazy.Meta{Shape: lazy.Shape{1, 30, 1, 1000, 777}, Scale: [5]float64{0, 0.3, 0, 0.1, 0.1}, Origin: [5]float64{0, 5, 0, 0, 2}}
	var got []string
	for _, l := range Levels(m, lazy.Shape{1, 256, 1, 256, 256}, lazy.Z, lazy.Y, lazy.X) {
		got = append(got, fmt.Sprintf("%v %.4g %.4g", l.Meta.Shape, l.Meta.Scale[1:], l.Meta.Origin[1:]))
	}
	want := []string{
		"1x30x1x1000x777 [0.3 0 0.1 0.1] [5 0 0 2]",
		"1x30x1x500x389 [0.3 0 0.2 0.2] [5 0 0.05 2.05]", // z waits, since its voxels are longer
		"1x15x1x250x195 [0.6 0 0.4 0.4] [5.15 0 0.15 2.15]",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("levels\n%q, want\n%q", got, want)
	}
	m.Scale = [5]float64{}
	if l := Levels(m, lazy.Shape{1, 16, 1, 600, 800}, lazy.Z, lazy.Y, lazy.X); l[1].Meta.Shape != (lazy.Shape{1, 15, 1, 500, 777}) {
		t.Errorf("of unknown size: %v", l[1].Meta.Shape)
	}
	if l := Levels(m, m.Shape, lazy.Z, lazy.Y, lazy.X); len(l) != 1 {
		t.Errorf("%d levels of an image that needs one", len(l))
	}
}

// Whatever the cells, and wherever pieces wait, each level is the one before it reduced as a whole.
func TestAPyramidIsThatOfTheWholeImage(t *testing.T) {
	defer func(n int) { heldBytes = n }(heldBytes)
	s := lazy.Shape{2, 9, 2, 37, 51}
	all := lazy.NewBlock(s.Whole(), lazy.I16)
	for i, v := range lazy.View[int16](all) {
		lazy.View[int16](all)[i] = v + int16(i*7919)
	}
	for _, held := range []int{1 << 20, 2000, 0} {
		for _, labels := range []bool{false, true} {
			for _, grid := range []lazy.Shape{{1, 4, 1, 8, 16}, {1, 9, 1, 2, 51}, {1, 2, 2, 37, 4}} {
				heldBytes = held
				file := filepath.Join(t.TempDir(), "waiting")
				m := lazy.Meta{Shape: s, DType: lazy.I16, Labels: labels}
				levels := Levels(m, lazy.Shape{2, 2, 2, 6, 6}, lazy.Z, lazy.Y, lazy.X)
				var got []*lazy.Block
				for _, l := range levels {
					got = append(got, lazy.NewBlock(l.Meta.Shape.Whole(), lazy.I16))
				}
				cells := 0
				p := NewPyramid(levels, grid, func(n int, b *lazy.Block) error {
					lazy.CopyRegion(got[n], b, b.Region)
					cells++
					return nil
				}, func() (*os.File, error) { return os.Create(file) })
				for cell := range s.Whole().Tiles(grid) {
					part := lazy.NewBlock(cell.Intersect(s.Whole()), lazy.I16)
					lazy.CopyRegion(part, all, part.Region)
					if err := p.Add(p.Reduce(part)); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := os.Stat(file); (err == nil) != (held == 0 || held == 2000 && p.spare.file != nil) {
					t.Errorf("with %d bytes in memory the file is there: %v", held, err == nil)
				}
				p.Close()
				if _, err := os.Stat(file); err == nil {
					t.Error("the file is left")
				}
				want, total := all, 0
				for n := 1; n < len(levels); n++ {
					want = Reduce(want, p.Step(n), labels)
					total += want.Region.Cells(grid)
					if string(got[n].Bytes()) != string(want.Bytes()) {
						t.Fatalf("level %d in cells of %v, %d bytes in memory, differs", n, grid, held)
					}
				}
				if len(levels) < 3 || cells != total {
					t.Errorf("%d levels, %d cells of %d", len(levels), cells, total)
				}
			}
		}
	}
}

func TestARecipeInTextIsFoundAgain(t *testing.T) {
	for _, r := range []Recipe{{}, {Source: "a b.tif"}, {Source: "C:\\α \"x\"\n.tif", Chain: `stencil "x[0] // 2" | sobel`, Version: "1.2"}} {
		if got := FindRecipe("Info of a microscope\n" + RecipeLine(r) + "\nmore"); got != r {
			t.Errorf("%+v comes back as %+v", r, got)
		}
	}
	for _, text := range []string{"", "lamella: ", "lamella: {", "lamella: 3", "lamella: {\"source\": 5}"} {
		if got := FindRecipe(text); got != (Recipe{}) {
			t.Errorf("%q is the recipe %+v", text, got)
		}
	}
}

// The vectors, what is left over behind them and a NaN among them give what one voxel after another gives.
func TestAMeanOfRealNumbersIsThatOfItsVoxels(t *testing.T) {
	for _, width := range []int{1, 2, 7, 8, 9, 16, 127, 128, 129, 130, 301} {
		v := make([]float32, 4*width)
		for i := range v {
			v[i] = float32(math.Sin(float64(i*i))) * 1e4
		}
		v[len(v)/2] = float32(math.NaN())
		got := lazy.View[float32](Reduce(lazy.BlockOf(lazy.Shape{1, 2, 1, 2, width}.Whole(), v), lazy.Shape{1, 2, 1, 2, 2}, false))
		for x, g := range got {
			sum, n := 0.0, 0
			for row := range 4 {
				for _, w := range v[row*width+2*x : row*width+min(2*x+2, width)] {
					if w == w {
						sum, n = sum+float64(w), n+1
					}
				}
			}
			if want := float32(sum / float64(n)); math.Abs(float64(g-want)) > 1e-3*math.Abs(float64(want))*0x1p-10 {
				t.Errorf("voxel %d of %d: %v, want %v", x, len(got), g, want)
			}
		}
	}
}

func BenchmarkReduce(b *testing.B) {
	for _, d := range []lazy.DType{lazy.U8, lazy.U16, lazy.F32} {
		b.Run(d.String(), func(b *testing.B) {
			block := lazy.NewBlock(lazy.Shape{1, 16, 1, 256, 256}.Whole(), d)
			b.SetBytes(int64(len(block.Bytes())))
			for b.Loop() {
				Reduce(block, lazy.Shape{1, 2, 1, 2, 2}, false)
			}
		})
	}
}
