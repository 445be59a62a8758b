package engine

// A loan is the memory that an op works in while it computes one block. The job has reserved it (lazy.Scratcher). It
// implements lazy.Lender.
type loan struct {
	engine *Engine
	lent   [][]uint64
}

// Lend implements lazy.Lender. New memory is not touched here: whoever fills it does that on all workers, and can be
// stopped.
func (l *loan) Lend(words int) []uint64 {
	e := l.engine
	e.mu.Lock()
	memory := e.pool.take(words)
	if memory == nil {
		e.peaks(e.used())
	}
	e.mu.Unlock()
	if memory == nil {
		memory = fresh(words)
	}
	l.lent = append(l.lent, memory)
	return memory
}

// end takes back all that was lent.
func (l *loan) end() { l.engine.keep(l.lent) }
