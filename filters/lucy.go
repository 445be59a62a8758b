package filters

import (
	"context"
	"math"

	"lamella/filters/fft"
)

// A lucy is a deconvolution by Richardson (Journal of the Optical Society of America 62 (1972) 55) and Lucy
// (Astronomical Journal 79 (1974) 745): with data d, point spread function h and background b, an estimate u becomes
//
//	u · hᵀ(d / (h∗u + b)) / share
//
// where hᵀ is the correlation with h and share the part of a voxel's light that falls on the data. Where h∗u + b is
// no more than epsilon, or d is no number, the quotient is 1; where the share is next to nothing, u stays as it is.
type lucy struct {
	field
	data     []float32 // of the field's part
	estimate []float32

	way                 way
	background, epsilon float32
	smooth              float64 // weight of total variation
	thick               [3]float64
	accelerate          bool

	grid      *fft.Grid
	work, otf *fft.Spectrum
	shares    shares
	workers

	before, step, calm []float32 // the estimate before, the last step, and what total variation divides by; or nil
	far                float32   // how far an accelerated iteration goes on from where the ones before point to
	last               float64   // the square of the last step's length

	course *course // that is followed, or nil
}

// newLucy makes ready. The estimate is set.
func newLucy(ctx context.Context, f field, psf spread, dark bool) (*lucy, error) {
	g := fft.NewGrid(f.shape[0], f.shape[1], f.shape[2])
	l := &lucy{field: f, workers: newWorkers(ctx, g), shares: shares{f, dark, psf.table()}, grid: g}
	var err error
	if l.work, err = l.spectrum(g); err != nil {
		return nil, err
	}
	l.otf, err = psf.transfer(g, l.workers)
	return l, err
}

// run does some iterations.
func (l *lucy) run(iterations int) error {
	if l.accelerate {
		return l.runAccelerated(iterations)
	}
	if err := l.load(func(z, y int, _ []float32) []float32 { return row(l.estimate, l.field.estimate, z, y) }); err != nil {
		return err
	}
	for i := range iterations {
		if err := l.compare(); err != nil {
			return err
		}
		if err := l.update(i+1 < iterations, nil); err != nil {
			return err
		}
		if l.course.took() {
			break
		}
	}
	return nil
}

// load puts rows of an estimate into the transform, along x and y.
func (l *lucy) load(of func(z, y int, row []float32) []float32) error {
	return l.planes(l.field.estimate[0], func(h *hand, z int) {
		h.Into(l.work, z, l.field.estimate[1], func(y int, r []float32) {
			clear(r[copy(r, of(z, y, r)):])
		})
	})
}

// compare goes from an estimate to what it is to be multiplied by, but for the share.
func (l *lucy) compare() error {
	if err := l.columns(l.grid, l.work, l.field.estimate[0], l.field.data[0], l.otf, fft.Times); err != nil {
		return err
	}
	xs := l.field.data[2]
	err := l.planes(l.field.data[0], func(h *hand, z int) {
		h.Through(l.work, z, l.field.data[1], func(y int, r []float32) {
			if l.course.has(z, y) {
				l.course.compare(z, xs.Min, r[xs.Min:xs.Max], row(l.data, l.field.data, z, y), l.background)
			}
			clear(r[:xs.Min])
			l.way.compare(r[xs.Min:xs.Max], row(l.data, l.field.data, z, y), l.background, l.epsilon)
			clear(r[xs.Max:])
		})
	})
	if err != nil {
		return err
	}
	return l.columns(l.grid, l.work, l.field.data[0], l.field.estimate[0], l.otf, fft.TimesConjugate)
}

// update multiplies the estimate and, if more is to come, transforms it again while its planes are at hand. after is
// told of each row before it is multiplied, what it becomes, and of which plane it is.
func (l *lucy) update(more bool, after func(z int, old, now, step []float32)) error {
	if err := l.calmDown(); err != nil {
		return err
	}
	ys, nx := l.field.estimate[1], l.field.estimate[2].Max
	return l.planes(l.field.estimate[0], func(h *hand, z int) {
		change := func(y int, r []float32) {
			u := row(l.estimate, l.field.estimate, z, y)
			if l.calm != nil {
				lucyLoops.times(r[:nx], row(l.calm, l.field.estimate, z, y))
			}
			l.way.change(r[:nx], u, l.shares.row(z, y, &h.line))
			if l.course.has(z, y) {
				l.course.change(z, u, r)
			}
			if after != nil {
				after(z, u, r[:nx], row(l.step, l.field.estimate, z, y))
			}
			copy(u, r)
			clear(r[nx:])
		}
		if more {
			h.Through(l.work, z, ys, change)
		} else {
			h.OutOf(l.work, z, ys, change)
		}
	})
}

// peak is the largest finite value, and 0 if none is positive.
func peak(voxels []float32) float32 {
	most := float32(0)
	for _, v := range voxels {
		if v > most && v <= math.MaxFloat32 {
			most = v
		}
	}
	return most
}
