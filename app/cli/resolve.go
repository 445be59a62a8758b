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
	if err := in.settle(s.stderr, m); err != nil {
		return err
	}
	if err := in.sound(ctx, m); err != nil {
		return err
	}
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

// settle has filters that work on blocks of their own choose them for the memory that there is, and tells the choice.
func (in *input) settle(stderr io.Writer, m *machine) error {
	memory, err := parseMemory(m.memory)
	if err != nil {
		return err
	}
	if memory == 0 {
		memory = engine.DefaultMemory()
	}
	in.chain, err = in.chain.Within(memory).Settle(in.level.Array, func(s filters.Step, about string) {
		if !m.quiet {
			fmt.Fprintf(stderr, "lamella: %v, for %s\n", s, about)
		}
	})
	if err == nil && len(in.chain) > 0 {
		in.array, err = in.chain.Provisional().Apply(in.level.Array)
	}
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
