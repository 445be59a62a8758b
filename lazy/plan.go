package lazy

import (
	"context"
	"fmt"
	"math"
)

// A Query asks for one region of an array. The region lies within the array's shape.
type Query struct {
	Array  Array
	Region Region
}

// A Plan is the culled graph of one query: every task that must run, each after those it needs.
type Plan struct {
	Tasks  []Task
	Cached []Key // what the query uses and the cache already holds
	Cost   Cost
}

// A Task makes one piece of one node.
type Task struct {
	Key   Key
	Node  *Node
	Needs []Region // of each input; may stick out of it
	Parts []Part   // the pieces that fill the needs; none for a source
}

// Scratch is the bytes that the task's op takes beside its inputs and its output.
func (t Task) Scratch() int64 {
	if s, ok := t.Node.Op.(Scratcher); ok {
		return s.Scratch(t.Key.Tile, t.Node.InMetas())
	}
	return 0
}

// A Part is one piece that a task reads.
type Part struct {
	Input int // which need it helps to fill
	Key   Key
	Task  int // its index in Plan.Tasks, or -1 if it is cached
}

// A Cost counts the work of a plan.
type Cost struct {
	Tasks, Chunks  int
	Stored         int64 // bytes to fetch, as far as the sources know; else the decoded size
	VoxelsComputed int   // output voxels of all computing tasks
	VoxelsNeeded   int   // the least that any tiling would compute
	Bytes          int64 // memory of all blocks of the plan together, and what computing takes beside them
}

// Build walks the query's region up the graph by each op's Need. What no region reached, or cached
// reports as held, gets no task: its cost depends on the region, never on the size of the volume.
// A nil cached means that nothing is held.
func Build(q Query, cached func(Key) bool) (Plan, error) {
	return BuildIn(LayoutFor(q.Region), q, cached)
}

// BuildIn is Build with the layout of a larger request of which q is a part.
func BuildIn(l Layout, q Query, cached func(Key) bool) (Plan, error) {
	return BuildUntil(context.Background(), l, q, cached)
}

// BuildUntil is BuildIn that gives up with the context's error when it ends: of a region of millions of chunks a plan
// takes seconds and more.
func BuildUntil(ctx context.Context, l Layout, q Query, cached func(Key) bool) (Plan, error) {
	n := q.Array.node
	if n == nil {
		return Plan{}, fmt.Errorf("lazy: planning: no array")
	}
	if q.Region.Empty() || !n.Meta.Shape.Whole().Contains(q.Region) {
		return Plan{}, fmt.Errorf("lazy: planning: region %v is not within the shape %v", q.Region, n.Meta.Shape)
	}
	if cached == nil {
		cached = func(Key) bool { return false }
	}
	b := builder{ctx: ctx, cached: cached, at: map[Key]int{}, chunks: map[Key]bool{}}
	for t := range l.Tiles(n, q.Region) {
		if b.visit(n, l, t); b.err != nil {
			return Plan{}, b.err
		}
	}
	b.plan.Cost.VoxelsNeeded = Needed(q.Array, q.Region)
	b.plan.Cost.Bytes += b.scratch
	return b.plan, nil
}

type builder struct {
	ctx    context.Context
	err    error // why it has ended, which is looked for now and then
	plan   Plan
	cached func(Key) bool
	at     map[Key]int // index of the task, or -1 if cached
	chunks map[Key]bool

	scratch int64 // the most that a task takes beside its blocks
}

// glance is how many tasks are planned between two looks at the context, which take longer than a task.
const glance = 256

// visit plans one piece of a node after everything it needs, and gives its index, which says nothing once there is an error.
func (b *builder) visit(n *Node, l Layout, tile Region) int {
	key := Key{n.Hash, tile}
	if i, seen := b.at[key]; seen {
		return i
	}
	if b.cached(key) {
		b.at[key] = -1
		b.plan.Cached = append(b.plan.Cached, key)
		return -1
	}
	if len(b.plan.Tasks)%glance == 0 && b.err == nil {
		b.err = b.ctx.Err()
	}
	t := Task{Key: key, Node: n}
	cost := &b.plan.Cost
	if n.Source != nil {
		if chunk := ChunkKey(n, tile); !b.chunks[chunk] {
			b.chunks[chunk] = true
			cost.Chunks++
		}
		cost.Stored += stored(n, tile)
	} else {
		cost.VoxelsComputed += tile.Voxels()
		t.Needs = n.Op.Need(tile, n.InMetas())
		for i, need := range t.Needs {
			in := n.In[i]
			inLayout := l.Input(n, i)
			for box := range n.Op.Border().Inside(need, in.Meta.Shape) {
				for piece := range inLayout.Tiles(in, box) {
					t.Parts = append(t.Parts, Part{i, Key{in.Hash, piece}, b.visit(in, inLayout, piece)})
					if b.err != nil {
						return -1
					}
				}
			}
		}
	}
	cost.Tasks++
	b.scratch = max(b.scratch, t.Scratch())
	cost.Bytes += int64(tile.Voxels()) * int64(n.Meta.DType.Size())
	b.at[key] = len(b.plan.Tasks)
	b.plan.Tasks = append(b.plan.Tasks, t)
	return b.at[key]
}

// ChunkKey names what is counted as one chunk when a piece of a source is read: the chunk, where the source divides its
// chunks into parts, and else the piece.
func ChunkKey(n *Node, piece Region) Key {
	if _, ok := n.Source.(Divider); ok {
		piece = Cell(piece.Min, n.Meta.Chunk)
	}
	return Key{n.Hash, piece}
}

func stored(n *Node, grain Region) int64 {
	if s, ok := n.Source.(Sizer); ok {
		if size := s.Stored(grain); size >= 0 {
			return size
		}
	}
	return int64(grain.Voxels()) * int64(n.Meta.DType.Size())
}

// topological lists a node and all that it needs, each before its inputs, and of nodes with one hash one.
func topological(n *Node) []*Node {
	var post []*Node
	seen := map[[16]byte]bool{}
	var walk func(*Node)
	walk = func(n *Node) {
		if seen[n.Hash] {
			return
		}
		seen[n.Hash] = true
		for _, in := range n.In {
			walk(in)
		}
		post = append(post, n)
	}
	walk(n)
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}

// Totals is how many tasks the whole array would take in the layout of a request for region r, and
// how many of them read a chunk: by arithmetic, whatever the size. Counts beyond an int stop at its
// largest value.
func Totals(a Array, r Region) (tasks, chunks int) {
	layouts := map[[16]byte]Layout{a.node.Hash: LayoutFor(r)}
	for _, n := range topological(a.node) {
		l := layouts[n.Hash]
		if n.Source != nil {
			c := n.Meta.Shape.Whole().Cells(n.Meta.Chunk)
			chunks, tasks = addCapped(chunks, c), addCapped(tasks, c)
			continue
		}
		tasks = addCapped(tasks, n.Meta.Shape.Whole().Cells(l.Grid(n)))
		for i, in := range n.In {
			layouts[in.Hash] = l.Input(n, i)
		}
	}
	return tasks, chunks
}

func addCapped(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
