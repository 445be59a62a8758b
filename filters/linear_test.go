package filters_test

import (
	"math"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// The image of a specimen is the sum of its points' images, by the definition, whatever the blocks and the border.
func TestBlurringIsASumOfShiftedPSFs(t *testing.T) {
	e := deconvolver(t)
	shape := [3]int{5, 11, 12}
	for _, n := range [][3]int{{3, 5, 3}, {4, 2, 6}, {1, 9, 1}} {
		psf := leaning(n)
		sum := 0.0
		lazytest.Each(lazy.Shape{1, n[0], 1, n[1], n[2]}.Whole(), func(i lazy.Index) { sum += psf(i) })
		for _, border := range []string{"reflect", "mirror", "nearest", "wrap", "constant:2"} {
			b, err := lazy.ParseBorder(border)
			if err != nil {
				t.Fatal(err)
			}
			specimen := lines(shape)
			seen := func(i lazy.Index) float64 {
				for a, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
					if i[ax] = b.Fold(i[ax], shape[a]); i[ax] < 0 {
						return b.Value
					}
				}
				return specimen(i)
			}
			for _, block := range []string{"", "block=2,6,5"} {
				got := deconvolved(t, e, "blur psf=p border="+border+" "+block, stack(shape, specimen), stack(n, psf))
				lazytest.Each(got.Region, func(at lazy.Index) {
					want := 0.0
					lazytest.Each(lazy.Shape{1, n[0], 1, n[1], n[2]}.Whole(), func(i lazy.Index) {
						from := at
						for a, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
							from[ax] -= i[ax] - n[a]/2
						}
						want += psf(i) / sum * seen(from)
					})
					if math.Abs(got.Value(at)-want) > 1e-5 {
						t.Fatalf("%v %s %s at %v: %v, want %v", n, border, block, at, got.Value(at), want)
					}
				})
			}
		}
	}
}

// What was blurred and hardly has noise comes back, away from the edges, by all methods.
func TestMethodsUndoABlur(t *testing.T) {
	e := deconvolver(t)
	shape, n := [3]int{20, 40, 40}, [3]int{5, 5, 5}
	specimen := func(i lazy.Index) float64 {
		z, y, x := float64(i[lazy.Z])/20, float64(i[lazy.Y])/40, float64(i[lazy.X])/40
		return 100 + 40*math.Sin(20*x)*math.Sin(14*y) + 30*math.Sin(9*z+4*x)
	}
	psf := func(i lazy.Index) float64 {
		sq := func(v int) float64 { return float64((v - 2) * (v - 2)) }
		return math.Exp(-(sq(i[lazy.Z]) + sq(i[lazy.Y]) + sq(i[lazy.X])) / 2)
	}
	image := deconvolved(t, e, "blur psf=p", stack(shape, specimen), stack(n, psf))
	recorded := stack(shape, func(i lazy.Index) float64 { return image.Value(i) })
	apart := func(b *lazy.Block) float64 {
		sum, n := 0.0, 0
		lazytest.Each(b.Region, func(i lazy.Index) {
			for a, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
				if i[ax] < 5 || i[ax] >= shape[a]-5 {
					return
				}
			}
			d := b.Value(i) - specimen(i)
			sum, n = sum+d*d, n+1
		})
		return math.Sqrt(sum / float64(n))
	}
	before := apart(image)
	for filter, better := range map[string]float64{
		"wiener psf=p noise=1e-4": 20, "tikhonov-miller psf=p weight=1e-4": 20, "richardson-lucy psf=p iterations=50": 10,
		"wiener psf=p noise=1e-4 block=10,20,20": 20,
	} {
		if after := apart(deconvolved(t, e, filter, recorded, stack(n, psf))); after > before/better {
			t.Errorf("%s: %.3g off, and %.3g before", filter, after, before)
		}
	}
}

// A flat image stays flat under all of them, whatever they do at its edges, and one without light dark.
func TestFlatImagesStayFlatUnderLinearMethods(t *testing.T) {
	e := deconvolver(t)
	for _, filter := range []string{"wiener noise=0.01", "tikhonov-miller weight=0.1", "blur"} {
		for _, v := range []float64{0, 7} {
			b := deconvolved(t, e, filter+" psf=p", stack([3]int{4, 9, 10}, func(lazy.Index) float64 { return v }), stack([3]int{3, 4, 5}, leaning([3]int{3, 4, 5})))
			want := v
			if filter == "wiener noise=0.01" {
				want = v / 1.01 // H is 1 where the frequency is 0
			}
			for i, got := range lazytest.Values(b) {
				if math.Abs(got-want) > 1e-4 {
					t.Fatalf("%s: voxel %d is %v, want %v", filter, i, got, want)
				}
			}
		}
	}
}
