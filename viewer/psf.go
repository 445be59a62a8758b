package viewer

import (
	"image"
	"image/color"
	"math"
	"slices"

	"lamella/filters"
	"lamella/lazy"
)

// A PSF is what is seen of a point spread function before it is used: three planes through its origin, as those of ThreeUp, and
// what is odd about it.
type PSF struct {
	Picture     image.Image
	Off         [3]int  // how far the brightest voxel is from the origin, along z, y and x
	Rim         float64 // the median of its faces, as a part of the brightest
	OtherVoxels bool    // its voxels are stated to be of another size than the image's
}

// newPSF is that of the first channel of a block, whose origin is voxel n // 2 of each axis, for an image.
func newPSF(b *lazy.Block, s filters.Support, psf, image lazy.Meta) *PSF {
	p := &PSF{}
	var most float64
	var at lazy.Index
	var rim []float64
	r := b.Region.With(lazy.C, b.Region.Min[lazy.C], b.Region.Min[lazy.C]+1)
	for i := range r.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		v := b.Value(i.Min)
		if v > most {
			most, at = v, i.Min
		}
		for _, a := range [...]lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if r.Len(a) > 2 && (i.Min[a] == r.Min[a] || i.Min[a] == r.Max[a]-1) {
				rim = append(rim, v)
				break
			}
		}
	}
	if len(rim) > 0 && most > 0 {
		slices.Sort(rim)
		p.Rim = rim[len(rim)/2] / most
	}
	for k, a := range [...]lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		p.Off[k] = at[a] - r.Len(a)/2
		x, y := psf.Scale[a], image.Scale[a]
		p.OtherVoxels = p.OtherVoxels || r.Len(a) > 1 && x > 0 && y > 0 && math.Abs(x-y) > 0.02*y
	}
	p.Picture = planesOf(b, r, s, most)
	return p
}

// psfGap is how many voxels lie between the planes of a PSF's picture.
const psfGap = 1

// planesOf draws XY, to its right ZY and below it XZ, the square root of the values, with a frame around the support.
func planesOf(b *lazy.Block, r lazy.Region, s filters.Support, most float64) image.Image {
	n := [3]int{r.Len(lazy.Z), r.Len(lazy.Y), r.Len(lazy.X)}
	dst := image.NewNRGBA(image.Rect(0, 0, n[2]+psfGap+n[0], n[1]+psfGap+n[0]))
	origin := lazy.Index{lazy.Z: n[0] / 2, lazy.C: r.Min[lazy.C], lazy.Y: n[1] / 2, lazy.X: n[2] / 2}
	plane := func(across, down int, x0, y0 int) {
		axes := [...]lazy.Axis{lazy.Z, lazy.Y, lazy.X}
		for y := range n[down] {
			for x := range n[across] {
				i := origin
				i[axes[across]], i[axes[down]] = x, y
				v := math.Sqrt(max(0, b.Value(i)) / max(most, math.SmallestNonzeroFloat64))
				c := color.NRGBA{uint8(255 * v), uint8(255 * v), uint8(255 * v), 255}
				if framed(s, across, down, x, y) {
					c.R, c.B = c.R/2, 128+c.B/2
				}
				dst.SetNRGBA(x0+x, y0+y, c)
			}
		}
	}
	plane(2, 1, 0, 0)
	plane(0, 1, n[2]+psfGap, 0)
	plane(2, 0, 0, n[1]+psfGap)
	return dst
}

// framed reports whether a pixel is on the edge of the support, where that is not all of the PSF.
func framed(s filters.Support, across, down, x, y int) bool {
	if s.Size == s.Of {
		return false
	}
	lo := func(a int) int { return s.Of[a]/2 - s.Size[a]/2 }
	hi := func(a int) int { return lo(a) + s.Size[a] - 1 }
	in := x >= lo(across) && x <= hi(across) && y >= lo(down) && y <= hi(down)
	return in && (x == lo(across) || x == hi(across) || y == lo(down) || y == hi(down))
}
