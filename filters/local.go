package filters

import (
	"fmt"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// Statistics of a box around each voxel, made of two sums: of the voxels and of their squares. Those of integers
// up to 16 bits are exact, as far as float64 holds them; other sums run in float64.
var (
	variance = localFilter("variance", "Variance", "The variance of the values in a box around each voxel: finds texture and edges.",
		"scipy.ndimage.generic_filter with numpy.var; ImageJ's Variance takes a disc", sizeParam(1023), false,
		func(b *stencil.Builder, m moments) stencil.Value { return m.variance(b) })
	deviation = localFilter("local-sd", "Local standard deviation", "The standard deviation of the values in a box around each voxel.",
		"scipy.ndimage.generic_filter with numpy.std", sizeParam(1023), false,
		func(b *stencil.Builder, m moments) stencil.Value {
			return b.Apply(stencil.Root, stencil.At(m.variance(b)))
		})

	// localContrast is local contrast normalisation: it evens out both the background and the contrast.
	localContrast = localFilter("local-contrast", "Local contrast",
		"Each voxel minus the mean of a box around it, divided by the standard deviation in that box: dim and bright regions get the same contrast.",
		"(x - mean) / sd with scipy.ndimage.uniform_filter of x and of its square", wideBox("1,41,41", 1023), true,
		func(b *stencil.Builder, m moments) stencil.Value {
			mean := b.Divide(m.sum, float64(m.n))
			above := b.Linear(stencil.W(1, m.voxel, 0, 0), stencil.W(-1, mean, 0, 0))
			sd := b.Apply(stencil.Root, stencil.At(m.variance(b)))
			ratio := b.Apply(stencil.Quotient, stencil.At(above), stencil.At(sd))
			return b.Apply(stencil.Select, stencil.At(m.varies(b)), stencil.At(ratio), stencil.At(b.Constant(0, false)))
		})
)

// wideBox is a box in the plane, wide enough to hold structures and what is around them.
func wideBox(size string, most float64) Param {
	p := sizeParam(most)
	p.Default = size
	return p
}

func localFilter(name, title, doc, reference string, size Param, voxel bool, combine func(*stencil.Builder, moments) stencil.Value) Spec {
	return Spec{
		Name: name, Title: title, Doc: doc, Reference: reference,
		Params: []Param{size, borderParam, dtypeParam},
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			w, err := v.widths()
			if err != nil {
				return lazy.Array{}, err
			}
			out := v.dtype(derivativeType(a.Meta().DType))
			if w.Voxels() == 1 { // one voxel differs from nothing
				return lazy.Apply(stencil.Op{Kernel: stencil.Build(name, zero), Out: out}, a)
			}
			inputs, err := sums(a, w, v.border())
			if err != nil {
				return lazy.Array{}, err
			}
			if voxel {
				inputs = append(inputs, a)
			}
			kernel := stencil.Build(name, func(b *stencil.Builder) stencil.Value {
				m := moments{n: w.Voxels(), sum: b.LoadOf(0, 0), squares: b.LoadOf(1, 0)}
				if voxel {
					m.voxel = b.LoadOf(2, 0)
				}
				return combine(b, m)
			})
			result, err := lazy.Apply(stencil.Op{Kernel: kernel, Out: out}, inputs...)
			if err != nil {
				return lazy.Array{}, err
			}
			return within(result, boxHalo(w), v.border())
		},
	}
}

// moments are the sums of a box of n voxels in a kernel.
type moments struct {
	n                   int
	sum, squares, voxel stencil.Value
}

// spread is n² times the variance: n Σx² - (Σx)². Rounding may leave it a little below 0.
func (m moments) spread(b *stencil.Builder) stencil.Value {
	squared := b.Apply(stencil.Product, stencil.At(m.sum), stencil.At(m.sum))
	return b.Linear(stencil.W(float64(m.n), m.squares, 0, 0), stencil.W(-1, squared, 0, 0))
}

func (m moments) variance(b *stencil.Builder) stencil.Value {
	v := b.Divide(m.spread(b), float64(m.n)*float64(m.n))
	return b.Apply(stencil.Maximum, stencil.At(v), stencil.At(b.Constant(0, false)))
}

// varies is 1 where the voxels of the box differ by more than the sums are rounded.
func (m moments) varies(b *stencil.Builder) stencil.Value {
	rounding := b.Linear(stencil.W(1e-13*float64(m.n), m.squares, 0, 0))
	return b.Apply(stencil.Less, stencil.At(rounding), stencil.At(m.spread(b)))
}

// sums is the sum of the voxels of a box and the sum of their squares, in one pass each along z, y and x.
func sums(a lazy.Array, w lazy.Shape, edge lazy.Border) ([]lazy.Array, error) {
	a, err := holding(a, edge)
	if err == nil && a.Meta().DType.Float() {
		a, err = cast(a, lazy.F64)
	}
	if err != nil {
		return nil, err
	}
	out := []lazy.Array{a, a}
	for power := range out {
		limit, edge, squared := magnitude(a.Meta().DType), edge, power == 0
		for _, ax := range space {
			n := w[ax]
			if n == 1 {
				continue
			}
			square := power == 1 && !squared
			kernel := stencil.Build(fmt.Sprintf("sum %v", ax), func(b *stencil.Builder) stencil.Value {
				if square {
					return b.Sum(squaresAlong(b, ax, -(n / 2), n-n/2-1)...)
				}
				return b.Sum(along(b, ax, -(n / 2), n-n/2-1)...)
			})
			op := stencil.Op{Kernel: kernel, Edge: edge, Limit: limit}
			if square {
				limit, edge.Value, squared = limit*limit, edge.Value*edge.Value, true
			}
			limit *= float64(n)
			edge.Value *= float64(n) // what stands beyond the edge of a sum is a sum too
			op.Out = sumType(a.Meta().DType, limit)
			if out[power], err = lazy.Apply(op, out[power]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// squaresAlong is along, with every voxel squared.
func squaresAlong(b *stencil.Builder, a lazy.Axis, lo, hi int) []stencil.Ref {
	refs := along(b, a, lo, hi)
	square := func(v stencil.Value) stencil.Value { return b.Apply(stencil.Product, stencil.At(v), stencil.At(v)) }
	once := stencil.Value(0)
	if a != lazy.Z {
		once = square(refs[0].Value)
	}
	for i := range refs {
		if a == lazy.Z {
			refs[i].Value = square(refs[i].Value)
		} else {
			refs[i].Value = once
		}
	}
	return refs
}
