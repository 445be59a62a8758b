package cli

import (
	"context"
	"fmt"
	"io"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// resolve finds the numbers that filters of the chain take from the voxels, such as Otsu's threshold, and tells what
// was found and where. The chain of the input then holds them: it goes into the file with them, and computes the
// same when it is read from there.
func (in *input) resolve(ctx context.Context, s *session, m *machine) error {
	_, open, err := in.chain.Question(in.level.Array)
	if !open || err != nil {
		return err
	}
	e, err := m.engine(0)
	if err != nil {
		return err
	}
	defer e.Close()
	var cost engine.Stats
	read := func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
		b, stats, err := e.Get(ctx, a, r, engine.Priority{})
		cost.ChunksRead += stats.ChunksRead
		return b, err
	}
	tell := func(q filters.Question, found filters.Step) {
		if !m.quiet {
			fmt.Fprintf(s.stderr, "lamella: %v, from %s (%d chunks read)\n", found, q.About, cost.ChunksRead)
		}
		cost = engine.Stats{}
	}
	if in.chain, err = in.chain.Resolve(in.level.Array, read, tell); err != nil {
		return fmt.Errorf("%s: %w", in.set.Source, err)
	}
	in.array, err = in.chain.Apply(in.level.Array)
	return err
}

// tellOpen says which numbers a run would find first: what it takes is not in the plan, and depends on no region.
func (in *input) tellOpen(w io.Writer) error {
	chain := in.chain
	for {
		q, open, err := chain.Question(in.level.Array)
		if !open || err != nil {
			return err
		}
		step := chain[q.Step]
		fmt.Fprintf(w, "lamella: %v is found before the run, from %s; that is not in this plan\n", step, q.About)
		chain = chain.With(q.Step, filters.Chain{step}.Provisional()[0])
	}
}
