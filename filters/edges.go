package filters

import (
	"slices"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// sobel is the gradient by scipy.ndimage.sobel: -1 0 1 along one axis and 1 2 1 along the others,
// unnormalised. With axis=all it is the magnitude of the gradient over all axes.
var sobel = Spec{
	Name: "sobel", Title: "Sobel",
	Doc:       "The strength of edges: the gradient after light smoothing across it, unnormalised.",
	Reference: "scipy.ndimage.sobel",
	Params: []Param{
		{Name: "axis", Kind: Choice, Default: "all", Choices: []string{"all", "z", "y", "x"},
			Doc: "derivative along one axis, or the magnitude of the gradient"},
		{Name: "norm", Kind: Choice, Default: "l2", Choices: []string{"l2", "l1"},
			Doc: "magnitude as the root of the sum of squares (l2) or the sum of magnitudes (l1)"},
		{Name: "dims", Kind: Choice, Default: "3", Choices: []string{"3", "2"},
			Doc: "3 for the whole volume, 2 for each plane of y and x by itself"},
		borderParam, dtypeParam,
	},
	build: buildSobel,
}

func buildSobel(a lazy.Array, v values) (lazy.Array, error) {
	axes := live(a.Meta())
	if v.text["dims"] == "2" && len(axes) > 0 && axes[0] == lazy.Z {
		axes = axes[1:]
	}
	edge := v.border()
	out := lazy.F32
	if d := a.Meta().DType; d.Size() == 8 {
		out = lazy.F64
	}
	a, err := holding(a, edge)
	if err != nil {
		return lazy.Array{}, err
	}
	l1 := v.text["norm"] == "l1"
	op := stencil.Op{Kernel: sobelMagnitude(axes, l1), Edge: edge, Out: v.dtype(out)}
	for _, ax := range space {
		if v.text["axis"] == ax.String() {
			op.Kernel = sobelAlong(axes, ax)
			if edge.Mode == lazy.Constant && edge.Value != 0 && slices.Contains(axes, ax) {
				return sobelPasses(a, axes, ax, edge, op.Out)
			}
		}
	}
	if v.text["axis"] == "all" && edge.Mode == lazy.Constant && edge.Value != 0 {
		return sobelOfPasses(a, axes, l1, edge, op.Out)
	}
	return lazy.Apply(op, a)
}

// sobelPasses is one derivative in a pass of its own an axis. scipy puts the border's constant beside the
// result of each of its passes, a derivative too; unless the constant is 0 that is not what one kernel
// gives on an image with a constant border.
func sobelPasses(a lazy.Array, axes []lazy.Axis, along lazy.Axis, edge lazy.Border, out lazy.DType) (lazy.Array, error) {
	passes := []*stencil.Kernel{sobelPass(along, true)}
	for _, ax := range axes {
		if ax != along {
			passes = append(passes, sobelPass(ax, false))
		}
	}
	limit := magnitude(a.Meta().DType)
	for n, k := range passes {
		op := stencil.Op{Kernel: k, Edge: edge, Limit: limit}
		limit *= 4
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

func sobelOfPasses(a lazy.Array, axes []lazy.Axis, l1 bool, edge lazy.Border, out lazy.DType) (lazy.Array, error) {
	var parts []lazy.Array
	for _, ax := range axes {
		p, err := sobelPasses(a, axes, ax, edge, a.Meta().DType.Real())
		if err != nil {
			return lazy.Array{}, err
		}
		parts = append(parts, p)
	}
	norm := stencil.Build("sobel", func(b *stencil.Builder) stencil.Value {
		var v []stencil.Value
		for n := range parts {
			v = append(v, b.LoadOf(n, 0))
		}
		if l1 {
			return b.L1(v...)
		}
		return b.L2(v...)
	})
	return lazy.Apply(stencil.Op{Kernel: norm, Out: out}, parts...)
}

// sobelPass is -1 0 1 or 1 2 1 along one axis.
func sobelPass(a lazy.Axis, derivative bool) *stencil.Kernel {
	return stencil.Build("sobel "+a.String(), func(b *stencil.Builder) stencil.Value {
		line := along(b, a, -1, 1)
		if derivative {
			return b.Linear(stencil.Term{Weight: -1, Ref: line[0]}, stencil.Term{Weight: 1, Ref: line[2]})
		}
		return b.Linear(stencil.Term{Weight: 1, Ref: line[0]}, stencil.Term{Weight: 2, Ref: line[1]}, stencil.Term{Weight: 1, Ref: line[2]})
	})
}

// sobelAlong is the derivative along one axis. Along an axis that is not there it is 0.
func sobelAlong(axes []lazy.Axis, along lazy.Axis) *stencil.Kernel {
	return stencil.Build("sobel "+along.String(), func(b *stencil.Builder) stencil.Value {
		s := sobelValues(b, axes)
		if v, ok := s[along]; ok {
			return v
		}
		return b.Linear(stencil.W(0, b.Load(0), 0, 0))
	})
}

func sobelMagnitude(axes []lazy.Axis, l1 bool) *stencil.Kernel {
	return stencil.Build("sobel", func(b *stencil.Builder) stencil.Value {
		s := sobelValues(b, axes)
		var parts []stencil.Value
		for _, a := range axes {
			parts = append(parts, s[a])
		}
		switch {
		case len(parts) == 0:
			return b.Linear(stencil.W(0, b.Load(0), 0, 0))
		case l1:
			return b.L1(parts...)
		}
		return b.L2(parts...)
	})
}

// sobelValues is the derivative along each of the axes. Along z, then y, then x a row is smoothed (s)
// or differentiated (d), so what several derivatives share is computed once.
func sobelValues(b *stencil.Builder, axes []lazy.Axis) map[lazy.Axis]stencil.Value {
	has := map[lazy.Axis]bool{}
	for _, a := range axes {
		has[a] = true
	}
	sz, dz := b.Load(0), stencil.Value(-1)
	if has[lazy.Z] {
		before, after := b.Load(-1), b.Load(1)
		dz = b.Linear(stencil.W(-1, before, 0, 0), stencil.W(1, after, 0, 0))
		sz = b.Linear(stencil.W(1, before, 0, 0), stencil.W(2, sz, 0, 0), stencil.W(1, after, 0, 0))
	}
	smooth := func(v stencil.Value, a lazy.Axis) stencil.Value {
		dy, dx := step(a)
		if !has[a] {
			return v
		}
		return b.Linear(stencil.W(1, v, -dy, -dx), stencil.W(2, v, 0, 0), stencil.W(1, v, dy, dx))
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
