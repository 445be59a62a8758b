package cli

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"lamella/app/export"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// crowded hands on what it is told of a job, and warns once when every chunk has been read more than twice on average:
// then the memory does not hold what neighbouring parts have in common. Where it could hold all of the source, it is not
// memory that is lacking.
func crowded(e *engine.Engine, j export.Job, m *meter) func(done, total int) {
	_, chunks := lazy.Totals(j.Array, j.Region)
	before := e.Counters().ChunksRead
	_, has := e.Memory()
	warned := stored(j.Array.Node()) < has/16
	return func(done, total int) {
		if !warned && done < total && (e.Counters().ChunksRead-before)/2 > chunks {
			warned = true
			m.note(fmt.Sprintf("warning: chunks are read again and again, since %s of memory hold too little of what these filters look at; more (--memory) is faster", humanize.IBytes(uint64(has))))
		}
		m.tell(done, total)
	}
}

// stored is the bytes of all sources beneath a node.
func stored(n *lazy.Node) int64 {
	if n.Source != nil {
		return int64(n.Meta.Shape.Voxels()) * int64(n.Meta.DType.Size())
	}
	var sum int64
	for _, in := range n.In {
		sum += stored(in)
	}
	return sum
}
