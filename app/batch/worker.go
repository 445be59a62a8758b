package main

import (
	"fmt"
	"os"
	"sync"

	"lamella/app/extern"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// What all that runs in one process has together: a folder, an engine for each budget, and the programs of the user's
// that filters run. Beam makes as many instances of a DoFn as it likes, and tells none of them that it is the last, so
// these stay until the process ends.

var (
	engines   = map[int64]*engine.Engine{}
	enginesMu sync.Mutex
)

// engineOf is the engine of a budget, in bytes: bounded for all shares together, and a chunk at the border of two is
// read once.
func engineOf(memory int64) *engine.Engine {
	enginesMu.Lock()
	defer enginesMu.Unlock()
	e := engines[memory]
	if e == nil {
		e = engine.New(engine.Options{Memory: memory})
		engines[memory] = e
		e.TuneCollector(256 << 20) // as the command line does
	}
	return e
}

// programs are those that the filter external runs; what they say is told as what the worker says.
var programs = sync.OnceValue(func() *extern.Programs {
	all := extern.New(extern.Options{Said: func(command, line string) {
		fmt.Fprintf(os.Stderr, "batch: %s: %s\n", command, line)
	}})
	filters.RunPrograms(func(p filters.Program) (lazy.Op, error) { return all.Op(extern.Program(p)) })
	return all
})

// enter makes the folder that a request was submitted from this process's own. A worker that does not have it can
// still do requests whose names are whole.
func enter(folder string) {
	if here, err := os.Getwd(); folder != "" && (err != nil || here != folder) {
		_ = os.Chdir(folder)
	}
}
