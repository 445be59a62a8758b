package extern

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"lamella/lazy"
)

// program is a Program as an op.
type program struct {
	Program
	pool *pool
	is   string // see identity
}

// A Header is what a program is told about a block, as one line of JSON.
type Header struct {
	Axes  string `json:"axes"` // "zyx"
	DType string `json:"dtype"`
	Shape [3]int `json:"shape"`
	Bytes int    `json:"bytes"` // of the .npy file that follows

	T int `json:"t"` // of the image
	C int `json:"c"`

	// Region is where the block lies in the image, halo included: from, and up to. Beyond the edges of the image
	// the border rule has filled it.
	Region map[string][2]int `json:"region"`

	// Halo is how many voxels before and after are cut from the answer.
	Halo map[string][2]int `json:"halo"`

	VoxelSize map[string]*float64 `json:"voxel_size_um"` // null where it is not known

	Answer string `json:"answer_dtype"`
}

var space = []lazy.Axis{lazy.Z, lazy.Y, lazy.X}

// Name is the command.
func (p program) Name() string { return "external " + p.Command }

// Key holds what the program is told, and the state of the files that the command names.
func (p program) Key() string {
	return fmt.Sprintf("external|%s|%v|%v|%v%s", p.Command, p.Halo, p.Edge, p.Out, p.is)
}

// Infer keeps all but the type.
func (p program) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := in[0]
	m.DType = p.Out
	m.Labels = false
	return m, nil
}

// Need is the region and its halo.
func (p program) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{out.Grow(p.Halo)}
}

// Border is the rule that fills the halo beyond the image.
func (p program) Border() lazy.Border { return p.Edge }

// Compute has the program make each time point and channel of the block.
func (p program) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	for at := range dst.Region.Tiles(lazy.Shape{1, dst.Region.Max[lazy.Z], 1, dst.Region.Max[lazy.Y], dst.Region.Max[lazy.X]}) {
		one := at.Intersect(dst.Region)
		if err := p.volume(ctx, dst, one, src[0]); err != nil {
			return fmt.Errorf("external %q: block %v: %w", p.Command, one, err)
		}
	}
	return nil
}

// volume is one time point of one channel.
func (p program) volume(ctx context.Context, dst *lazy.Block, r lazy.Region, src *lazy.Block) error {
	in := r.Grow(p.Halo)
	question := p.pool.buffer()
	head, err := p.header(in, src.DType)
	if err != nil {
		return err
	}
	question = append(question[:0], head...)
	question = appendNPY(question, in, src)
	answer, err := p.pool.ask(ctx, question, in, p.Out, p.Limit)
	if err != nil {
		return err
	}
	defer p.pool.done(answer)
	toNative(answer.Bytes(), p.Out)
	lazy.CopyRegion(dst, answer, r)
	return nil
}

// header is the line in front of the block of a region, halo included.
func (p program) header(in lazy.Region, d lazy.DType) ([]byte, error) {
	h := Header{
		Axes: "zyx", DType: d.String(), T: in.Min[lazy.T], C: in.Min[lazy.C], Answer: p.Out.String(),
		Region: map[string][2]int{}, Halo: map[string][2]int{}, VoxelSize: map[string]*float64{},
	}
	for i, a := range space {
		h.Shape[i] = in.Len(a)
		h.Region[a.String()] = [2]int{in.Min[a], in.Max[a]}
		h.Halo[a.String()] = [2]int{p.Halo.Before[a], p.Halo.After[a]}
		h.VoxelSize[a.String()] = nil
		if p.Scale[a] > 0 && !math.IsInf(p.Scale[a], 1) && p.Unit[a] == "um" {
			h.VoxelSize[a.String()] = &p.Scale[a]
		}
	}
	h.Bytes = len(npyHead(h.Shape, d)) + in.Voxels()*d.Size()
	line, err := json.Marshal(h)
	return append(line, '\n'), err
}
