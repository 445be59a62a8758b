package store

import (
	"context"
	"sync/atomic"
)

type meterKey struct{}

// Metered is a context that counts into n the bytes that come over the network for the reads under it. Bytes that
// two readers wait for are counted for the first.
func Metered(ctx context.Context, n *atomic.Int64) context.Context {
	return context.WithValue(ctx, meterKey{}, n)
}

// meterOf is the counter of a context, nil if there is none.
func meterOf(ctx context.Context) *atomic.Int64 {
	n, _ := ctx.Value(meterKey{}).(*atomic.Int64)
	return n
}

func count(n *atomic.Int64, bytes int) {
	if n != nil {
		n.Add(int64(bytes))
	}
}
