package filters

import (
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
)

// project reduces an axis to one voxel, or each voxel to a slab around it along that axis. Integers up to 32 bits
// are summed exactly. The standard deviation is that of the voxels themselves (divided by their number).
var project = Spec{
	Name: "project", Title: "Projection",
	Doc:       "The maximum, minimum, mean, sum or standard deviation along an axis: of all of it, of a range, or of a slab around each plane.",
	Reference: "numpy.max, min, mean, sum and std along an axis",
	Params: []Param{
		{Name: "axis", Kind: Choice, Default: "z", Choices: []string{"z", "y", "x", "t", "c"}, Doc: "the axis to project along"},
		{Name: "how", Kind: Choice, Default: "max", Choices: projections, Doc: "what is taken of the voxels; sd is their standard deviation"},
		{Name: "range", Kind: Text, Doc: "which part of the axis, as A:B with A included and B not; empty for all of it"},
		{Name: "around", Kind: Integer, Default: "0", Max: 1000,
			Doc: "if not 0, each plane becomes the projection of itself and this many on each side, as far as they exist"},
		dtypeParam,
	},
	build: buildProject,
}

var projections = []string{"max", "min", "mean", "sum", "sd"}

func buildProject(a lazy.Array, v values) (lazy.Array, error) {
	op := projection{how: v.text["how"], around: int(v.number("around")), out: a.Meta().DType}
	op.axis = lazy.Axis(strings.Index("tzcyx", v.text["axis"]))
	if v.text["range"] != "" && op.around > 0 {
		return lazy.Array{}, fmt.Errorf("range=%s around=%d: expected one of the two", v.text["range"], op.around)
	}
	var err error
	if op.from, op.to, err = span(v.text["range"], a.Meta().Shape[op.axis]); err != nil {
		return lazy.Array{}, err
	}
	out := v.dtype(op.out)
	if op.how != "max" && op.how != "min" {
		if op.out = lazy.F32; v.dtype(lazy.F32) != lazy.F32 {
			op.out = lazy.F64 // which holds what another type is made of
		}
		out = v.dtype(lazy.F32)
	}
	op.voxels, op.scale = op.to-op.from, a.Meta().Scale[op.axis]
	op.centre = a.Meta().Origin[op.axis] + op.scale*float64(op.from+op.to-1)/2
	for op.around == 0 && op.how != "sd" && op.to-op.from > longRange && err == nil {
		part := op
		part.group, part.out = groupOfRange, partType(op.how, a.Meta().DType)
		op.from, op.to = 0, part.groups()
		a, err = lazy.Apply(part, a)
	}
	if err == nil {
		a, err = lazy.Apply(op, a)
	}
	if err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

// A long range is projected group by group and then what the groups came to, so that no step needs much of the
// axis at once. A standard deviation needs all of it.
const (
	longRange    = 64
	groupOfRange = 16
)

// partType holds exactly what a group comes to.
func partType(how string, in lazy.DType) lazy.DType {
	switch {
	case how == "max" || how == "min":
		return in
	case in.Float() || in.Size() == 8:
		return lazy.F64
	}
	return lazy.I64
}

// span reads A:B, either of which may be left out, and cuts it to an axis of n voxels.
func span(text string, n int) (from, to int, err error) {
	if text == "" {
		return 0, n, nil
	}
	a, b, ok := strings.Cut(text, ":")
	to = n
	if ok && a != "" {
		from, err = strconv.Atoi(a)
	}
	if ok && b != "" && err == nil {
		to, err = strconv.Atoi(b)
	}
	if !ok || err != nil {
		return 0, 0, fmt.Errorf("range=%s: expected A:B, such as 10:20", text)
	}
	if from, to = max(from, 0), min(to, n); from >= to {
		return 0, 0, fmt.Errorf("range=%s: holds none of the %d planes, which are 0:%d", text, n, n)
	}
	return from, to, nil
}
