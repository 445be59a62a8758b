package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// identity gives every voxel as it is: with a type of its own it is a cast.
var identity = stencil.Build("cast", func(b *stencil.Builder) stencil.Value { return b.Load(0) })

// differenceKernel is the first input minus the second.
var differenceKernel = stencil.Build("difference", func(b *stencil.Builder) stencil.Value {
	return b.Linear(stencil.W(1, b.LoadOf(0, 0), 0, 0), stencil.W(-1, b.LoadOf(1, 0), 0, 0))
})

// cast is the array in another type, rounded to nearest (halves away from zero) and clamped.
func cast(a lazy.Array, d lazy.DType) (lazy.Array, error) {
	if a.Meta().DType == d {
		return a, nil
	}
	return lazy.Apply(stencil.Op{Kernel: identity, Out: d}, a)
}

// holding is the array in a type that can hold the border's constant, which stands beside its voxels:
// with border=constant:3.5 even integers are computed as real numbers.
func holding(a lazy.Array, b lazy.Border) (lazy.Array, error) {
	d := a.Meta().DType
	lo, hi := d.Range()
	if b.Mode != lazy.Constant || d.Float() || b.Value >= lo && b.Value <= hi && b.Value == float64(int64(b.Value)) {
		return a, nil
	}
	return cast(a, d.Real())
}

// along is a row of refs or loads at offsets lo..hi on one axis.
func along(b *stencil.Builder, a lazy.Axis, lo, hi int) []stencil.Ref {
	var refs []stencil.Ref
	here := stencil.Value(0)
	if a != lazy.Z {
		here = b.Load(0)
	}
	for o := lo; o <= hi; o++ {
		switch a {
		case lazy.Z:
			refs = append(refs, stencil.At(b.Load(o)))
		case lazy.Y:
			refs = append(refs, stencil.Ref{Value: here, DY: o})
		default:
			refs = append(refs, stencil.Ref{Value: here, DX: o})
		}
	}
	return refs
}

// derivativeType is the type of derivatives of voxels of type d.
func derivativeType(d lazy.DType) lazy.DType {
	if d.Size() == 8 {
		return lazy.F64
	}
	return lazy.F32
}
