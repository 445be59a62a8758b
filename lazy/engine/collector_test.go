package engine_test

import (
	"runtime/debug"
	"testing"

	"lamella/lazy/engine"
)

func TestTheCollectorFollowsTheBudgetAndTheEnvironmentGoesBefore(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	e := engine.New(engine.Options{Memory: 400 << 20, Workers: 1})
	defer e.Close()
	for _, c := range []struct {
		gogc, gomemlimit string
		percent          int
		limit            int64
	}{
		{"", "", 25, 600 << 20},
		{"50", "", 77, 600 << 20},
		{"", "1GiB", 25, 1 << 40},
	} {
		debug.SetGCPercent(77)
		debug.SetMemoryLimit(1 << 40)
		t.Setenv("GOGC", c.gogc)
		t.Setenv("GOMEMLIMIT", c.gomemlimit)
		e.TuneCollector(100 << 20)
		if p, l := debug.SetGCPercent(77), debug.SetMemoryLimit(-1); p != c.percent || l != c.limit {
			t.Errorf("GOGC %q, GOMEMLIMIT %q: %d %% and %d bytes, want %d and %d", c.gogc, c.gomemlimit, p, l, c.percent, c.limit)
		}
	}
}
