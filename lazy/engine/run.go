package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"lamella/lazy"
)

// read fetches one grain of a stored array.
func read(ctx context.Context, n *lazy.Node, grain lazy.Region) (b *lazy.Block, stored int64, err error) {
	defer recovered("reading a chunk", &err)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	b = lazy.NewBlock(grain, n.Meta.DType)
	stored, err = n.Source.Read(ctx, b)
	return b, stored, err
}

// compute runs an op on gathered inputs.
func compute(ctx context.Context, n *lazy.Node, tile lazy.Region, src []*lazy.Block) (b *lazy.Block, stored int64, err error) {
	defer recovered(n.Op.Name(), &err)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	b = lazy.NewBlock(tile, n.Meta.DType)
	if err := n.Op.Compute(ctx, b, src); err != nil {
		return nil, 0, err
	}
	if n.Op.Border().Mode == lazy.Blank {
		lazy.ClearOutside(b, lazy.Interior(n.Op, tile, n.InMetas()))
	}
	return b, 0, nil
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
