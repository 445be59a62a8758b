package extern

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lamella/lazy"
)

// A pool is the processes of one command.
type pool struct {
	command string
	words   []string
	options Options
	turns   chan struct{} // as many as there may be processes

	mu     sync.Mutex
	idle   []*process
	living map[*process]bool // those that are idle or work
	spare  [][]byte          // of questions
	memory [][]uint64        // of answers
	closed bool
}

func newPool(command string, words []string, o Options) *pool {
	return &pool{command: command, words: words, options: o, turns: make(chan struct{}, o.Most), living: map[*process]bool{}}
}

// ask hands a question to a process and gives the block of its answer, which the caller lets go of, as it does not of the
// question. When ctx ends, ask returns; the process goes on with what it has begun, within the limit, so that it
// need not be started again for the next block.
func (p *pool) ask(ctx context.Context, question []byte, r lazy.Region, d lazy.DType, limit time.Duration) (*lazy.Block, error) {
	select {
	case p.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type told struct {
		answer *lazy.Block
		err    error
	}
	end := make(chan told, 1)
	go func() {
		defer func() { <-p.turns }()
		answer := p.block(r, d)
		shape := [3]int{r.Len(lazy.Z), r.Len(lazy.Y), r.Len(lazy.X)}
		err := p.exchange(question, answer.Bytes(), shape, d, limit)
		p.recycle(question)
		end <- told{answer, err}
	}()
	select {
	case t := <-end:
		return t.answer, t.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// exchange asks a process that is idle, or a new one. One that has ended since its last answer, as a program may that
// answers once, is no fault.
func (p *pool) exchange(question, answer []byte, shape [3]int, d lazy.DType, limit time.Duration) error {
	for {
		proc, used, err := p.take()
		if err != nil {
			return err
		}
		err = proc.exchange(question, answer, shape, d, limit)
		if err == nil {
			p.put(proc)
			return nil
		}
		why, clean := proc.end(err)
		p.forget(proc)
		if used && clean && errors.Is(err, errGone) {
			continue
		}
		return why
	}
}

// take gives an idle process, or starts one.
func (p *pool) take() (proc *process, used bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, false, errors.New("it is being ended")
	}
	if n := len(p.idle); n > 0 {
		proc, p.idle = p.idle[n-1], p.idle[:n-1]
		return proc, true, nil
	}
	proc, err = start(p.words, func(line string) {
		if p.options.Said != nil {
			p.options.Said(p.command, line)
		}
	})
	if err != nil {
		return nil, false, fmt.Errorf("it cannot be started: %w", err)
	}
	p.living[proc] = true
	return proc, false, nil
}

// forget is told of a process that has ended.
func (p *pool) forget(proc *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.living, proc)
}

func (p *pool) put(proc *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		proc.kill()
		return
	}
	p.idle = append(p.idle, proc)
}

// block is in memory of a block before, if there is some that is as large.
func (p *pool) block(r lazy.Region, d lazy.DType) *lazy.Block {
	n := lazy.Words(r, d)
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.memory) - 1; last >= 0 && cap(p.memory[last]) >= n {
		m := p.memory[last]
		p.memory = p.memory[:last]
		return lazy.NewBlockIn(m[:n], r, d)
	}
	return lazy.NewBlockIn(make([]uint64, n), r, d)
}

// done lets go of an answer.
func (p *pool) done(b *lazy.Block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.memory) < 2*p.options.Most {
		p.memory = append(p.memory, b.Memory())
	}
}

// buffer is memory of a question before.
func (p *pool) buffer() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.spare); n > 0 {
		b := p.spare[n-1]
		p.spare = p.spare[:n-1]
		return b
	}
	return nil
}

func (p *pool) recycle(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.spare) < 2*p.options.Most {
		p.spare = append(p.spare, b[:0])
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for proc := range p.living { // what works is not waited for: it may never end
		proc.kill()
	}
	p.idle = nil
}
