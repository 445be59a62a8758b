package filters

import (
	"context"
	"fmt"
	"math"

	"lamella/filters/fft"
	"lamella/lazy"
)

// A lucyPass is some iterations of a Trial: its inputs are the image, the PSF and, unless it begins, the state that the pass
// before has come to. A state is all that iterations are gone on from: the estimate, with acceleration the one before and
// the last step, and a few numbers (record), one below the other along z.
type lucyPass struct {
	deconvolution
	lucyMethod
	box      lazy.Region
	spread   lazy.Shape // of the PSF
	from, to int
}

func (p lucyPass) Name() string { return "iterations" }

// grid is the field for data of a region.
func (p lucyPass) grid(data lazy.Region) field { return p.field(data, p.spread) }

// Key implements lazy.Op.
func (p lucyPass) Key() string {
	return fmt.Sprintf("trial %s %v halo %v %s of %v from %d", p.lucyMethod.key(), p.box, p.halo, edgeNames[p.edges], p.image, p.from)
}

func (p lucyPass) Border() lazy.Border { return lazy.Border{} }

// volumes is of how many volumes of the size of the estimate a state is made.
func (p lucyPass) volumes() int {
	if p.accelerate {
		return 3
	}
	return 1
}

// data is the part of the image that the box is computed from, of one time point and channel.
func (p lucyPass) data(t, c int) lazy.Region {
	return p.around(p.box.With(lazy.T, t, t+1).With(lazy.C, c, c+1))
}

// Infer implements lazy.Op.
func (p lucyPass) Infer(in []lazy.Meta) (lazy.Meta, error) {
	f := p.grid(p.data(0, 0))
	m := lazy.Meta{Shape: in[0].Shape, DType: lazy.F32}
	m.Shape[lazy.Y], m.Shape[lazy.X] = f.estimate[1].Max, f.estimate[2].Max
	plane := f.estimate[1].Max * f.estimate[2].Max
	m.Shape[lazy.Z] = p.volumes()*f.estimate[0].Max + (recordHead+2*p.to+plane-1)/plane
	m.Chunk = p.Tile(m)
	return m, nil
}

// Tile implements lazy.Tiler: all of one time point and channel.
func (p lucyPass) Tile(out lazy.Meta) lazy.Shape {
	s := out.Shape
	s[lazy.T], s[lazy.C] = 1, 1
	return s
}

// Need implements lazy.Op.
func (p lucyPass) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	t, c := out.Min[lazy.T], out.Min[lazy.C]
	need := p.deconvolution.Need(p.box.With(lazy.T, t, t+1).With(lazy.C, c, c+1), in)
	if len(in) > 2 {
		need = append(need, lazy.At(lazy.Index{lazy.T: t, lazy.C: c}, p.Tile(in[2])))
	}
	return need
}

// Scratch implements lazy.Scratcher: two volumes of the grid, the data as float32 and what total variation divides by.
func (p lucyPass) Scratch(lazy.Region, []lazy.Meta) int64 {
	f := p.grid(p.data(0, 0))
	n := int64(2*f.voxels()) + int64(size(f.data))
	if p.smooth > 0 {
		n += int64(size(f.estimate))
	}
	return 4 * n
}

// Compute implements lazy.Op.
func (p lucyPass) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	psf, err := newSpread(src[1])
	if err != nil {
		return p.ofPSF(err)
	}
	f := p.grid(src[0].Region)
	data, err := realRows(ctx, src[0])
	if err != nil {
		return err
	}
	l, err := p.prepared(ctx, f, psf, data, p.edges)
	if err != nil {
		return err
	}
	volumes, r := p.divide(lazy.View[float32](dst), f)
	l.estimate = volumes[0]
	if p.accelerate {
		l.before, l.step = volumes[1], volumes[2]
	}
	l.course = newCourse(f, p.boxIn(f, src[0].Region))
	if p.from == 0 {
		p.first(l)
		if p.accelerate {
			copy(l.before, l.estimate)
			clear(l.step)
		}
	} else {
		before, was := p.divide(lazy.View[float32](src[2]), f)
		n := len(before[0]) / f.estimate[0].Max
		err := lazy.Parallel(ctx, f.estimate[0].Max, func(_, z int) { // which ends soon when nobody wants it
			for i, v := range before {
				copy(volumes[i][z*n:(z+1)*n], v[z*n:])
			}
		})
		if err != nil {
			return err
		}
		l.last, l.far, l.course.so = was.read(p.from)
	}
	if err := l.run(p.to - p.from); err != nil {
		return err
	}
	r.write(l.last, l.far, l.course.so)
	return nil
}

// boxIn is where the box lies in a field for data of a region.
func (p lucyPass) boxIn(f field, data lazy.Region) (box [3]fft.Span) {
	for i, a := range space {
		lo := f.data[i].Min - data.Min[a]
		box[i] = fft.Span{Min: lo + p.box.Min[a], Max: lo + p.box.Max[a]}
	}
	return box
}

