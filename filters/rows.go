package filters

import "lamella/lazy"

// whole is the set of types in which order is looked at: real numbers are given by keys.
type whole interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64
}

// An order holds the loops over rows of one type, all at least as long as the first. A row that is written may be
// one that is read. The plain ones say what each computes; a file for one processor may put faster ones in.
type order[K whole] struct {
	exchange func(lo, hi, a, b []K) // the lesser and the greater of a and b
	lesser   func(lo, a, b []K)
	greater  func(hi, a, b []K)
}

var (
	orderU8, orderI8   = plainOrder[uint8](), plainOrder[int8]()
	orderU16, orderI16 = plainOrder[uint16](), plainOrder[int16]()
	orderU32, orderI32 = plainOrder[uint32](), plainOrder[int32]()
	orderU64, orderI64 = plainOrder[uint64](), plainOrder[int64]()
)

func plainOrder[K whole]() order[K] { return order[K]{exchangeRows[K], lesserRow[K], greaterRow[K]} }

func orderOf[K whole]() *order[K] {
	orders := [...]any{lazy.U8: &orderU8, lazy.I8: &orderI8, lazy.U16: &orderU16, lazy.I16: &orderI16,
		lazy.U32: &orderU32, lazy.I32: &orderI32, lazy.U64: &orderU64, lazy.I64: &orderI64}
	return orders[lazy.TypeOf[K]()].(*order[K])
}

func exchangeRows[K whole](lo, hi, a, b []K) {
	hi, a, b = hi[:len(lo)], a[:len(lo)], b[:len(lo)]
	for i := range lo {
		x, y := a[i], b[i]
		lo[i], hi[i] = min(x, y), max(x, y)
	}
}

func lesserRow[K whole](lo, a, b []K) {
	a, b = a[:len(lo)], b[:len(lo)]
	for i := range lo {
		lo[i] = min(a[i], b[i])
	}
}

func greaterRow[K whole](hi, a, b []K) {
	a, b = a[:len(hi)], b[:len(hi)]
	for i := range hi {
		hi[i] = max(a[i], b[i])
	}
}

// A raster is the voxels of a block seen as rows along one axis, in planes of that axis and another. Rows run
// along x, as they lie in memory; in a block that is thin along x they run along y.
type raster[K whole] struct {
	block         *lazy.Block
	voxels        []K // nil if they are real numbers
	along, across lazy.Axis
	strides       lazy.Index
}

// shortRow is the length under which rows run along y if that makes them longer.
const shortRow = 32

// rasters is an output and its input, with rows along the same axis.
func rasters[K whole](dst, src *lazy.Block) (out, in raster[K]) {
	along, across := lazy.X, lazy.Y
	if r := dst.Region; r.Len(lazy.X) < shortRow && r.Len(lazy.Y) > r.Len(lazy.X) {
		along, across = lazy.Y, lazy.X
	}
	in = raster[K]{src, nil, along, across, src.Strides()}
	if !src.DType.Float() {
		in.voxels = lazy.View[K](src)
	}
	return raster[K]{dst, lazy.View[K](dst), along, across, dst.Strides()}, in
}

// row is n voxels from the one at i on: the block's own memory if they lie side by side there, else a copy in
// buf, or their keys.
func (r raster[K]) row(i lazy.Index, n int, buf []K) []K {
	at, stride := r.block.Offset(i), r.strides[r.along]
	if stride == 1 && r.voxels != nil {
		return r.voxels[at : at+n]
	}
	buf = buf[:n]
	switch r.block.DType {
	case lazy.F32:
		keys32(any(buf).([]int32), lazy.View[float32](r.block)[at:], stride)
		return buf
	case lazy.F64:
		keys64(any(buf).([]int64), lazy.View[float64](r.block)[at:], stride)
		return buf
	}
	for k := range buf {
		buf[k] = r.voxels[at]
		at += stride
	}
	return buf
}

// put writes a row that row gave a copy of.
func (r raster[K]) put(i lazy.Index, row []K) {
	at, stride := r.block.Offset(i), r.strides[r.along]
	if stride == 1 {
		copy(r.voxels[at:], row)
		return
	}
	for _, v := range row {
		r.voxels[at] = v
		at += stride
	}
}

// planes visits the first voxel of each plane of rows of a region.
func (r raster[K]) planes(visit func(lazy.Index) error) error {
	g := r.block.Region
	i := g.Min
	for i[lazy.T] = g.Min[lazy.T]; i[lazy.T] < g.Max[lazy.T]; i[lazy.T]++ {
		for i[lazy.Z] = g.Min[lazy.Z]; i[lazy.Z] < g.Max[lazy.Z]; i[lazy.Z]++ {
			for i[lazy.C] = g.Min[lazy.C]; i[lazy.C] < g.Max[lazy.C]; i[lazy.C]++ {
				if err := visit(i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
