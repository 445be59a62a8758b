package gpu

import (
	"context"
	"fmt"
	"time"

	"lamella/lazy"
)

// A running is the program of a tile while it runs. All of it is used on the thread, but for the program itself.
type running struct {
	lazy.Program
	result  *buffer
	buffers []*buffer // by their numbers in the program; the last is the result
	inputs  []feed    // of those that are not held
	held    []bool

	fences [2]uintptr // of the round before the last, and of the last
}

// Scratch implements engine.Sizer: what a tile takes on the device beside itself, where that is not what it takes in memory.
func (d *Device) Scratch(n *lazy.Node, tile lazy.Region) (bytes int64, ok bool) {
	op, ok := n.Op.(lazy.Programmer)
	if !ok {
		return 0, false
	}
	in := n.InMetas()
	bytes = op.ProgramBytes(tile, in)
	for i, need := range op.Need(tile, in) {
		if !op.Held(i) {
			bytes += int64(need.Voxels() * in[i].DType.Size())
		}
	}
	return bytes, true
}

// makeProgram runs an op's own program, round by round. Other work of the thread goes on between two rounds, and one round
// is given to the driver while it works on the one before, so that it never waits for the next.
func (d *Device) makeProgram(ctx context.Context, w lazy.Work, op lazy.Programmer) (lazy.Remote, error) {
	began := time.Now()
	p, err := d.newRunning(ctx, w, op)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, b := range p.buffers {
			if b != p.result || err != nil {
				d.Free(b)
			}
		}
		_ = d.give(context.WithoutCancel(ctx), func() error { d.endRounds(p); return nil })
	}()
	if err = d.give(ctx, func() error { return d.beginProgram(p, w) }); err != nil {
		return nil, err
	}
	for _, round := range p.Rounds {
		if err = d.give(ctx, func() error { return d.runRound(p, round) }); err != nil {
			return nil, err
		}
		if err = d.await(ctx, p, 0); err != nil {
			return nil, err
		}
	}
	if err = d.await(ctx, p, 1); err != nil {
		return nil, err
	}
	d.took(costName(w.Node), w.Tile.Voxels(), float64(time.Since(began)))
	return p.result, nil
}

// newRunning makes the program for a tile, with the inputs that it wants to know.
func (d *Device) newRunning(ctx context.Context, w lazy.Work, op lazy.Programmer) (*running, error) {
	in := w.Node.InMetas()
	needs := op.Need(w.Tile, in)
	p := &running{result: &buffer{bytes: w.Tile.Voxels() * w.Node.Meta.DType.Size()}}
	blocks := make([]*lazy.Block, len(in))
	for i, need := range needs {
		b := &buffer{bytes: need.Voxels() * in[i].DType.Size()}
		p.buffers = append(p.buffers, b)
		p.held = append(p.held, op.Held(i))
		f, fits := feed{}, true
		if p.held[i] {
			b.bytes = 0
			block := lazy.NewBlock(need, in[i].DType)
			for _, part := range w.Parts[i] {
				one := lazy.NewBlock(part.Region, in[i].DType)
				if err := d.Read(ctx, part.Remote, one); err != nil {
					return nil, err
				}
				lazy.CopyRegion(block, one, part.Region.Intersect(need))
			}
			blocks[i] = block
		} else {
			f, fits = gathering(w, i, need, d.view)
		}
		if !fits {
			return nil, tooLarge(w, int64(b.bytes), d.view)
		}
		p.inputs = append(p.inputs, f)
	}
	var err error
	if p.Program, err = op.Program(w.Tile, in, blocks); err != nil {
		return nil, fmt.Errorf("gpu: %w: %w", lazy.ErrDeclined, err)
	}
	for _, b := range p.Buffers {
		p.buffers = append(p.buffers, &buffer{bytes: 4 * b.Words})
	}
	p.buffers = append(p.buffers, p.result)
	for _, b := range p.buffers {
		if int64(b.bytes) > d.view {
			return nil, tooLarge(w, int64(b.bytes), d.view)
		}
	}
	return p, nil
}

func tooLarge(w lazy.Work, bytes, view int64) error {
	return fmt.Errorf("gpu: %w: %s takes a buffer of %d bytes, and a shader sees %d", lazy.ErrDeclined, w.Node.Op.Name(), bytes, view)
}

// await waits until a round is done, the one before the last (0) or the last (1). Between looks the thread does other work.
func (d *Device) await(ctx context.Context, p *running, round int) error {
	for {
		var done bool
		if err := d.give(ctx, func() (err error) { done, err = d.roundDone(p, round); return err }); err != nil || done {
			return err
		}
	}
}
