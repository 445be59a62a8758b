package engine

import (
	"os"
	"runtime/debug"
)

// garbagePercent is how much garbage may grow beside what is in use before it is collected. Blocks hold no pointers, so a
// collection costs next to nothing: an export within 256 MiB held 460 MB at most with Go's 100 % and 330 MB with 25 %, in the
// same time.
const garbagePercent = 25

// TuneCollector sets Go's garbage collector for a process whose memory is mostly blocks of this engine: it collects early,
// and harder once the process holds a quarter more than the budget and beside, the bytes that all else may take. It is for
// main functions, since it acts on the whole process; GOGC and GOMEMLIMIT in the environment go before it.
func (e *Engine) TuneCollector(beside int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		_, budget := e.Memory()
		debug.SetMemoryLimit(budget + budget/4 + beside)
	}
}
