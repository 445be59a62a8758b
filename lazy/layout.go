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
// the origin, so that neighbouring planes share their intermediate tiles by key. Other axes are cut
// at multiples of the storage chunk, so that a tile decodes few chunks it shares with no other.
type Layout struct{ thin [Rank]bool }

// LayoutFor is the layout of requests for region r.
func LayoutFor(r Region) Layout {
	var l Layout
	for a := range Rank {
		l.thin[a] = r.Len(Axis(a)) == 1
	}
	return l
}

// Widths of a tile, in voxels. Thin tiles are wide, since a row is what the processor likes; thick
// ones are cubes that a few can be held of. A chunk between lo and hi is a tile's width as it is.
var (
	thinWidth  = [Rank]struct{ lo, hi int }{{1, 1}, {256, 1024}, {1, 1}, {256, 1024}, {512, 2048}}
	thickWidth = [Rank]struct{ lo, hi int }{{1, 1}, {16, 64}, {1, 1}, {64, 256}, {128, 512}}
)

// Grid is the shape of the tiles into which a computed node is cut.
func (l Layout) Grid(m Meta) Shape {
	width := thickWidth
	if l.thin[Z] || l.thin[Y] || l.thin[X] {
		width = thinWidth
	}
	var g Shape
	for a := range Rank {
		w, c := width[a], max(1, m.Chunk[a])
		switch {
		case l.thin[a]:
			g[a] = 1
		case c > w.hi:
			g[a] = w.hi
		default:
			g[a] = c * ((w.lo + c - 1) / c)
		}
	}
	return g
}

// Input is the layout of an input of a node: an axis that the node reduces to one voxel, as a
// projection does, is not thin before it.
func (l Layout) Input(out, in Meta) Layout {
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
	whole := n.Meta.Shape.Whole()
	r = r.Intersect(whole)
	if n.Source == nil {
		return func(yield func(Region) bool) {
			for t := range r.Tiles(l.Grid(n.Meta)) {
				if !yield(t.Intersect(whole)) {
					return
				}
			}
		}
	}
	grainer, _ := n.Source.(Grainer)
	return func(yield func(Region) bool) {
		for c := range r.Tiles(n.Meta.Chunk) {
			g := c.Intersect(whole)
			if grainer != nil {
				g = grainer.Grain(c.Intersect(r))
			}
			if !yield(g) {
				return
			}
		}
	}
}

// Count is how many pieces Tiles visits.
func (l Layout) Count(n *Node, r Region) int {
	if n.Source != nil {
		return r.Cells(n.Meta.Chunk)
	}
	return r.Cells(l.Grid(n.Meta))
}
