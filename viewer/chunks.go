package viewer

import (
	"lamella/lazy"
)

// A Chunk is a cell of the storage grid as a plane cuts it.
type Chunk struct {
	Across, Down [2]float64 // from where to where it lies, as positions on the plane
	State        ChunkState
}

// ChunkState says how far a chunk has come.
type ChunkState uint8

// From a chunk that has not been read to one whose part of the picture is there.
const (
	Stored ChunkState = iota
	Read
	Shown
)

// mostChunks is how many chunks are drawn at most; a finer grid would hide the picture.
const mostChunks = 4096

// ShowChunks switches the storage grid.
func ShowChunks(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Chunks = on
		return s
	}
}

// chunks are the cells that the plane on view cuts, of the level and the part of it that are looked at, if the
// State asks for them and they are not too many.
func (sc *Scene) chunks(s State, cached func(lazy.Array, lazy.Region) bool) []Chunk {
	q, ok := sc.Request(s, s.Active())
	if !s.Chunks || !ok {
		return nil
	}
	raw, m := sc.Raw[q.Level], sc.levelMap(q.Level)
	r := q.Region.Intersect(raw.Meta().Shape.Whole())
	if r.Empty() || raw.Meta().Shape != q.Array.Meta().Shape || r.Cells(raw.Meta().Chunk) > mostChunks {
		return nil
	}
	across, down, _ := s.Cut.Axes()
	var all []Chunk
	for cell := range r.Tiles(raw.Meta().Chunk) {
		cell = cell.Intersect(raw.Meta().Shape.Whole())
		part := cell.Intersect(r)
		edge := func(a lazy.Axis) [2]float64 {
			return [2]float64{m.shift[a] + m.scale[a]*(float64(cell.Min[a])-0.5), m.shift[a] + m.scale[a]*(float64(cell.Max[a])-0.5)}
		}
		c := Chunk{Across: edge(across), Down: edge(down)}
		switch {
		case cached(q.Array, part):
			c.State = Shown
		case cached(raw, part):
			c.State = Read
		}
		all = append(all, c)
	}
	return all
}
