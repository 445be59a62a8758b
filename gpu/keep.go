package gpu

import (
	"context"
	"fmt"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// A buffer is a block in the memory of the device: a lazy.Remote. It is used on the thread alone.
type buffer struct {
	id    uint32 // 0 until it is made
	bytes int    // of the voxels; the buffer itself is of whole words
}

// A shader is what the stencil of a node is on the device, or why it is nothing there.
type shader struct {
	text string
	err  error
}

// mostShaders is how many texts are remembered: a control that is dragged makes a new one at each step.
const mostShaders = 512

// Takes implements engine.Keeper: stencils that have a shader.
func (d *Device) Takes(n *lazy.Node) bool {
	_, err := d.shader(n)
	return err == nil
}

func (d *Device) shader(n *lazy.Node) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, known := d.shaders[n.Hash]
	if !known {
		if len(d.shaders) >= mostShaders {
			clear(d.shaders)
		}
		s.text, s.err = shaderOf(n)
		d.shaders[n.Hash] = s
	}
	return s.text, s.err
}

func shaderOf(n *lazy.Node) (string, error) {
	op, ok := n.Op.(stencil.Op)
	if !ok {
		return "", fmt.Errorf("gpu: %w: %s is not a stencil", lazy.ErrDeclined, n.Op.Name())
	}
	var in []*lazy.Block // of which a shader depends on the type alone
	for _, input := range n.In {
		in = append(in, &lazy.Block{DType: input.Meta.DType})
	}
	text, err := op.Shader(&lazy.Block{DType: n.Meta.DType}, in)
	if err != nil {
		return "", fmt.Errorf("gpu: %w: %w", lazy.ErrDeclined, err)
	}
	return text, nil
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
	text, err := d.shader(w.Node)
	if err != nil {
		return nil, err
	}
	return d.make(ctx, w, text)
}

func (d *Device) make(ctx context.Context, w lazy.Work, text string) (lazy.Remote, error) {
	r := &buffer{bytes: w.Tile.Voxels() * w.Node.Meta.DType.Size()}
	if err := d.do(ctx, func() error { return d.compute(r, w, text) }); err != nil {
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
