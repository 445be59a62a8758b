package dicom

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"lamella/lazy"
)

// A slice is one frame and where it lies. Lengths are in millimetres.
type slice struct {
	ref
	position    [3]float64 // of the centre of the first voxel
	orientation [6]float64 // directions of a row and of a column
	placed      bool       // whether both are stated
	instance    int
	echo        float64
	order       [4]float64 // what comes first of slices at one place: temporal position, acquisition, trigger time, instance
}

// sliceOf gathers what an object says of one of its frames.
func sliceOf(o *object, frame int) slice {
	s := slice{ref: ref{object: o, frame: frame, slope: 1}}
	position := o.find(frame, tagPlanePosition, tagPosition).floats(tagPosition)
	orientation := o.find(frame, tagPlaneOrientation, tagOrientation).floats(tagOrientation)
	if len(position) == 3 && len(orientation) == 6 {
		copy(s.position[:], position)
		copy(s.orientation[:], orientation)
		n := s.normal()
		s.placed = math.Abs(dot(n, n)-1) < 0.1
	}
	s.instance, _ = strconv.Atoi(o.set.text(tagInstance))
	s.echo, _ = o.set.float(tagEchoTime)
	for i, t := range []tag{tagTemporal, tagAcquisition, tagTriggerTime, tagInstance} {
		s.order[i], _ = o.set.float(t)
	}
	values := o.find(frame, tagTransformation, tagSlope)
	if v, ok := values.float(tagSlope); ok && v != 0 {
		s.slope = v
	} else if v, ok := o.set.float(tagDoseScale); ok && v != 0 {
		s.slope = v
	}
	s.intercept, _ = values.float(tagIntercept)
	return s
}

// normal is the direction across the slices.
func (s slice) normal() [3]float64 {
	r, c := s.orientation[:3], s.orientation[3:]
	return [3]float64{r[1]*c[2] - r[2]*c[1], r[2]*c[0] - r[0]*c[2], r[0]*c[1] - r[1]*c[0]}
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// spacing is the distance of rows and of columns of a frame in millimetres; false if none is stated.
func spacing(o *object, frame int) (y, x float64, ok bool) {
	for _, t := range []tag{tagSpacing, tagImagerSpacing, tagNominalSpacing} {
		v := o.find(frame, tagMeasures, t).floats(t)
		if len(v) == 2 && v[0] > 0 && v[1] > 0 {
			return v[0], v[1], true
		}
	}
	return 0, 0, false
}

// between is the distance of slices as a file states it: the distance itself, or else the thickness.
func between(o *object, frame int) float64 {
	for _, t := range []tag{tagBetween, tagThickness} {
		if v, ok := o.find(frame, tagMeasures, t).float(t); ok && v != 0 {
			return math.Abs(v)
		}
	}
	return 0
}

// setScale puts lengths in millimetres into micrometres.
func setScale(m *lazy.Meta, z, y, x float64) {
	for a, v := range map[lazy.Axis]float64{lazy.Z: z, lazy.Y: y, lazy.X: x} {
		if v > 0 && !math.IsInf(v, 0) {
			m.Scale[a], m.Unit[a] = v*1000, "um"
		}
	}
}

// samePlace is how far apart two slices may lie that are at the same place, in millimetres.
const samePlace = 1e-4

// steps looks at places along the normal, in rising order without repetition: the usual distance, and
// what is to be said of the others.
func steps(places []float64) (usual float64, said []string) {
	if len(places) < 2 {
		return 0, nil
	}
	var d []float64
	for i := 1; i < len(places); i++ {
		d = append(d, places[i]-places[i-1])
	}
	sorted := slices.Clone(d)
	slices.Sort(sorted)
	usual = sorted[(len(sorted)-1)/2]
	missing, after := 0, 0
	for i, v := range d {
		if n := int(math.Round(v/usual)) - 1; n > 0 && v < 1e6*usual && math.Abs(v/usual-float64(n+1)) < 0.1 {
			if missing == 0 {
				after = i
			}
			missing += n
		}
	}
	switch least, most := sorted[0], sorted[len(sorted)-1]; {
	case missing > 0:
		said = append(said, fmt.Sprintf("slices that seem to be missing: %d, the first of them after slice %d; the others stand side by side", missing, after))
	case most-least > 0.01*usual:
		said = append(said, fmt.Sprintf("the slices lie from %.4g to %.4g mm apart; %.4g mm is taken for all", least, most, usual))
	}
	return usual, said
}
