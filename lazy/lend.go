package lazy

import (
	"context"
	"unsafe"
)

// A Lender has memory for what an op takes beside its blocks (Scratcher says how much that is): most of the cost of new
// memory is its first touch, which what was used before is spared. The engine is one.
type Lender interface {
	// Lend gives memory of so many words, which may hold anything, until the op's Compute has returned.
	Lend(words int) []uint64
}

type lenderKey struct{}

// WithLender is a context in which Borrow asks a lender.
func WithLender(ctx context.Context, l Lender) context.Context {
	return context.WithValue(ctx, lenderKey{}, l)
}

// Borrow is memory for n values until the Compute to which the context was given returns. It may hold anything. Only the
// goroutine that runs Compute may call it. Where the context has no lender, the memory is new.
func Borrow[E Number](ctx context.Context, n int) []E {
	l, ok := ctx.Value(lenderKey{}).(Lender)
	if !ok || n == 0 {
		return make([]E, n)
	}
	var e E
	memory := l.Lend((n*int(unsafe.Sizeof(e)) + 7) / 8)
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(memory))), n)
}
