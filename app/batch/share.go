package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"lamella/loaders"
)

func init() {
	register.DoFn2x2[context.Context, int, int, error](&share{})
	register.DoFn2x1[context.Context, int, error](&closing{})
	register.Function1x1(one)
}

// A share writes the shares that come to it, or verifies what another has written, and passes their numbers on. One
// that is told to verify a share which is not all there writes the rest of it.
type share struct {
	Request request
	Of      int
	Verify  bool

	work *work
}

// Setup opens what all elements that come to this instance have in common.
func (s *share) Setup(ctx context.Context) (err error) {
	s.work, err = s.Request.open(ctx)
	return err
}

// ProcessElement sees to share n.
func (s *share) ProcessElement(ctx context.Context, n int) (int, error) {
	err := s.work.export(ctx, loaders.Run{Way: loaders.Share, Share: n, Of: s.Of}, s.Verify)
	if err != nil && !errors.Is(err, loaders.ErrComplete) {
		return n, fmt.Errorf("share %d of %d: %w", n, s.Of, err)
	}
	return n, nil
}

// Teardown closes the source.
func (s *share) Teardown() {
	if s.work != nil {
		s.work.close()
	}
}

// closing makes the coarser levels that reach across shares, and gives the file its name, when all shares are counted.
type closing struct {
	Request request
	Of      int
	Verify  bool
}

// ProcessElement is told how many shares are there.
func (c *closing) ProcessElement(ctx context.Context, count int) error {
	if count != c.Of {
		return fmt.Errorf("the pipeline lost shares: %d of %d were written", count, c.Of)
	}
	w, err := c.Request.open(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	run := loaders.Run{Way: loaders.Finish}
	if c.Verify {
		run.Of = c.Of
	}
	if err = w.export(ctx, run, c.Verify); errors.Is(err, loaders.ErrComplete) {
		return nil
	}
	return err
}
