package lazy

import "context"

// A Crew has goroutines that help with the loops of an op, which starts none itself. The engine is one.
type Crew interface {
	// Hands is the most goroutines that work on a loop at once, that of the caller included.
	Hands() int

	// Share calls part once for each i below n, some of them at the same time, and returns when all have returned. Calls
	// that run at the same time have different hands, from 0 up to Hands. When ctx ends no more are begun, and
	// its error is returned.
	Share(ctx context.Context, n int, part func(hand, i int)) error
}

type crewKey struct{}

// WithCrew is a context in which Parallel works with the goroutines of a crew.
func WithCrew(ctx context.Context, c Crew) context.Context {
	return context.WithValue(ctx, crewKey{}, c)
}

// Hands is the most calls of Parallel that run at once in a context: how many scratch memories they need.
func Hands(ctx context.Context) int {
	if c, ok := ctx.Value(crewKey{}).(Crew); ok {
		return c.Hands()
	}
	return 1
}

// Parallel calls part(hand, i) for each i below n, on all the goroutines of the context, or one after another
// where it has none. What a part does depends on i alone; hand, below Hands(ctx), says whose scratch memory it
// may use. A part takes some milliseconds at the most, since a loop is stopped between parts.
func Parallel(ctx context.Context, n int, part func(hand, i int)) error {
	if c, ok := ctx.Value(crewKey{}).(Crew); ok {
		return c.Share(ctx, n, part)
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		part(0, i)
	}
	return ctx.Err()
}
