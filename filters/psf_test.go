package filters

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"lamella/lazy"
)

func psfMeta(shape [3]int, step [3]float64) lazy.Meta {
	s := lazy.Shape{1, shape[0], 1, shape[1], shape[2]}
	m := lazy.Meta{Shape: s, Chunk: s, DType: lazy.F32}
	for i, a := range space {
		m.Scale[a], m.Unit[a] = step[i], "um"
	}
	return m
}

// The expected values are those of testdata/bornwolf.py.
func TestTheModelOfDiffractionIsBornAndWolfs(t *testing.T) {
	a, err := modelled("born-wolf(na=1.2,wavelength=500nm,index=1.33)", psfMeta([3]int{20, 99, 99}, [3]float64{0.3, 0.11, 0.1}))
	if err != nil {
		t.Fatal(err)
	}
	shape := a.Meta().Shape
	b := lazy.NewBlock(shape.Whole(), lazy.F32)
	if _, err := a.Node().Source.Read(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   [3]int
		want float64
	}{
		{[3]int{0, 0, 0}, 0.25},
		{[3]int{0, 0, 2}, 0.01219808},
		{[3]int{0, 3, 0}, 0.004260809},
		{[3]int{1, 1, 1}, 0.04607459},
		{[3]int{-2, 0, 0}, 0.04770894},
		{[3]int{3, 4, -2}, 0.008516914},
		{[3]int{0, 5, 7}, 2.647657e-06},
		{[3]int{-4, -6, 3}, 0.004367924},
	} {
		var i lazy.Index
		for n, ax := range space {
			i[ax] = shape[ax]/2 + c.at[n]
		}
		if got := b.Value(i); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("at %v: %v, want %v", c.at, got, c.want)
		}
	}
}

// The expected values are those of testdata/gibsonlanni.py.
func TestTheModelOfAPointBelowAGlassIsGibsonAndLannis(t *testing.T) {
	at := [][3]int{{0, 0, 0}, {0, 0, 2}, {0, 3, 0}, {1, 1, 1}, {-2, 0, 0}, {3, 4, -2}, {-4, -6, 3}}
	for text, want := range map[string][]float64{
		"na=1.4,wavelength=520nm,index=1.518,specimen=1.33,depth=5um": {0.092806, 0.00889334, 0.00257374, 0.0296128, 0.0250032, 0.00164825, 0.00364201},
		"na=1.2,wavelength=500nm,index=1.33,specimen=1.38,depth=30um": {0.117517, 0.0162298, 0.00159068, 0.0295444, 0.0449663, 0.00635128, 0.00112792},
		"na=1.2,wavelength=500nm,index=1.33,specimen=1.33,depth=10um": {0.25, 0.0121981, 0.00426081, 0.0392154, 0.00794673, 0.00491028, 0.00192614},
		"na=0.8,wavelength=0.6um,index=1,specimen=1.45,depth=20um":    {0.174796, 0.0842253, 0.0173884, 0.100362, 0.117195, 0.0240131, 0.00243577},
	} {
		for planes, way := range map[string]int{"shallower": 1, "deeper": -1} {
			a, err := modelled("gibson-lanni("+text+",planes="+planes+",size=9,13,13)", psfMeta([3]int{20, 99, 99}, [3]float64{0.3, 0.11, 0.1}))
			if err != nil {
				t.Fatal(err)
			}
			shape := a.Meta().Shape
			b := lazy.NewBlock(shape.Whole(), lazy.F32)
			if _, err := a.Node().Source.Read(context.Background(), b); err != nil {
				t.Fatal(err)
			}
			for n, d := range at {
				i := lazy.Index{lazy.Z: shape[lazy.Z]/2 + way*d[0], lazy.Y: shape[lazy.Y]/2 + d[1], lazy.X: shape[lazy.X]/2 + d[2]}
				if got := b.Value(i); math.Abs(got-want[n]) > 2e-6 {
					t.Errorf("%s, planes %s, at %v: %v, want %v", text, planes, d, got, want[n])
				}
			}
		}
	}
}

