package lazy

import (
	"fmt"
	"iter"
	"unsafe"
)

// Inside visits the boxes within an array of shape s from which the rule fills region r: one box for
// most regions, up to two for each axis on which Wrap reaches around the end, none if the rule gives
// every voxel of r, or r has none.
func (b Border) Inside(r Region, s Shape) iter.Seq[Region] {
	return func(yield func(Region) bool) {
		if r.Empty() {
			return
		}
		var axes [Rank][]span
		for a := range Rank {
			axes[a] = b.spans(r.Min[a], r.Max[a], s[a])
			if len(axes[a]) == 0 {
				return
			}
		}
		product(axes, yield)
	}
}

// product visits the boxes that ranges on each axis make, in storage order.
func product(axes [Rank][]span, yield func(Region) bool) {
	var at [Rank]int
	for {
		var box Region
		for a := range Rank {
			box.Min[a], box.Max[a] = axes[a][at[a]].min, axes[a][at[a]].max
		}
		if !yield(box) {
			return
		}
		a := Rank - 1
		for ; a >= 0; a-- {
			if at[a]++; at[a] < len(axes[a]) {
				break
			}
			at[a] = 0
		}
		if a < 0 {
			return
		}
	}
}

// A Gather fills one block, border included, from parts of an array of shape Shape. Parts may come in
// any order and may overlap; together they must hold the boxes of Border.Inside.
type Gather struct {
	Dst    *Block
	Shape  Shape
	Border Border

	fold [Rank][]int // for each index of Dst, the index inside, or -1
}

// NewGather fills a block of its own.
func NewGather(r Region, d DType, s Shape, b Border) *Gather { return GatherInto(NewBlock(r, d), s, b) }

// GatherInto fills dst, which may hold anything: first with the border's value, where the rule gives one.
func GatherInto(dst *Block, s Shape, b Border) *Gather {
	g := &Gather{Dst: dst, Shape: s, Border: b}
	r, n := dst.Region, 0
	for a := range Rank {
		n += r.Len(Axis(a))
	}
	folds := make([]int, n)
	outside := false
	for a := range Rank {
		l := r.Len(Axis(a))
		g.fold[a], folds = folds[:l:l], folds[l:]
		for i := range l {
			f := b.Fold(r.Min[a]+i, s[a])
			g.fold[a][i] = f
			outside = outside || f < 0
		}
	}
	if outside {
		g.fillOutside()
	}
	return g
}

// fillOutside writes the border's value where the rule finds no voxel.
func (g *Gather) fillOutside() {
	one := NewBlock(At(Index{}, Shape{1, 1, 1, 1, 1}), g.Dst.DType)
	Fill(one, g.Border.Value)
	switch g.Dst.DType.Size() {
	case 1:
		fillOutside(g, words[uint8](g.Dst), words[uint8](one)[0])
	case 2:
		fillOutside(g, words[uint16](g.Dst), words[uint16](one)[0])
	case 4:
		fillOutside(g, words[uint32](g.Dst), words[uint32](one)[0])
	default:
		fillOutside(g, words[uint64](g.Dst), words[uint64](one)[0])
	}
}

func fillOutside[W uint8 | uint16 | uint32 | uint64](g *Gather, dst []W, v W) {
	x := g.fold[X]
	first, after := 0, len(x) // where voxels along X begin and end
	for first < after && x[first] < 0 {
		first++
	}
	for after > first && x[after-1] < 0 {
		after--
	}
	for _, t := range g.fold[T] {
		for _, z := range g.fold[Z] {
			for _, c := range g.fold[C] {
				for _, y := range g.fold[Y] {
					row := dst[:len(x)]
					if dst = dst[len(x):]; t < 0 || z < 0 || c < 0 || y < 0 {
						fillRow(row, v)
						continue
					}
					fillRow(row[:first], v)
					fillRow(row[after:], v)
				}
			}
		}
	}
}

func fillRow[W uint8 | uint16 | uint32 | uint64](row []W, v W) {
	if v == 0 {
		clear(row)
		return
	}
	for i := range row {
		row[i] = v
	}
}

// Add copies what src holds of the wanted voxels. It panics when the types differ.
func (g *Gather) Add(src *Block) {
	if src.DType != g.Dst.DType {
		panic(fmt.Sprintf("lazy: gathering %v from a block of %v", g.Dst.DType, src.DType))
	}
	switch src.DType.Size() {
	case 1:
		gather(g, words[uint8](g.Dst), words[uint8](src), src)
	case 2:
		gather(g, words[uint16](g.Dst), words[uint16](src), src)
	case 4:
		gather(g, words[uint32](g.Dst), words[uint32](src), src)
	default:
		gather(g, words[uint64](g.Dst), words[uint64](src), src)
	}
}

// words is the voxels of a block as unsigned integers of their size: copying needs no more.
func words[W uint8 | uint16 | uint32 | uint64](b *Block) []W {
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(b.data))), b.Len())
}

func gather[W uint8 | uint16 | uint32 | uint64](g *Gather, dst, src []W, part *Block) {
	p, ds, ss := part.Region, g.Dst.Strides(), part.Strides()
	// Along X the voxels inside the array are one run; those beyond it are looked up one by one.
	x0 := g.Dst.Region.Min[X]
	lo, hi := max(p.Min[X], x0)-x0, min(p.Max[X], g.Dst.Region.Max[X])-x0
	var beyond []int
	for i, f := range g.fold[X] {
		if (i < lo || i >= hi) && f >= p.Min[X] && f < p.Max[X] {
			beyond = append(beyond, i)
		}
	}
	if hi <= lo && len(beyond) == 0 {
		return
	}
	for t, ft := range g.fold[T] {
		if ft < p.Min[T] || ft >= p.Max[T] {
			continue
		}
		for z, fz := range g.fold[Z] {
			if fz < p.Min[Z] || fz >= p.Max[Z] {
				continue
			}
			for c, fc := range g.fold[C] {
				if fc < p.Min[C] || fc >= p.Max[C] {
					continue
				}
				to := t*ds[T] + z*ds[Z] + c*ds[C]
				from := (ft-p.Min[T])*ss[T] + (fz-p.Min[Z])*ss[Z] + (fc-p.Min[C])*ss[C]
				for y, fy := range g.fold[Y] {
					if fy < p.Min[Y] || fy >= p.Max[Y] {
						continue
					}
					d := dst[to+y*ds[Y]:][:ds[Y]]
					s := src[from+(fy-p.Min[Y])*ss[Y]:][:ss[Y]]
					if lo < hi {
						copy(d[lo:hi], s[x0+lo-p.Min[X]:])
					}
					for _, i := range beyond {
						d[i] = s[g.fold[X][i]-p.Min[X]]
					}
				}
			}
		}
	}
}

// Fill sets every voxel to v, rounded to nearest (halves away from zero) and clamped for integers.
func Fill(b *Block, v float64) {
	switch b.DType {
	case U8:
		fill[uint8](b, v)
	case I8:
		fill[int8](b, v)
	case U16:
		fill[uint16](b, v)
	case I16:
		fill[int16](b, v)
	case U32:
		fill[uint32](b, v)
	case I32:
		fill[int32](b, v)
	case U64:
		fill[uint64](b, v)
	case I64:
		fill[int64](b, v)
	case F32:
		fill[float32](b, v)
	default:
		fill[float64](b, v)
	}
}

func fill[E Number](b *Block, v float64) {
	e, s := Convert[E](v), View[E](b)
	for i := range s {
		s[i] = e
	}
}