// divide is what a state is made of.
func (p lucyPass) divide(v []float32, f field) (volumes [][]float32, r record) {
	n := size(f.estimate)
	for range p.volumes() {
		volumes = append(volumes, v[:n:n])
		v = v[n:]
	}
	return volumes, record(v)
}

// A record is the numbers of a state: the last step's length as the two halves of its bits, how far an accelerated iteration
// goes on, and the Progress of each iteration.
type record []float32

const recordHead = 3

func (r record) write(last float64, far float32, so []Progress) {
	clear(r)
	bits := math.Float64bits(last)
	r[0], r[1], r[2] = math.Float32frombits(uint32(bits>>32)), math.Float32frombits(uint32(bits)), far
	for i, p := range so {
		r[recordHead+2*i], r[recordHead+2*i+1] = float32(p.Change), float32(p.Divergence)
	}
}

func (r record) read(iterations int) (last float64, far float32, so []Progress) {
	last = math.Float64frombits(uint64(math.Float32bits(r[0]))<<32 | uint64(math.Float32bits(r[1])))
	for i := range iterations {
		so = append(so, Progress{float64(r[recordHead+2*i]), float64(r[recordHead+2*i+1])})
	}
	return last, r[2], so
}

// A trialBox is the box of a state, as an image of the form of a deconvolution's result. Its inputs are the state and the image.
type trialBox struct{ pass lucyPass }

func (b trialBox) Name() string { return b.pass.deconvolution.name }

func (b trialBox) Key() string { return fmt.Sprintf("trial box %g %v", b.pass.scale, b.pass.out) }

func (b trialBox) Border() lazy.Border { return lazy.Border{} }

// Infer implements lazy.Op.
func (b trialBox) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[1])
	m.DType = b.pass.out
	return m, nil
}

// Tile implements lazy.Tiler: pieces as thin as the box.
func (b trialBox) Tile(out lazy.Meta) lazy.Shape {
	t := lazy.Shape{1, 8, 1, 512, 512}
	for _, a := range space {
		t[a] = min(t[a], b.pass.box.Len(a), out.Shape[a])
	}
	return t
}

// Need implements lazy.Op.
func (b trialBox) Need(out lazy.Region, in []lazy.Meta) []lazy.Region { return b.pass.whole(out, in) }

// Compute implements lazy.Op.
func (b trialBox) Compute(_ context.Context, dst *lazy.Block, src []*lazy.Block) error {
	p, t, c := b.pass, dst.Region.Min[lazy.T], dst.Region.Min[lazy.C]
	clear(dst.Bytes())
	inner := dst.Region.Intersect(p.box.With(lazy.T, t, t+1).With(lazy.C, c, c+1))
	if inner.Empty() {
		return nil
	}
	f := p.grid(p.data(t, c))
	volumes, _ := p.divide(lazy.View[float32](src[0]), f)
	part := lazy.NewBlock(inner, dst.DType)
	p.crop(part, p.data(t, c), f, volumes[0])
	lazy.CopyRegion(dst, part, inner)
	return nil
}

// A trialCourse is the numbers of a state that a Course gives. Its inputs are the state and the image.
type trialCourse struct{ pass lucyPass }

func (c trialCourse) Name() string { return "course" }

func (c trialCourse) Key() string { return "trial course" }

func (c trialCourse) Border() lazy.Border { return lazy.Border{} }

// Infer implements lazy.Op.
func (c trialCourse) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := lazy.Meta{Shape: in[0].Shape, DType: lazy.F32}
	m.Shape[lazy.Z], m.Shape[lazy.Y], m.Shape[lazy.X] = 1, c.pass.to, 2
	m.Chunk = c.pass.Tile(m)
	return m, nil
}

// Tile implements lazy.Tiler.
func (c trialCourse) Tile(out lazy.Meta) lazy.Shape { return c.pass.Tile(out) }

// Need implements lazy.Op.
func (c trialCourse) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	return c.pass.whole(out, in)
}

// Compute implements lazy.Op.
func (c trialCourse) Compute(_ context.Context, dst *lazy.Block, src []*lazy.Block) error {
	_, r := c.pass.divide(lazy.View[float32](src[0]), c.pass.grid(c.pass.data(0, 0)))
	copy(lazy.View[float32](dst), r[recordHead:][:2*c.pass.to])
	return nil
}

// whole is all of the state of the time point and channel of a region, and nothing of the image.
func (p lucyPass) whole(out lazy.Region, in []lazy.Meta) []lazy.Region {
	return []lazy.Region{lazy.At(lazy.Index{lazy.T: out.Min[lazy.T], lazy.C: out.Min[lazy.C]}, p.Tile(in[0])), {}}
}
