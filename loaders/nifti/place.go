package nifti

import (
	"math"

	"lamella/lazy"
	"lamella/loaders"
)

// place fills in sizes, units and origin, and says what cannot be told by them.
//
// named is which axis each dimension of the header is, slowest first; the header has the fastest first.
func (h *header) place(m *lazy.Meta, named loaders.Axes, say func(string, ...any)) {
	m.Labels = h.intent == 1002 // NIFTI_INTENT_LABEL
	at := func(i int) lazy.Axis { return named[len(named)-1-i] }
	um, spatial := loaders.Micrometres(h.lengths)
	sec, timed := loaders.Seconds(h.times)
	odd := false
	for i := range min(len(named), 4) {
		a, v := at(i), h.pixdim[i+1]
		step := loaders.Step(v)
		odd = odd || i < 3 && (step == 0 || v < 0)
		switch {
		case step == 0 || a == lazy.C:
		case i < 3 && spatial && a != lazy.T:
			m.Scale[a], m.Unit[a] = step*um, "um"
		case i == 3 && timed && a == lazy.T:
			m.Scale[a], m.Unit[a] = step*sec, "s"
		default:
			m.Scale[a] = step
		}
	}
	if odd {
		say("pixdim is %v: a size of a voxel that is 0 or no number is taken for unknown, a negative one without its sign.", h.pixdim[1:1+min(len(h.dims), 3)])
	}
	if !spatial {
		say("The file does not state the unit of its voxel sizes, so they are unknown in micrometres.")
	}
	h.turn(m, at, um, spatial, say)
}

// turn looks at the transform into space. Axes that are only along those of space, the same way round, have an
// origin; of others it is said how they lie.
func (h *header) turn(m *lazy.Meta, at func(int) lazy.Axis, um float64, spatial bool, say func(string, ...any)) {
	matrix, offset, name, ok := h.transform()
	if !ok {
		return
	}
	straight, oblique := true, false
	var size [3]float64
	for j := range 3 {
		column := [3]float64{matrix[0][j], matrix[1][j], matrix[2][j]}
		size[j] = math.Sqrt(column[0]*column[0] + column[1]*column[1] + column[2]*column[2])
		if !(size[j] > 0) || math.IsInf(size[j], 0) {
			return
		}
		most := 0.0
		for i, v := range column {
			most = max(most, math.Abs(v))
			straight = straight && (i == j) == (v > 1e-6*size[j]) && (i == j || v >= -1e-6*size[j])
		}
		oblique = oblique || most < 0.9999*size[j]
	}
	if oblique {
		say("The %s turns the image obliquely in space; it is shown as it is stored.", name)
	}
	for j := range min(len(h.dims), 3) {
		a := at(j)
		if step := loaders.Step(h.pixdim[j+1]); step > 0 && math.Abs(size[j]-step) > 0.01*step {
			say("The %s has voxels of %.4g along %v, pixdim says %.4g, which is taken.", name, size[j], a, step)
		}
		if straight && spatial && a != lazy.T && a != lazy.C && !math.IsNaN(offset[j]) && !math.IsInf(offset[j], 0) {
			m.Origin[a] = offset[j] * um
		}
	}
}

// transform is the matrix from voxels to space: the sform if there is one, else the qform (nifti1.h, "3D IMAGE
// (VOLUME) ORIENTATION AND LOCATION IN SPACE", methods 3 and 2).
func (h *header) transform() (m [3][3]float64, offset [3]float64, name string, ok bool) {
	switch {
	case h.format == "analyze":
		return m, offset, "", false
	case h.sform > 0:
		for i := range 3 {
			copy(m[i][:], h.srow[i][:3])
			offset[i] = h.srow[i][3]
		}
		return m, offset, "sform", true
	case h.qform <= 0:
		return m, offset, "", false
	}
	b, c, d := h.quatern[0], h.quatern[1], h.quatern[2]
	a := math.Sqrt(max(0, 1-b*b-c*c-d*d))
	m = [3][3]float64{
		{a*a + b*b - c*c - d*d, 2 * (b*c - a*d), 2 * (b*d + a*c)},
		{2 * (b*c + a*d), a*a + c*c - b*b - d*d, 2 * (c*d - a*b)},
		{2 * (b*d - a*c), 2 * (c*d + a*b), a*a + d*d - c*c - b*b},
	}
	flip := 1.0
	if h.pixdim[0] < 0 {
		flip = -1
	}
	for i := range 3 {
		for j := range 3 {
			m[i][j] *= h.pixdim[j+1]
		}
		m[i][2] *= flip
	}
	return m, h.qoffset, "qform", true
}
