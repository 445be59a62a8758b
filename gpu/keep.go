package gpu

import (
	"context"
	"fmt"
	"strings"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// A buffer is a block in the memory of the device: a lazy.Remote. It is used on the thread alone.
type buffer struct {
	id    uint32 // 0 until it is made
	bytes int    // of the voxels; the buffer itself is of whole words
}

// A stage is a stencil on the device: its text, and the type of its result. An op of several steps that were
// fused for the processor is as many stages, each on the block that the one before it made.
type stage struct {
	text  string
	out   lazy.DType
	lines int // of the text: about what a voxel takes
}

// A shader is what the op of a node is on the device, or why it is nothing there.
type shader struct {
	stages []stage
	err    error
}

// A recipe names an op on its inputs. Fused ops share the hash of what they are made of.
type recipe struct {
	hash [16]byte
	op   string
}

// mostShaders is how many texts are remembered: a control that is dragged makes a new one at each step.
const mostShaders = 512

// Takes implements engine.Keeper: stencils that have a shader, and ops with a program.
func (d *Device) Takes(n *lazy.Node) bool {
	if op, ok := n.Op.(lazy.Programmer); ok {
		return op.Programmed(n.InMetas())
	}
	_, err := d.shader(n)
	return err == nil
}

func (d *Device) shader(n *lazy.Node) ([]stage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := recipe{n.Hash, n.Op.Name()}
	s, known := d.shaders[key]
	if !known {
		if len(d.shaders) >= mostShaders {
			clear(d.shaders)
		}
		s.stages, s.err = shaderOf(n)
		d.shaders[key] = s
	}
	return s.stages, s.err
}

func shaderOf(n *lazy.Node) ([]stage, error) {
	var steps []stencil.Op
	switch op := n.Op.(type) {
	case stencil.Op:
		steps = []stencil.Op{op}
	case stencil.Fused:
		steps = op.Steps()
	default:
		return nil, fmt.Errorf("gpu: %w: %s is not a stencil", lazy.ErrDeclined, n.Op.Name())
	}
	var in []*lazy.Block // of which a shader depends on the type alone
	for _, input := range n.In {
		in = append(in, &lazy.Block{DType: input.Meta.DType})
	}
	var stages []stage
	for i, op := range steps {
		out := &lazy.Block{DType: op.Out}
		switch {
		case i == len(steps)-1:
			out.DType = n.Meta.DType
		case op.Out == 0:
			out.DType = in[0].DType
		}
		text, err := op.Shader(out, in)
		if err != nil {
			return nil, fmt.Errorf("gpu: %w: %w", lazy.ErrDeclined, err)
		}
		stages = append(stages, stage{text, out.DType, strings.Count(text, "\n")})
		in = []*lazy.Block{out}
	}
	return stages, nil
}

// Upload implements engine.Keeper: a copy of a block, its voxels packed as they are in memory.
func (d *Device) Upload(ctx context.Context, b *lazy.Block) (lazy.Remote, error) {
	r := &buffer{bytes: len(b.Bytes())}
	if err := d.do(ctx, func() error { return d.upload(r, b.Bytes()) }); err != nil {
		d.Free(r)
		return nil, err
	}
	return r, nil
}

// Make implements engine.Keeper. It returns when the commands have been given to the driver, which works
// them off in their order.
func (d *Device) Make(ctx context.Context, w lazy.Work) (lazy.Remote, error) {
	if op, ok := w.Node.Op.(lazy.Programmer); ok {
		return d.makeProgram(ctx, w, op)
	}
	stages, err := d.shader(w.Node)
	if err != nil {
		return nil, err
	}
	return d.make(ctx, w, stages)
}

func (d *Device) make(ctx context.Context, w lazy.Work, stages []stage) (lazy.Remote, error) {
	r := &buffer{bytes: w.Tile.Voxels() * w.Node.Meta.DType.Size()}
	if err := d.give(ctx, func() error { return d.compute(ctx, r, w, stages) }); err != nil {
		d.Free(r)
		return nil, err
	}
	return r, nil
}

// Free implements engine.Keeper.
func (d *Device) Free(r lazy.Remote) {
	d.mu.Lock()
	d.freed = append(d.freed, r.(*buffer))
	d.mu.Unlock()
	d.nudge()
}