func TestAFormulaWithoutItsBracketIsNoFile(t *testing.T) {
	for text, want := range map[string]string{
		"richardson-lucy psf=gaussian(sigma=2":               "psf=gaussian(sigma=2: column 21: expected ) for the bracket at column 13",
		"richardson-lucy psf=gibson-lanni(na=1 iterations=3": "psf=gibson-lanni(na=1: column 22: expected ) for the bracket at column 17",
		"blur psf=bead(at=1,2,3":                             "column 18: expected ) for the bracket at column 9",
		"wiener psf=gaussian(1).tif":                         "column 20: expected ) for the bracket at column 13",
		"wiener psf=mine(1":                                  "",
		"wiener psf=gaussian":                                "",
		"wiener psf=gaussian(sigma=1)":                       "",
	} {
		if _, err := Parse(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// At the greatest depth that is taken too, the rule's steps are enough: four times as many change next to nothing.
func TestTheStepsOfDiffractionAreEnough(t *testing.T) {
	a, err := modelled("gibson-lanni(na=1.4,wavelength=400nm,index=1.518,specimen=1.33,depth=100um,size=31,21,21)", psfMeta([3]int{90, 99, 99}, [3]float64{0.3, 0.1, 0.1}))
	if err != nil {
		t.Fatal(err)
	}
	m := a.Node().Source.(psfModel)
	few, many := make([]float32, 31*21*21), make([]float32, 31*21*21)
	m.values(m, few)
	m.steps *= 4
	m.values(m, many)
	most := peak(many)
	for i, v := range few {
		if math.Abs(float64(v-many[i])) > 1e-4*float64(most) {
			t.Fatalf("voxel %d is %v, and %v with more steps; the largest %v", i, v, many[i], most)
		}
	}
	if i := slices.Index(many, most); i != (15*21+10)*21+10 {
		t.Errorf("the brightest voxel is number %d", i)
	}
}

func TestModelsSayWhatIsWrongWithThem(t *testing.T) {
	unknown := psfMeta([3]int{5, 5, 5}, [3]float64{})
	known := psfMeta([3]int{5, 5, 5}, [3]float64{0.3, 0.1, 0.1})
	for text, want := range map[string]string{
		"born-wolf(na=1.4,wavelength=520nm)":                              "does not state its voxel size",
		"gaussian(sigma=0.1um)":                                           "does not state its voxel size",
		"gaussian(width=3)":                                               "expected sigma, size",
		"gaussian(sigma=blue)":                                            "expected a number of voxels",
		"gaussian(3)":                                                     "expected sigma, size",
		"born-wolf(na=1.4,wavelength=520)":                                "expected a length of light",
		"gibson-lanni(na=1.2,wavelength=520nm,depth=4)":                   "depth=4: expected a length from 0um to 100um",
		"gibson-lanni(na=1.2,wavelength=520nm,depth=0.2mm)":               "expected a length from 0um to 100um",
		"gibson-lanni(na=1.2,wavelength=520nm,depth=2um,planes=sideways)": "planes=sideways",
		"born-wolf(na=1.5,wavelength=520nm,index=1.4)":                    "the aperture is less than the index",
	} {
		m := known
		if strings.Contains(want, "state") {
			m = unknown
		}
		if _, err := modelled(text, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	a, err := modelled("gaussian(sigma=2,1,0.5,size=9,5,3)", unknown)
	if err != nil || a.Meta().Shape != (lazy.Shape{1, 9, 1, 5, 3}) {
		t.Errorf("%v, %v", a, err)
	}
}

// A bell that was recorded with other voxels, off the centre and on a background, becomes the bell of the image's voxels
// in the middle.
func TestAPreparedPSFIsThatOfTheImagesVoxels(t *testing.T) {
	for _, c := range []struct {
		name        string
		step, image [3]float64
	}{
		{"finer than the image", [3]float64{0.1, 0.05, 0.05}, [3]float64{0.3, 0.1, 0.1}},
		{"coarser than the image", [3]float64{0.25, 0.12, 0.12}, [3]float64{0.2, 0.1, 0.1}},
		{"of its voxels", [3]float64{0.3, 0.1, 0.1}, [3]float64{0.3, 0.1, 0.1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sigma := [3]float64{0.6, 0.3, 0.3} // um
			var n [3]int
			for a := range n {
				n[a] = int(8*sigma[a]/c.step[a]) | 1
			}
			psf := psfMeta(n, c.step)
			src := lazy.NewBlock(psf.Shape.Whole(), lazy.F32)
			model := psfModel{size: n, step: c.step}
			model.each(func(i int, d [3]int) {
				sum := 0.0
				for a, off := range [3]float64{0.1, -0.07, 0.03} { // um
					x := (float64(d[a])*c.step[a] - off) / sigma[a]
					sum += x * x
				}
				lazy.View[float32](src)[i] = float32(100 + 1000*math.Exp(-sum/2))
			})
			p := newPreparation(psfMeta([3]int{50, 50, 50}, c.image), psf)
			meta, err := p.Infer([]lazy.Meta{psf})
			if err != nil {
				t.Fatal(err)
			}
			dst := lazy.NewBlock(meta.Shape.Whole(), lazy.F32)
			if err := p.Compute(context.Background(), dst, []*lazy.Block{src}); err != nil {
				t.Fatal(err)
			}
			got, err := newSpread(dst)
			if err != nil {
				t.Fatal(err)
			}
			var mean, width [3]float64
			psfModel{size: got.n}.each(func(i int, d [3]int) {
				for a := range d {
					mean[a] += float64(got.values[i]) * float64(d[a]) * c.image[a]
					width[a] += float64(got.values[i]) * math.Pow(float64(d[a])*c.image[a], 2)
				}
			})
			for a := range mean {
				if w := math.Sqrt(width[a]); math.Abs(mean[a]) > 0.02 || math.Abs(w-sigma[a]) > 0.12*sigma[a] {
					t.Errorf("along %v the centre is %.3g um off, and the width %.3g um of %.3g", space[a], mean[a], w, sigma[a])
				}
			}
		})
	}
}
