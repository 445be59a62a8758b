package cli

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"lamella/app/export"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// crowded hands on what it is told of a job, and warns once when every chunk has been read more than twice on average:
// then the memory does not hold what neighbouring parts have in common.
func crowded(e *engine.Engine, j export.Job, m *meter) func(done, total int) {
	_, chunks := lazy.Totals(j.Array, j.Region)
	before := e.Counters().ChunksRead
	warned := false
	return func(done, total int) {
		if !warned && done < total && (e.Counters().ChunksRead-before)/2 > chunks {
			warned = true
			_, has := e.Memory()
			m.note(fmt.Sprintf("warning: chunks are read again and again, since %s of memory hold too little of what these filters look at; more (--memory) is faster", humanize.IBytes(uint64(has))))
		}
		m.tell(done, total)
	}
}
