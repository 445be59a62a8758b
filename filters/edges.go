package filters

import (
	"slices"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// An edgeFilter is a gradient of the family of Sobel's: -1 0 1 along one axis and side, centre, side along
// the others, unnormalised. With axis=all it is the magnitude of the gradient over all axes.
type edgeFilter struct {
	name         string
	side, centre float64
}

var (
	sobel = edgeFilter{"sobel", 1, 2}.spec("Sobel", "The strength of edges: the gradient after light smoothing across it, unnormalised.",
		"scipy.ndimage.sobel")
	prewitt = edgeFilter{"prewitt", 1, 1}.spec("Prewitt", "The strength of edges: the gradient summed evenly over three voxels across it, unnormalised.",
		"scipy.ndimage.prewitt")
	scharr = edgeFilter{"scharr", 3, 10}.spec("Scharr", "The strength of edges with little preference for a direction, unnormalised.",
		"scipy.ndimage.correlate1d with the weights -1 0 1 and 3 10 3")
)

func (f edgeFilter) spec(title, doc, reference string) Spec {
	return Spec{
		Name: f.name, Title: title, Doc: doc, Reference: reference,
		Params: []Param{
			{Name: "axis", Kind: Choice, Default: "all", Choices: []string{"all", "z", "y", "x"},
				Doc: "derivative along one axis, or the magnitude of the gradient"},
			{Name: "norm", Kind: Choice, Default: "l2", Choices: []string{"l2", "l1"},
				Doc: "magnitude as the root of the sum of squares (l2) or the sum of magnitudes (l1)"},
			{Name: "dims", Kind: Choice, Default: "3", Choices: []string{"3", "2"},
				Doc: "3 for the whole volume, 2 for each plane of y and x by itself"},
			borderParam, dtypeParam,
		},
		build: f.build,
	}
}

func (f edgeFilter) build(a lazy.Array, v values) (lazy.Array, error) {
	axes := live(a.Meta())
	if v.text["dims"] == "2" && len(axes) > 0 && axes[0] == lazy.Z {
		axes = axes[1:]
	}
	edge := v.border()
	out := derivativeType(a.Meta().DType)
	a, err := holding(a, edge)
	if err != nil {
		return lazy.Array{}, err
	}
	l1 := v.text["norm"] == "l1"
	op := stencil.Op{Kernel: f.magnitude(axes, l1), Edge: edge, Out: v.dtype(out)}
	for _, ax := range space {
		if v.text["axis"] == ax.String() {
			op.Kernel = f.along(axes, ax)
			if edge.Mode == lazy.Constant && edge.Value != 0 && slices.Contains(axes, ax) {
				return f.passes(a, axes, ax, edge, op.Out)
			}
		}
	}
	if v.text["axis"] == "all" && len(axes) > 0 && edge.Mode == lazy.Constant && edge.Value != 0 {
		return f.ofPasses(a, axes, l1, edge, op.Out)
	}
	return lazy.Apply(op, a)
}

// passes is one derivative in a pass of its own an axis. scipy puts the border's constant beside the
// result of each of its passes, a derivative too; unless the constant is 0 that is not what one kernel
// gives on an image with a constant border.
func (f edgeFilter) passes(a lazy.Array, axes []lazy.Axis, along lazy.Axis, edge lazy.Border, out lazy.DType) (lazy.Array, error) {
	passes := []*stencil.Kernel{f.pass(along, true)}
	for _, ax := range axes {
		if ax != along {
			passes = append(passes, f.pass(ax, false))
		}
	}
	limit := magnitude(a.Meta().DType)
	for n, k := range passes {
		op := stencil.Op{Kernel: k, Edge: edge, Limit: limit}
		limit *= max(2, f.centre+2*f.side)
		if op.Out = sumType(a.Meta().DType, limit); n == len(passes)-1 {
			op.Out = out
		}
		var err error
		if a, err = lazy.Apply(op, a); err != nil {
			return lazy.Array{}, err
		}
	}
	return a, nil
}

func (f edgeFilter) ofPasses(a lazy.Array, axes []lazy.Axis, l1 bool, edge lazy.Border, out lazy.DType) (lazy.Array, error) {
	var parts []lazy.Array
	for _, ax := range axes {
		p, err := f.passes(a, axes, ax, edge, a.Meta().DType.Real())
		if err != nil {
			return lazy.Array{}, err
		}
		parts = append(parts, p)
	}
	norm := stencil.Build(f.name, func(b *stencil.Builder) stencil.Value {
		v := loads(b, len(parts))
		if l1 {
			return b.L1(v...)
		}
		return b.L2(v...)
	})
	return lazy.Apply(stencil.Op{Kernel: norm, Out: out}, parts...)
}

// pass is -1 0 1 or side, centre, side along one axis.
func (f edgeFilter) pass(a lazy.Axis, derivative bool) *stencil.Kernel {
	return stencil.Build(f.name+" "+a.String(), func(b *stencil.Builder) stencil.Value {
		line := along(b, a, -1, 1)
		if derivative {
			return b.Linear(stencil.Term{Weight: -1, Ref: line[0]}, stencil.Term{Weight: 1, Ref: line[2]})
		}
		return f.smooth(b, line[0], line[1], line[2])
	})
}

// smooth is the weighted sum across an edge.
func (f edgeFilter) smooth(b *stencil.Builder, before, here, after stencil.Ref) stencil.Value {
	return b.Linear(stencil.Term{Weight: f.side, Ref: before}, stencil.Term{Weight: f.centre, Ref: here}, stencil.Term{Weight: f.side, Ref: after})
}

// along is the derivative along one axis. Along an axis that is not there it is 0.
func (f edgeFilter) along(axes []lazy.Axis, along lazy.Axis) *stencil.Kernel {
	return stencil.Build(f.name+" "+along.String(), func(b *stencil.Builder) stencil.Value {
		s := f.values(b, axes)
		if v, ok := s[along]; ok {
			return v
		}
		return zero(b)
	})
}

func (f edgeFilter) magnitude(axes []lazy.Axis, l1 bool) *stencil.Kernel {
	return stencil.Build(f.name, func(b *stencil.Builder) stencil.Value {
		s := f.values(b, axes)
		var parts []stencil.Value
		for _, a := range axes {
			parts = append(parts, s[a])
		}
		switch {
		case len(parts) == 0:
			return zero(b)
		case l1:
			return b.L1(parts...)
		}
		return b.L2(parts...)
	})
}

// values is the derivative along each of the axes. Along z, then y, then x a row is smoothed (s)
// or differentiated (d), so what several derivatives share is computed once.
func (f edgeFilter) values(b *stencil.Builder, axes []lazy.Axis) map[lazy.Axis]stencil.Value {
	has := map[lazy.Axis]bool{}
	for _, a := range axes {
		has[a] = true
	}
	sz, dz := b.Load(0), stencil.Value(-1)
	if has[lazy.Z] {
		before, after := b.Load(-1), b.Load(1)
		dz = b.Linear(stencil.W(-1, before, 0, 0), stencil.W(1, after, 0, 0))
		sz = f.smooth(b, stencil.At(before), stencil.At(sz), stencil.At(after))
	}
	smooth := func(v stencil.Value, a lazy.Axis) stencil.Value {
		dy, dx := step(a)
		if !has[a] {
			return v
		}
		return f.smooth(b, stencil.Ref{Value: v, DY: -dy, DX: -dx}, stencil.At(v), stencil.Ref{Value: v, DY: dy, DX: dx})
	}
	derive := func(v stencil.Value, a lazy.Axis) stencil.Value {
		dy, dx := step(a)
		return b.Linear(stencil.W(-1, v, -dy, -dx), stencil.W(1, v, dy, dx))
	}
	out := map[lazy.Axis]stencil.Value{}
	if has[lazy.Z] {
		out[lazy.Z] = smooth(smooth(dz, lazy.Y), lazy.X)
	}
	if has[lazy.Y] {
		out[lazy.Y] = smooth(derive(sz, lazy.Y), lazy.X)
	}
	if has[lazy.X] {
		out[lazy.X] = derive(smooth(sz, lazy.Y), lazy.X)
	}
	return out
}

func step(a lazy.Axis) (dy, dx int) {
	if a == lazy.Y {
		return 1, 0
	}
	return 0, 1
}
