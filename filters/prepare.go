package filters

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
)

// A preparation makes a PSF that was measured fit for an image. It implements lazy.Op:
//
//   - the background, the median of the voxels of its faces, is taken away, and with it what is less than a thousandth of
//     the peak;
//   - it is resampled to the image's voxel size, where both are known: voxels that are joined are summed by how much of
//     each lies in the new one, and between voxels that are divided values are linear;
//   - the centre of the voxels brighter than half the peak moves to the origin;
//   - of an axis that the image does not have the plane through the centre stays.
type preparation struct {
	ratio [3]float64 // voxels of the PSF in a voxel of the image, along z, y and x
	flat  [3]bool    // the image has one voxel
}

// faintest is the part of the peak below which a prepared PSF is 0.
const faintest = 1e-3

func newPreparation(image, psf lazy.Meta) preparation {
	var p preparation
	image, psf = image.Calibrated(), psf.Calibrated()
	for i, a := range space {
		p.flat[i] = image.Shape[a] == 1
		if p.ratio[i] = 1; image.Scale[a] > 0 && psf.Scale[a] > 0 {
			p.ratio[i] = image.Scale[a] / psf.Scale[a]
		}
	}
	return p
}

func (p preparation) Name() string { return "prepare PSF" }

func (p preparation) Key() string { return fmt.Sprintf("prepare psf %g %v", p.ratio, p.flat) }

// Infer implements lazy.Op: lengths are odd, and long enough for all of the PSF.
func (p preparation) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[0])
	m.DType = lazy.F32
	for i, a := range space {
		if m.Shape[a] = int(math.Ceil(float64(m.Shape[a])/p.ratio[i])) | 1; p.flat[i] {
			m.Shape[a] = 1
		}
		if m.Shape[a] > 2048 {
			return m, fmt.Errorf("the PSF would have %d voxels along %v: its voxel size is %.3g times the image's", m.Shape[a], a, 1/p.ratio[i])
		}
		m.Scale[a] *= p.ratio[i]
	}
	m.Chunk = m.Shape
	return m, nil
}

// Tile implements lazy.Tiler: all of one channel at once.
func (p preparation) Tile(out lazy.Meta) lazy.Shape {
	s := out.Shape
	s[lazy.T], s[lazy.C] = 1, 1
	return s
}

func (p preparation) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	r := in[0].Shape.Whole()
	return []lazy.Region{r.With(lazy.C, out.Min[lazy.C], out.Max[lazy.C]).With(lazy.T, out.Min[lazy.T], out.Max[lazy.T])}
}

func (p preparation) Border() lazy.Border { return lazy.Border{} }

func (p preparation) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	var n, to [3]int
	for i, a := range space {
		n[i], to[i] = src[0].Region.Len(a), dst.Region.Len(a)
	}
	data, err := realRows(ctx, src[0])
	if err != nil {
		return err
	}
	v := make([]float64, len(data))
	for i, f := range data {
		v[i] = float64(f)
	}
	if err := cleaned(v, n); err != nil {
		return err
	}
	centre := centreOf(v, n)
	for a := range n {
		v, n = resampled(v, n, a, to[a], p.weights(a, centre[a], n[a], to[a])), replaced(n, a, to[a])
	}
	for i, f := range v {
		lazy.View[float32](dst)[i] = float32(f)
	}
	return ctx.Err()
}

// cleaned takes the background away.
func cleaned(v []float64, n [3]int) error {
	var rim []float64
	at := 0
	peak := math.Inf(-1)
	for z := range n[0] {
		for y := range n[1] {
			for x := range n[2] {
				f := v[at]
				if math.IsNaN(f) || math.IsInf(f, 0) {
					return fmt.Errorf("the PSF holds values that are no numbers")
				}
				peak = max(peak, f)
				if n[0] > 2 && (z == 0 || z == n[0]-1) || n[1] > 2 && (y == 0 || y == n[1]-1) || n[2] > 2 && (x == 0 || x == n[2]-1) {
					rim = append(rim, f)
				}
				at++
			}
		}
	}
	ground := 0.0
	if len(rim) > 0 {
		slices.Sort(rim)
		ground = rim[len(rim)/2]
	}
	if peak <= ground {
		return fmt.Errorf("the PSF has no peak")
	}
	for i, f := range v {
		if v[i] = f - ground; v[i] < faintest*(peak-ground) {
			v[i] = 0
		}
	}
	return nil
}

// centreOf is the mean place of the voxels brighter than half the peak, by their brightness.
func centreOf(v []float64, n [3]int) (c [3]float64) {
	half := slices.Max(v) / 2
	sum := 0.0
	for i, f := range v {
		if f < half {
			continue
		}
		at := [3]int{i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]}
		for a := range c {
			c[a] += f * float64(at[a])
		}
		sum += f
	}
	for a := range c {
		c[a] /= sum
	}
	return c
}

// weights say, for each new voxel of an axis, how much of each old one goes into it.
func (p preparation) weights(axis int, centre float64, from, to int) [][]float64 {
	w := make([][]float64, to)
	for o := range w {
		w[o] = make([]float64, from)
		middle := centre + float64(o-to/2)*p.ratio[axis]
		for i := range from {
			d := float64(i) - middle
			if half := p.ratio[axis] / 2; p.ratio[axis] > 1 && !p.flat[axis] { // the part of the old voxel within the new one
				w[o][i] = max(0, min(d+0.5, half)-max(d-0.5, -half))
			} else {
				w[o][i] = max(0, 1-math.Abs(d))
			}
		}
	}
	return w
}

// resampled applies weights along one axis.
func resampled(v []float64, n [3]int, axis, to int, w [][]float64) []float64 {
	stride := 1
	for _, l := range n[axis+1:] {
		stride *= l
	}
	outer := len(v) / (stride * n[axis])
	out := make([]float64, outer*to*stride)
	for i := range outer {
		for o, row := range w {
			for k, f := range row {
				if f == 0 {
					continue
				}
				for s := range stride {
					out[(i*to+o)*stride+s] += f * v[(i*n[axis]+k)*stride+s]
				}
			}
		}
	}
	return out
}

func replaced(n [3]int, axis, length int) [3]int {
	n[axis] = length
	return n
}
