package gpu

import (
	"fmt"
	"iter"

	"lamella/lazy"
)

// A slab is a piece of a task whose buffers each lie within the largest that a shader may look at, and that
// takes a device not long: between slabs the thread sees whether the work is still wanted, and a driver
// resets a device that does not come back from one command for some seconds. It is contiguous in the tile.
type slab struct {
	tile   lazy.Region
	inputs []feed
}

// A feed is how one input of a slab comes about: from one part that holds all of it, or gathered.
type feed struct {
	need    lazy.Region
	size    int // bytes of a voxel
	fold    []int32
	outside bool // the border gives a value, which is to be filled in first
	whole   int  // the part that holds all of it; -1 if it is gathered
	parts   []piece
}

// A piece is what a slab sees of a part.
type piece struct {
	n    int // of the part
	span span
	to   lazy.Region // what it fills of a gathered block, counted from its first voxel
}

// slabs cuts a task in halves, across the slowest axis that is longer than a voxel, until each fits. limit
// is in bytes. One row that does not fit gives lazy.ErrDeclined.
func slabs(w lazy.Work, stages []stage, limit int64) iter.Seq2[slab, error] {
	return func(yield func(slab, error) bool) { cutTo(w, stages, w.Tile, limit, yield) }
}

func cutTo(w lazy.Work, stages []stage, tile lazy.Region, limit int64, yield func(slab, error) bool) bool {
	s, fits := slabOf(w, stages, tile, limit)
	if fits {
		return yield(s, nil)
	}
	for a := range lazy.Rank {
		if n := tile.Len(lazy.Axis(a)); n > 1 {
			mid := tile.Min[a] + n/2
			return cutTo(w, stages, tile.With(lazy.Axis(a), tile.Min[a], mid), limit, yield) &&
				cutTo(w, stages, tile.With(lazy.Axis(a), mid, tile.Max[a]), limit, yield)
		}
	}
	return yield(slab{}, fmt.Errorf("gpu: %w: a voxel of %s needs more than the %d bytes that a shader sees", lazy.ErrDeclined, w.Node.Op.Name(), limit))
}

func slabOf(w lazy.Work, stages []stage, tile lazy.Region, limit int64) (s slab, fits bool) {
	s.tile = tile
	lines := 0
	for _, st := range stages {
		lines += st.lines
		if !seesAtOnce(tile.Voxels(), st.out.Size(), limit) {
			return s, false
		}
	}
	if tile.Voxels() > 1 && tile.Voxels()*lines > mostWork {
		return s, false
	}
	for i, need := range w.Node.Op.Need(tile, w.Node.InMetas()) {
		f, fits := feedOf(w, i, need, limit)
		if !fits {
			return s, false
		}
		s.inputs = append(s.inputs, f)
	}
	return s, true
}

// feedOf is how the voxels that an input needs come about; fits is whether a shader sees as much at once.
func feedOf(w lazy.Work, input int, need lazy.Region, limit int64) (f feed, fits bool) {
	_, ready := w.Node.Op.(gathered)
	in := w.Node.In[input].Meta
	f = feed{need: need, size: in.DType.Size(), whole: -1}
	if ready || in.Shape.Whole().Contains(need) {
		for n, p := range w.Parts[input] {
			if p.Region.Contains(need) {
				f.whole = n
				f.parts = []piece{{n: n, span: spanOf(p.Region, need)}}
				break
			}
		}
	}
	if f.whole < 0 {
		return gathering(w, input, need, limit)
	}
	return f, seesAtOnce(f.parts[0].span.to-f.parts[0].span.from, f.size, limit)
}

// gathering is the feed that is gathered of all parts.
func gathering(w lazy.Work, input int, need lazy.Region, limit int64) (f feed, fits bool) {
	in := w.Node.In[input].Meta
	f = feed{need: need, size: in.DType.Size(), whole: -1}
	if !seesAtOnce(need.Voxels(), f.size, limit) {
		return f, false
	}
	f.fold, f.outside = folds(need, in.Shape, w.Node.Op.Border())
	for n, p := range w.Parts[input] {
		to, from, any := seen(p.Region, need, f.fold)
		if !any {
			continue
		}
		if s := spanOf(p.Region, from); !seesAtOnce(s.to-s.from, f.size, limit) {
			return f, false
		}
		f.parts = append(f.parts, piece{n, spanOf(p.Region, from), to})
	}
	return f, true
}

// seesAtOnce reports whether a shader sees so many voxels of so many bytes.
func seesAtOnce(voxels, size int, limit int64) bool {
	return int64(voxels+1)*int64(size)+maxAlignment <= limit
}

// mostWork bounds the voxels of a slab times the lines of its shaders: some hundredths of a second on the
// slowest device, which is a software renderer on two processors.
const mostWork = 1 << 26

// maxAlignment is the most bytes at whose multiples a device may ask a shader's view of a buffer to begin.
const maxAlignment = 256
