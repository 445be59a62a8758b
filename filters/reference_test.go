package filters_test

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// reference.json and reference-NAME.json.gz are made by testdata/reference.py with scipy.ndimage.
type reference struct {
	Shape [3]int
	Cases []struct{ DType, Filter, Border, Want string }
}

func loadReferences(t *testing.T) map[string]reference {
	t.Helper()
	files, _ := filepath.Glob("testdata/reference*.json*")
	if len(files) < 2 {
		t.Fatalf("found only %v", files)
	}
	refs := map[string]reference{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = f
		if strings.HasSuffix(name, ".gz") {
			r, err = gzip.NewReader(f)
		}
		var ref reference
		if err == nil {
			err = json.NewDecoder(r).Decode(&ref)
		}
		if f.Close(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		refs[name] = ref
	}
	return refs
}

// formula is the volume of reference.py.
func formula(d lazy.DType) func(lazy.Index) float64 {
	return func(i lazy.Index) float64 {
		n := uint64((i[lazy.Z]*9+i[lazy.Y])*11 + i[lazy.X])
		h := (n*2654435761 + 12345) % (1 << 32)
		h ^= h >> 15
		h = h * 2246822519 % (1 << 32)
		h ^= h >> 13
		if d == lazy.F32 {
			return float64(h)/(1<<32)*4 - 1
		}
		lo, hi := d.Range()
		return float64(int64(h%uint64(hi-lo+1))) + lo
	}
}

var chunkings = map[string]lazy.Shape{
	"1": {1, 1, 1, 1, 1}, "5": {1, 5, 1, 5, 5}, "64": {1, 64, 1, 64, 64}, "odd": {1, 3, 1, 7, 4}, "whole": {1, 7, 1, 9, 11},
}

func TestEveryPlaneOfEveryFilterIsScipys(t *testing.T) {
	for file, ref := range loadReferences(t) {
		for name, chunk := range chunkings {
			t.Run(file+" chunk "+name, func(t *testing.T) {
				t.Parallel()
				every := 1
				if chunk.Voxels() == 1 && strings.HasSuffix(file, ".gz") {
					every = 3 // a thousand reads a plane: each case asks for a third of the planes, in turn
				}
				everyCase(t, ref, chunk, every)
			})
		}
	}
}

func everyCase(t *testing.T, ref reference, chunk lazy.Shape, every int) {
	shape := lazy.Shape{1, ref.Shape[0], 1, ref.Shape[1], ref.Shape[2]}
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	stacks := map[string]lazy.Array{}
	for n, c := range ref.Cases {
		d, _ := lazy.ParseDType(c.DType)
		if !stacks[c.DType].Valid() {
			stacks[c.DType] = lazytest.Array(lazytest.Meta(d, shape, chunk), formula(d))
		}
		raw, _ := base64.StdEncoding.DecodeString(c.Want)
		text := c.Filter
		if c.Border != "" {
			text += " border=" + c.Border
		}
		a := chained(t, stacks[c.DType], text)
		want := lazy.NewBlock(a.Meta().Shape.Whole(), lazy.F32)
		if len(raw) != len(want.Bytes()) {
			t.Errorf("%s of %s: shape %v, scipy has %d voxels", c.Filter, c.DType, a.Meta().Shape, len(raw)/4)
			continue
		}
		for i := range lazy.View[float32](want) {
			lazy.View[float32](want)[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		if err := planes(e, a, want, n%every, every); err != nil {
			t.Errorf("%s of %s, border %s: %v", c.Filter, c.DType, c.Border, err)
		}
		if c.Border == "nearest" { // Numba's rule: the same inside, 0 where the filter would look beyond the edge
			for i := range lazy.View[float32](want) {
				at := lazy.Index{0, i / 99, 0, i / 11 % 9, i % 11}
				if !lazy.Interior(boxOf(t, c.Filter), shape.Whole(), []lazy.Meta{a.Meta()}).Has(at) {
					lazy.View[float32](want)[i] = 0
				}
			}
			if err := planes(e, chained(t, stacks[c.DType], c.Filter+" border=blank"), want, n%every, every); err != nil {
				t.Errorf("%s of %s, border blank: %v", c.Filter, c.DType, err)
			}
		}
	}
}

// boxOf is an op with the reach that a filter's documentation states.
func boxOf(t *testing.T, text string) lazytest.BoxSum {
	reach := map[string][3][2]int{
		"mean": {{1, 1}, {1, 1}, {1, 1}}, "mean size=2": {{1, 0}, {1, 0}, {1, 0}}, "mean size=1,4,5": {{0, 0}, {2, 1}, {2, 2}}, "mean size=15": {{7, 7}, {7, 7}, {7, 7}},
		"gaussian": {{4, 4}, {4, 4}, {4, 4}}, "gaussian sigma=0,1.3,0.7": {{0, 0}, {5, 5}, {3, 3}}, "gaussian sigma=3 truncate=3": {{9, 9}, {9, 9}, {9, 9}},
		"sobel": {{1, 1}, {1, 1}, {1, 1}}, "sobel norm=l1": {{1, 1}, {1, 1}, {1, 1}}, "sobel dims=2": {{0, 0}, {1, 1}, {1, 1}},
		"sobel axis=z": {{1, 1}, {1, 1}, {1, 1}}, "sobel axis=y": {{1, 1}, {1, 1}, {1, 1}}, "sobel axis=x": {{1, 1}, {1, 1}, {1, 1}},
		`stencil "x[-1,0,0] - 2*x + x[1,0,0] + abs(x[0,1] - x[0,-1])"`: {{1, 1}, {0, 0}, {1, 1}},
		"prewitt": cube(1), "prewitt norm=l1": cube(1), "prewitt dims=2": flatBox(1), "prewitt axis=y": cube(1),
		"scharr": cube(1), "scharr dims=2 norm=l1": flatBox(1), "scharr axis=x": cube(1),
		"laplace": cube(1), "log": cube(4), "log sigma=0.7,1.3,2 truncate=3": {{2, 2}, {4, 4}, {6, 6}}, "log sigma=0,1.5,1": {{0, 0}, {6, 6}, {4, 4}},
		"gradient": cube(4), "gradient sigma=0,1.5,0.8": {{0, 0}, {6, 6}, {3, 3}}, "dog": cube(6), "dog sigma1=0 sigma2=0,1,2": {{0, 0}, {4, 4}, {8, 8}},
		"unsharp": cube(4), "unsharp sigma=0.5,1,0 amount=0.6": {{2, 2}, {4, 4}, {0, 0}},
		"median": cube(1), "median size=1,3,3": flatBox(1), "median size=2,4,1": {{1, 0}, {2, 1}, {0, 0}}, "median size=1,5,7": {{0, 0}, {2, 2}, {3, 3}},
		"median size=5,6,7": {{2, 2}, {3, 2}, {3, 3}}, "minimum": cube(1), "minimum size=4,1,6": {{2, 1}, {0, 0}, {3, 2}},
		"maximum size=2,5,9": {{1, 0}, {2, 2}, {4, 4}}, "percentile percentile=20": cube(1), "percentile percentile=100 size=1,2,3": {{0, 0}, {1, 0}, {1, 1}},
		"percentile percentile=80 size=4,5,6": {{2, 1}, {2, 2}, {3, 2}},
		"erosion size=3":                      cube(1), "erosion size=2,3,4": {{1, 0}, {1, 1}, {2, 1}}, "dilation size=2,3,4": {{0, 1}, {1, 1}, {1, 2}},
		"opening size=1,3,4": {{0, 0}, {2, 2}, {3, 3}}, "closing": cube(2), "white-tophat size=2,3,3": {{1, 1}, {2, 2}, {2, 2}},
		"black-tophat size=1,2,5":                   {{0, 0}, {1, 1}, {4, 4}},
		`stencil "sqrt(x[0,1]**2 + x[1,0]**2) / 3"`: {{0, 0}, {0, 1}, {0, 1}},
		"gaussian-derivative":                       cube(4), "gaussian-derivative sigma=0,1.3,0.7 order=1,2,1": {{0, 0}, {5, 5}, {3, 3}},
		"gaussian-derivative sigma=1.5 truncate=3 order=2,1,0": cube(5), "remove-outliers": cube(1),
		"remove-outliers size=1,3,3 threshold=0.75 which=dark": flatBox(1), "remove-outliers size=2,3,4 threshold=1.25 which=both": {{1, 0}, {1, 1}, {2, 1}},
		"variance": cube(1), "local-sd size=1,4,5": {{0, 0}, {2, 1}, {2, 2}}, "local-contrast size=3": cube(1), "local-contrast size=1,5,6": {{0, 0}, {2, 2}, {3, 2}},
		"subtract-background radius=8": flatBox(17), "clahe size=5 slope=1.5 low=0 high=200": cube(2), "clahe size=3 slope=256 low=-1 high=3": cube(1),
		"clahe size=1,4,7 slope=30 low=-2 high=5000 dtype=float32": {{0, 0}, {2, 1}, {3, 3}}, "subtract-background radius=3": flatBox(7), "subtract-background radius=2 method=opening": flatBox(5),
		"subtract-background radius=1.6,2.3,4 dims=3 smooth=1 height=20": {{4, 4}, {4, 4}, {8, 8}}, "subtract-background radius=2,1,3 dims=3 smooth=2": {{5, 4}, {3, 2}, {7, 6}},
		"subtract-background radius=1 method=opening dims=3 smooth=1 dtype=float32": cube(2),
		"subtract-background radius=1.5 method=gaussian dtype=float32":              flatBox(7),
	}
	r, ok := reach[text]
	if !ok {
		t.Fatalf("no reach for %q", text)
	}
	return lazytest.BoxSum{Halo: lazy.Halo{
		Before: lazy.Index{0, r[0][0], 0, r[1][0], r[2][0]}, After: lazy.Index{0, r[0][1], 0, r[1][1], r[2][1]}}}
}

func cube(r int) [3][2]int    { return [3][2]int{{r, r}, {r, r}, {r, r}} }
func flatBox(r int) [3][2]int { return [3][2]int{{0, 0}, {r, r}, {r, r}} }

func chained(t *testing.T, a lazy.Array, text string) lazy.Array {
	t.Helper()
	c, err := filters.Parse(text)
	if err == nil {
		a, err = c.Apply(a)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a
}

// planes asks for planes in each of the three orientations, every so many from the first on, and compares them: real results
// within 1e-5 of the largest magnitude in the volume, integers within a half of scipy's real value.
func planes(e *engine.Engine, a lazy.Array, want *lazy.Block, first, every int) error {
	tolerance := 0.5 + 5e-7*largest(want) // what lies between the passes is real in float32
	if a.Meta().DType.Float() {
		tolerance = 1e-5 * largest(want)
	}
	whole := a.Meta().Shape.Whole()
	for _, axis := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		for n := first; n < whole.Max[axis]; n += every {
			plane := whole.With(axis, n, n+1)
			got, _, err := e.Get(context.Background(), a, plane, engine.Priority{})
			if err != nil {
				return err
			}
			var bad error
			lazytest.Each(plane, func(i lazy.Index) {
				w := want.Value(i)
				if lo, hi := a.Meta().DType.Range(); !a.Meta().DType.Float() {
					w = min(max(w, lo), hi)
				}
				if g := got.Value(i); bad == nil && !(math.Abs(g-w) <= tolerance) {
					bad = fmt.Errorf("plane %v=%d: voxel %v is %v, scipy has %v", axis, n, i, g, w)
				}
			})
			if bad != nil {
				return bad
			}
		}
	}
	return nil
}

func largest(b *lazy.Block) float64 {
	m := 0.0
	for _, v := range lazy.View[float32](b) {
		m = max(m, math.Abs(float64(v)))
	}
	return m
}

func TestUnknownWordsAreRefusedByName(t *testing.T) {
	for text, want := range map[string]string{
		"gausian":                   `there is no filter "gausian": the filters are mean, gaussian`,
		"gaussian sgima=1":          `gaussian has no parameter "sgima": it has sigma, truncate, border, dtype`,
		"gaussian sigma=wide":       "sigma=wide: expected a number of voxels, or a length such as 0.4um",
		"gaussian sigma=-1":         "sigma=-1: expected 0 to 250",
		"gaussian sigma=1,2":        "sigma=1,2: expected one value, or three for z,y,x",
		"gaussian sigma=1 sigma=2":  "sigma is given twice",
		"sobel | | mean":            "expected the name of a filter",
		"sobel axis=w":              "axis=w: expected one of all, z, y, x",
		"mean border=mirrored":      "border=mirrored: expected reflect",
		`gaussian "sigma=1`:         "ends within a quoted text",
		"mean 3":                    `expected name=value, found "3"`,
		"mean dtype=int":            "dtype=int: expected a voxel type",
		"gaussian truncate=1,2,3":   "truncate=1,2,3: expected one value",
		"mean | gaussian sigma=NaN": "sigma=NaN: expected 0 to 250 (step 2 of",
	} {
		if _, err := filters.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
