package filters

import (
	"math"

	"lamella/lazy"
)

// runAccelerated lets each iteration start from where the steps before point to: Biggs and Andrews, Applied Optics 36
// (1997) 1766. How far is the correlation of the last two steps, from 0 to 1.
func (l *lucy) runAccelerated(iterations int) error {
	if l.before == nil {
		l.before, l.step = lazy.Borrow[float32](l.ctx, len(l.estimate)), lazy.Borrow[float32](l.ctx, len(l.estimate))
		copy(l.before, l.estimate)
		clear(l.step)
	}
	planes := l.field.estimate[0].Max
	along, length := make([]float64, planes), make([]float64, planes)
	for range iterations {
		if err := l.load(func(z, y int, r []float32) []float32 { return l.predict(z, y, l.far) }); err != nil {
			return err
		}
		if err := l.compare(); err != nil {
			return err
		}
		clear(along)
		clear(length)
		err := l.update(false, func(z int, old, now, step []float32) {
			a, b := 0.0, 0.0
			for i, u := range now {
				s := u - old[i]
				a += float64(float64(s) * float64(step[i]))
				b += float64(float64(s) * float64(s))
				step[i] = s
			}
			along[z] += a
			length[z] += b
		})
		if err != nil {
			return err
		}
		a, b := total(along), total(length)
		l.far = 0
		if l.last > 0 {
			l.far = float32(math.Max(0, math.Min(1, a/l.last)))
		}
		if l.last = b; l.course.took() {
			break
		}
	}
	return nil
}

// predict moves a row of the estimate on in the direction in which it went, and remembers where it was.
func (l *lucy) predict(z, y int, far float32) []float32 {
	u, was := row(l.estimate, l.field.estimate, z, y), row(l.before, l.field.estimate, z, y)
	for i, v := range u {
		u[i] = max(0, v+float32(far*(v-was[i])))
		was[i] = v
	}
	return u
}

// total sums what each plane came to, in their order, whoever worked on them.
func total(parts []float64) float64 {
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	return sum
}
