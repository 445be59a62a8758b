package lazy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
)

// Meta describes an array without its voxels.
type Meta struct {
	Shape Shape // voxels along each axis, at least 1
	Chunk Shape // cell of the storage grid; the last cell of an axis may reach beyond the shape
	DType DType

	// Scale is the distance between the centres of neighbouring voxels, in Unit; 0 where it is
	// not known. Origin is the position of the centre of voxel 0 in the same unit. Lengths in
	// space are in micrometres ("um"), times in seconds ("s").
	Scale  [Rank]float64
	Unit   [Rank]string
	Origin [Rank]float64

	Labels bool // the values are names of objects, so a mean of them means nothing
}

// Calibrated is m without the sizes of which the unit is not known: a file may state the distances between voxels and not
// what they are in. Of such sizes the proportions alone are of use.
func (m Meta) Calibrated() Meta {
	for a := range Axis(Rank) {
		if known := a == T && m.Unit[a] == "s" || (a == Z || a == Y || a == X) && m.Unit[a] == "um"; !known {
			m.Scale[a], m.Unit[a], m.Origin[a] = 0, "", 0
		}
	}
	return m
}

// A Source gives the voxels of a stored array. Read may be called from many goroutines.
type Source interface {
	Meta() Meta

	// ID names the voxels: the same ID means the same values. A file's ID holds its path, size,
	// modification time and the array's place in it.
	ID() string

	// Read fills dst, whose region is one grain within the shape, and says how many bytes it
	// fetched from storage for it. It writes every voxel: dst may hold anything before. It looks at
	// ctx at least once a megabyte.
	Read(ctx context.Context, dst *Block) (stored int64, err error)
}

// A Grainer is a Source whose smallest decodable part is less than a chunk, such as some rows of
// an uncompressed plane. Grain gives the part around r, which lies within one chunk; it holds r
// and lies within the chunk and the shape. Sources without it are read by whole chunks.
type Grainer interface{ Grain(r Region) Region }

// A Divider is a Source whose chunks are decoded in parts, such as the blocks of a Blosc buffer. A chunk holds Parts of them,
// at least two, one after another along one axis, all of the same length. Read takes any parts of one chunk that follow
// each other, cut to the shape.
type Divider interface {
	Parts() (along Axis, parts int)
}

// A Distant is a Source whose reads mostly wait for answers of a server, so that many of them go on at a time, however few
// processors there are.
type Distant interface{ Distant() }

// Grains visits what a source is to be asked for when r is wanted, each piece within one chunk and within the shape: its
// grains, or whole chunks, or, where r ends within a chunk that has parts, those that it touches.
func Grains(s Source, r Region) iter.Seq[Region] {
	m := s.Meta()
	whole := m.Shape.Whole()
	r = r.Intersect(whole)
	return func(yield func(Region) bool) {
		for c := range r.Tiles(m.Chunk) {
			chunk := c.Intersect(whole)
			switch of := s.(type) {
			case Divider:
				along, parts := of.Parts()
				if r.Min[along] > chunk.Min[along] || r.Max[along] < chunk.Max[along] {
					cell := m.Chunk
					cell[along] /= parts
					for p := range chunk.Intersect(r).Tiles(cell) {
						if !yield(p.Intersect(chunk)) {
							return
						}
					}
					continue
				}
			case Grainer:
				chunk = of.Grain(chunk.Intersect(r))
			}
			if !yield(chunk) {
				return
			}
		}
	}
}

// countGrains is how many pieces Grains visits.
func countGrains(s Source, r Region) int {
	m := s.Meta()
	d, ok := s.(Divider)
	n := r.Cells(m.Chunk)
	if !ok || n == 0 {
		return n
	}
	along, parts := d.Parts()
	row := r.With(along, r.Min[along], r.Min[along]+1).Cells(m.Chunk)
	cell := m.Chunk
	cell[along] /= parts
	for _, end := range ends(r.Min[along], r.Max[along], m.Chunk[along]) {
		c := Cell(Index{}, m.Chunk)
		c.Min[along], c.Max[along] = end[0], min(end[1], m.Shape[along])
		if r.Min[along] > c.Min[along] || r.Max[along] < c.Max[along] {
			c.Min[along], c.Max[along] = max(c.Min[along], r.Min[along]), min(c.Max[along], r.Max[along])
			n += row * (c.Cells(cell) - 1)
		}
	}
	return n
}

