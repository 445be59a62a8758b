package export

import (
	"fmt"

	"lamella/lazy"
)

// A View says which plane of the volume lies in the rows and columns of a file.
type View uint8

// The three views, named by column and row as microscopists do: rows, columns are y, x in XY; z, x
// in XZ; z, y in YZ.
const (
	XY View = iota
	XZ
	YZ
)

var viewNames = [...]string{"xy", "xz", "yz"}

// ParseView reads "xy", "xz" or "yz".
func ParseView(name string) (View, error) {
	for v, n := range viewNames {
		if n == name {
			return View(v), nil
		}
	}
	return 0, fmt.Errorf("export: %q is not a plane (xy, xz, yz)", name)
}

// String is the name that ParseView reads.
func (v View) String() string { return viewNames[v] }

// Normal is the axis that one plane has a single voxel of.
func (v View) Normal() lazy.Axis { return v.axes()[lazy.Z] }

// axes is, for each axis of the file, the axis of the volume that runs along it.
func (v View) axes() [lazy.Rank]lazy.Axis {
	switch v {
	case XZ:
		return [lazy.Rank]lazy.Axis{lazy.T, lazy.Y, lazy.C, lazy.Z, lazy.X}
	case YZ:
		return [lazy.Rank]lazy.Axis{lazy.T, lazy.X, lazy.C, lazy.Z, lazy.Y}
	}
	return [lazy.Rank]lazy.Axis{lazy.T, lazy.Z, lazy.C, lazy.Y, lazy.X}
}

// meta describes region r of a volume as the file sees it: r begins at index 0, and what is known
// of each axis has moved with it.
func (v View) meta(m lazy.Meta, r lazy.Region) lazy.Meta {
	out := m
	for a, from := range v.axes() {
		out.Shape[a] = r.Len(from)
		out.Chunk[a] = max(1, min(m.Chunk[from], r.Len(from)))
		out.Scale[a], out.Unit[a] = m.Scale[from], m.Unit[from]
		out.Origin[a] = m.Origin[from] + float64(r.Min[from])*m.Scale[from]
	}
	return out
}

// source is the part of the volume that part r of a file holds whose first voxel is that at min.
func (v View) source(r lazy.Region, min lazy.Index) lazy.Region {
	var out lazy.Region
	for a, from := range v.axes() {
		out.Min[from] = r.Min[a] + min[from]
		out.Max[from] = r.Max[a] + min[from]
	}
	return out
}

// target is the part of a file that region r of the volume goes to: the reverse of source.
func (v View) target(r lazy.Region, min lazy.Index) lazy.Region {
	var out lazy.Region
	for a, from := range v.axes() {
		out.Min[a] = r.Min[from] - min[from]
		out.Max[a] = r.Max[from] - min[from]
	}
	return out
}

// turn fills dst, a part of the file, from src, which holds that part of the volume.
func (v View) turn(dst, src *lazy.Block, min lazy.Index) {
	if v == XY {
		moved := *dst // the same voxels, named by their place in the volume
		moved.Region = v.source(dst.Region, min)
		lazy.CopyRegion(&moved, src, moved.Region)
		return
	}
	switch dst.DType {
	case lazy.U8:
		turn[uint8](v, dst, src, min)
	case lazy.I8:
		turn[int8](v, dst, src, min)
	case lazy.U16:
		turn[uint16](v, dst, src, min)
	case lazy.I16:
		turn[int16](v, dst, src, min)
	case lazy.U32:
		turn[uint32](v, dst, src, min)
	case lazy.I32:
		turn[int32](v, dst, src, min)
	case lazy.U64:
		turn[uint64](v, dst, src, min)
	case lazy.I64:
		turn[int64](v, dst, src, min)
	case lazy.F32:
		turn[float32](v, dst, src, min)
	case lazy.F64:
		turn[float64](v, dst, src, min)
	}
}

func turn[E lazy.Number](v View, dst, src *lazy.Block, min lazy.Index) {
	to, from := lazy.View[E](dst), lazy.View[E](src)
	n := dst.Region.Len(lazy.X)
	step := src.Strides()[v.axes()[lazy.X]]
	for row := range dst.Region.Tiles(lazy.Shape{1, 1, 1, 1, dst.Region.Max[lazy.X]}) {
		row.Min[lazy.X] = dst.Region.Min[lazy.X]
		o, i := dst.Offset(row.Min), src.Offset(v.source(row, min).Min)
		for x := range n {
			to[o+x] = from[i+x*step]
		}
	}
}
