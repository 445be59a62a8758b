package dicom

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
)

// classes of objects whose frames are no volume.
const segmentation = "1.2.840.10008.5.1.4.1.1.66.4"

// axisOf is the axis that a dimension index pointer stands for.
var axisOf = map[tag]lazy.Axis{
	0x00209057: lazy.Z, // in-stack position number
	0x00209056: lazy.Z, // stack
	0x00200032: lazy.Z, // image position
	0x00209113: lazy.Z,
	0x0048021A: lazy.Z, // plane position on a slide
	0x0040074A: lazy.Z, // Z offset on a slide
	0x00209128: lazy.T, // temporal position index
	0x00200100: lazy.T,
	0x00209153: lazy.T, // nominal cardiac trigger delay time
	0x00189074: lazy.T, // frame acquisition date and time
	0x0020930D: lazy.T, // temporal position time offset
	0x00480106: lazy.C, // optical path
	0x00189082: lazy.C, // effective echo time
	0x00189087: lazy.C, // diffusion b-value
	0x00189075: lazy.C, // diffusion directionality
	0x00189089: lazy.C, // diffusion gradient orientation
	0x00080008: lazy.C, // image type
}

// frames arranges the frames of one object: along the dimensions that it states (PS3.3, C.7.6.17),
// along T when they follow each other in time, and else along Z.
func frames(o *object) volume {
	v := volume{t: 1, z: o.frames, c: 1}
	for i := range o.frames {
		v.slices = append(v.slices, sliceOf(o, i))
	}
	switch {
	case o.tiled():
		w, h := o.set.numbers(0x00480006), o.set.numbers(0x00480007)
		size := ""
		if len(w) > 0 && len(h) > 0 {
			size = fmt.Sprintf(" of %d x %d pixels", w[0], h[0])
		}
		v.said = append(v.said, fmt.Sprintf("its %d frames are tiles of a slide%s and stand one behind the other", o.frames, size))
		return v
	case o.set.text(tagSOPClass) != segmentation && v.dimensions(o):
	case slices.Contains(o.set.numbers(tagIncrement), int64(tagFrameTime)) && !v.moves():
		v.t, v.z = o.frames, 1
		if ms, ok := o.set.float(tagFrameTime); ok && ms > 0 {
			v.seconds = ms / 1000
		}
	}
	if v.z > 1 {
		v.depth(o)
	} else {
		v.step = between(o, 0)
	}
	return v
}

// tiled reports whether the frames are tiles of one large picture.
func (o *object) tiled() bool {
	if t := o.set.text(tagOrganization); t == "TILED_FULL" || t == "TILED_SPARSE" {
		return o.frames > 1
	}
	for _, d := range o.set[tagDimensions].items {
		if p := tag(d.number(tagDimensionPointer, 0)); p == tagSlideColumn || p == tagSlideRow {
			return o.frames > 1
		}
	}
	return false
}

// dimensions splits the frames along the dimensions whose indexes they state, when there is exactly one
// frame for each combination.
func (v *volume) dimensions(o *object) bool {
	pointers := o.set[tagDimensions].items
	if len(pointers) == 0 || len(o.perFrame) < o.frames {
		return false
	}
	type place struct {
		at    [3]int64 // T, Z, C
		frame int
	}
	var all []place
	for i := range o.frames {
		index := o.perFrame[i].item(tagFrameContent).numbers(tagDimensionValues)
		if len(index) != len(pointers) {
			return false
		}
		p := place{frame: i}
		for d, n := range index {
			a, ok := axisOf[tag(pointers[d].number(tagDimensionPointer, 0))]
			if !ok && slices.ContainsFunc(o.perFrame[:o.frames], func(other dataSet) bool {
				m := other.item(tagFrameContent).numbers(tagDimensionValues)
				return d < len(m) && m[d] != n
			}) {
				return false // a dimension that is not known, and that counts
			}
			if ok {
				p.at[a] = p.at[a]<<20 | n&(1<<20-1)
			}
		}
		all = append(all, p)
	}
	var lengths [3]int
	for a := range lengths {
		values := map[int64]bool{}
		for _, p := range all {
			values[p.at[a]] = true
		}
		lengths[a] = len(values)
	}
	slices.SortStableFunc(all, func(a, b place) int { return slices.Compare(a.at[:], b.at[:]) })
	for i := 1; i < len(all); i++ {
		if all[i].at == all[i-1].at {
			return false
		}
	}
	if lengths[0]*lengths[1]*lengths[2] != len(all) {
		return false
	}
	v.t, v.z, v.c = lengths[0], lengths[1], lengths[2]
	ordered := make([]slice, len(all))
	for i, p := range all {
		ordered[i] = v.slices[p.frame]
	}
	v.slices = ordered
	if v.c > 1 {
		for i := range v.c {
			v.channels = append(v.channels, lazy.Channel{Name: o.channelName(ordered[i].frame)})
		}
	}
	return true
}

// channelName is that of a frame's optical path.
func (o *object) channelName(frame int) string {
	if frame >= len(o.perFrame) {
		return ""
	}
	id := o.perFrame[frame].item(0x00480207).text(tagOpticalPath)
	for _, p := range o.set[tagOpticalPaths].items {
		if p.text(tagOpticalPath) == id && id != "" {
			if text := p.text(tagOpticalText); text != "" {
				return text
			}
		}
	}
	return id
}

// moves reports whether frames state different places.
func (v *volume) moves() bool {
	return slices.ContainsFunc(v.slices, func(s slice) bool { return s.placed && s.position != v.slices[0].position })
}

// depth finds the distance of slices along Z: from their places, from the offsets of a dose grid, or as
// it is stated.
func (v *volume) depth(o *object) {
	first := v.slices[0]
	var places []float64
	for z := range v.z {
		if s := v.slices[z*v.c]; s.placed {
			places = append(places, dot(first.normal(), s.position))
		}
	}
	grid := o.set.floats(tagOffsets)
	if !v.moves() || len(places) != v.z {
		if places = nil; len(grid) == v.z {
			places = grid
		}
	}
	if places != nil {
		places = slices.Clone(places)
		if places[len(places)-1] < places[0] {
			slices.Reverse(places)
		}
		if !slices.IsSortedFunc(places, func(a, b float64) int { return cmp.Compare(a+samePlace, b) }) {
			v.said = append(v.said, "its frames do not stand in order of their places; they are shown as they are stored")
			slices.Sort(places)
		}
		places = slices.CompactFunc(places, func(a, b float64) bool { return math.Abs(a-b) < samePlace })
		if d, said := steps(places); d > 0 {
			v.step, v.said = d, append(v.said, said...)
			return
		}
	}
	v.step = between(o, 0)
}
