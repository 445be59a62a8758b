package lazy

import "iter"

// A Key names one piece of work: what is computed (the node's hash) and where (the tile). Equal keys
// are equal voxels, so there is nothing to invalidate: a changed parameter is another hash.
type Key struct {
	Hash [16]byte
	Tile Region
}

// A Layout says how the nodes of one recipe are cut into tiles for one kind of request.
//
// A request that is one voxel thin on an axis (a plane) is cut into tiles one voxel thin, aligned to
// the origin, so that neighbouring planes share their intermediate tiles by key. A thick request is cut
// into slabs of some planes: what a filter reads beyond a slab is then little, and the slabs follow each
// other through memory. Other axes are cut at multiples of the storage chunk, so that a tile decodes few
// chunks that it shares with no other.
//
// Above a transposition the tiles are transposed too, so that a tile asks for tiles of its own form and not
// for a sliver of each of many.
type Layout struct {
	thin  [Rank]bool
	along [Rank]Axis // of the request, for each axis of the array
	depth int        // planes of a tile of a thick request
	short int        // how often the width of its tiles is halved
}

// defaultDepth is the planes of a slab where memory allows.
const defaultDepth = 8

// LayoutFor is the layout of requests for region r.
func LayoutFor(r Region) Layout {
	l := Layout{depth: defaultDepth}
	for a := range Rank {
		l.thin[a], l.along[a] = r.Len(Axis(a)) == 1, Axis(a)
	}
	return l
}

// shortest is how often the width of tiles may be halved: rows stay 64 voxels long.
const shortest = 3

// Smaller is the layout with tiles of half the planes, or of half the width when they are single planes, and whether
// there is one. Voxels are the same in either; what differs is the memory that a tile and all it needs take together.
func (l Layout) Smaller() (Layout, bool) {
	switch {
	case l.plane():
		return l, false
	case l.depth > 1:
		l.depth /= 2
	case l.short < shortest:
		l.short++
	default:
		return l, false
	}
	return l, true
}

// plane reports whether requests are thin along an axis of space.
func (l Layout) plane() bool {
	for a, thin := range l.thin {
		if ax := l.along[a]; thin && (ax == Z || ax == Y || ax == X) {
			return true
		}
	}
	return false
}

// width is from how many to how many voxels a tile measures, where its axis is not thin; a chunk in
// between is a tile's width as it is. Rows are long, since that is what the processor likes.
var width = [Rank]struct{ lo, hi int }{{1, 1}, {256, 1024}, {1, 1}, {256, 1024}, {512, 2048}}

// Grid is the shape of the tiles into which a computed node is cut. One that skips planes is cut into single
// planes, so that nobody computes those between. A Tiler says it itself.
func (l Layout) Grid(n *Node) Shape {
	if t, ok := n.Op.(Tiler); ok {
		return t.Tile(n.Meta)
	}
	var g Shape
	for a := range Rank {
		w, c := width[l.along[a]], max(1, n.Meta.Chunk[a])
		w.lo, w.hi = max(1, w.lo>>l.short), max(1, w.hi>>l.short)
		switch {
		case l.thin[a] || n.skips(Axis(a)):
			g[a] = 1
		case l.along[a] == Z && !l.plane():
			g[a] = l.depth
		case c > w.hi:
			g[a] = w.hi
		default:
			g[a] = c * ((w.lo + c - 1) / c)
		}
	}
	return g
}

// Input is the layout of input i of a node. The axes of a view are those that it looks along. An axis that
// any other op reduces to one voxel, as a projection does, is not thin before it; nor is one along which an op has
// thick tiles of its own.
func (l Layout) Input(n *Node, i int) Layout {
	if v, ok := n.Op.(view); ok {
		in := l
		for a, b := range v.axis {
			in.thin[b], in.along[b] = l.thin[a] || n.skips(Axis(a)), l.along[a]
		}
		return in
	}
	out, in := n.Meta, n.In[i].Meta
	if t, ok := n.Op.(Tiler); ok {
		for a, length := range t.Tile(out) {
			l.thin[a] = l.thin[a] && length == 1
		}
	}
	for a := range Rank {
		if out.Shape[a] == 1 && in.Shape[a] > 1 {
			l.thin[a] = false
		}
	}
	return l
}

// Tiles visits the pieces of node n that region r touches: grains of a source, tiles of anything
// else, each cut to the shape of the array.
func (l Layout) Tiles(n *Node, r Region) iter.Seq[Region] {
	if n.Source != nil {
		return Grains(n.Source, r)
	}
	whole := n.Meta.Shape.Whole()
	r = r.Intersect(whole)
	return func(yield func(Region) bool) {
		for t := range r.Tiles(l.Grid(n)) {
			if !yield(t.Intersect(whole)) {
				return
			}
		}
	}
}

// Count is how many pieces Tiles visits.
func (l Layout) Count(n *Node, r Region) int {
	if n.Source != nil {
		return countGrains(n.Source, r)
	}
	return r.Cells(l.Grid(n))
}