// ends is the first and the last cell of a length that the range touches, which may be one.
func ends(from, to, length int) [][2]int {
	first, last := from/length*length, (to-1)/length*length
	if first == last {
		return [][2]int{{first, first + length}}
	}
	return [][2]int{{first, first + length}, {last, last + length}}
}

// A Sizer is a Source that knows without any reading how many bytes of storage the grain r takes.
type Sizer interface{ Stored(r Region) int64 }

// An Op computes one array from others. Its three questions are pure: what comes out (Infer), which
// region of each input a region of the output needs (Need), and what the voxels are (Compute).
// Ops are values: two with the same Key compute the same voxels.
type Op interface {
	Name() string // what a person calls it: "gaussian z"
	Key() string  // name and parameters in one canonical form

	// Infer says what the output looks like, or why these inputs do not suit.
	Infer(in []Meta) (Meta, error)

	// Need is one box for each input. It may stick out of the input: the border rule fills it. It may be
	// the zero Region, if nothing of the input is needed.
	Need(out Region, in []Meta) []Region

	Border() Border

	// Compute fills dst, every voxel of it. src[i] holds exactly the region that Need asked of input i,
	// border voxels included; it is neither written to nor kept. It looks at ctx often enough to stop within some
	// milliseconds.
	Compute(ctx context.Context, dst *Block, src []*Block) error
}

// A Tiler is an Op whose voxels are computed in tiles of a shape of its own, on a grid from the origin, whatever is asked
// for: a transform of a block of space costs the same for one plane as for all of it.
type Tiler interface{ Tile(out Meta) Shape }

// A Scratcher is an Op that takes memory beside its inputs and its output while it computes: so many bytes for one
// region of the output. It is reserved before the op runs.
type Scratcher interface {
	Scratch(out Region, in []Meta) int64
}

// ErrDeclined is what a device gives for an op that it does not run; the processor does.
var ErrDeclined = errors.New("not for this device")

// An Array is metadata and the recipe for its voxels. Making one computes nothing. It is a value;
// the zero Array is not usable.
type Array struct{ node *Node }

// A Node is one step of a recipe: a Source, or an Op on other nodes. Nodes are immutable.
type Node struct {
	Meta   Meta
	Source Source // nil if computed
	Op     Op     // nil if stored
	In     []*Node
	Hash   [16]byte // names the voxels: equal recipes have equal hashes
	Origin [16]byte // the same, but for the reading (Again)
}

// FromSource is the array stored in s.
func FromSource(s Source) Array {
	h := hash("source", s.ID())
	return Array{&Node{Meta: s.Meta(), Source: s, Hash: h, Origin: h}}
}

// Apply is the result of an op on some arrays, or the op's reason why it cannot be. An op that is a Fuser may
// take over the work of the one before it.
func Apply(op Op, in ...Array) (Array, error) {
	n := &Node{Op: op}
	parts, origins := []string{"op", op.Key()}, []string{"op", op.Key()}
	var metas []Meta
	for _, a := range in {
		n.In = append(n.In, a.node)
		metas = append(metas, a.node.Meta)
		parts, origins = append(parts, string(a.node.Hash[:])), append(origins, string(a.node.Origin[:]))
	}
	m, err := op.Infer(metas)
	if err != nil {
		return Array{}, err
	}
	n.Meta, n.Hash, n.Origin = m, hash(parts...), hash(origins...)
	return Array{n.fused()}, nil
}

// Meta describes the array.
func (a Array) Meta() Meta { return a.node.Meta }

// Node is the last step of the array's recipe.
func (a Array) Node() *Node { return a.node }

// Valid reports whether a is an array at all.
func (a Array) Valid() bool { return a.node != nil }

// InMetas describes the inputs of a computed node.
func (n *Node) InMetas() []Meta {
	m := make([]Meta, len(n.In))
	for i, in := range n.In {
		m[i] = in.Meta
	}
	return m
}

func hash(parts ...string) [16]byte {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return [16]byte(h.Sum(nil)[:16])
}
