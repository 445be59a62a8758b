package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"lamella/lazy"
)

// A made block is what a task came to.
type made struct {
	block    *lazy.Block
	stored   int64 // bytes fetched
	away     *away // its copy on a device; block is nil if it is only there
	onDevice bool
	declined bool // by the device: the processor is to make it
	err      error
}

// read fetches one grain of a stored array.
func (e *Engine) read(ctx context.Context, n *lazy.Node, grain lazy.Region) (m made) {
	defer recovered("reading a chunk", &m.err)
	if err := ctx.Err(); err != nil {
		return made{err: err}
	}
	m.block = e.block(ctx, grain, n.Meta.DType)
	began := e.now()
	if m.stored, m.err = n.Source.Read(ctx, m.block); m.err == nil {
		e.took(n, grain, e.now().Sub(began))
	}
	return m
}

// compute runs an op on its inputs.
func (e *Engine) compute(ctx context.Context, n *lazy.Node, tile lazy.Region, src []*lazy.Block) (m made) {
	defer recovered(n.Op.Name(), &m.err)
	if err := ctx.Err(); err != nil {
		return made{err: err}
	}
	lent := &loan{engine: e}
	defer lent.end()
	ctx = lazy.WithLender(ctx, lent)
	m.block = e.block(ctx, tile, n.Meta.DType)
	if d := e.healthy(); d != nil && d.keeper == nil && d.choice == nil {
		err := d.Run(ctx, n.Op, m.block, src)
		m.onDevice = err == nil
		e.blame(ctx, d, err)
	}
	if !m.onDevice {
		began := e.now()
		if m.err = n.Op.Compute(ctx, m.block, src); m.err == nil {
			e.took(n, tile, e.now().Sub(began))
		}
	}
	if m.err == nil && n.Op.Border().Mode == lazy.Blank {
		lazy.ClearOutside(m.block, lazy.Interior(n.Op, tile, n.InMetas()))
	}
	return m
}

// recovered turns a panic of an op or a reader into an error that names it and the place, so that one
// bad file cannot take down the window with everything else in it.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("engine: %s: a fault in the program: %v (%s)", what, p, faultLine(debug.Stack()))
	}
}

// faultLine is the place of a panic in a stack trace: the first frame below the call of panic.
func faultLine(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "panic(") && i+3 < len(lines) {
			where, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " ")
			return where[strings.LastIndex(where, "/")+1:]
		}
	}
	return "unknown place"
}
