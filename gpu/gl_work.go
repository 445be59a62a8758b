//go:build cgo && !headless && !darwin

package gpu

import (
	"context"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"lamella/lazy"
)

// allocate makes a buffer for so many bytes, rounded up to whole words.
func allocate(bytes int, usage uint32) (id uint32) {
	gl.GenBuffers(1, &id)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, id)
	gl.BufferData(gl.COPY_WRITE_BUFFER, wholeWords(bytes), nil, usage)
	return id
}

func wholeWords(bytes int) int { return (bytes + 3) &^ 3 }

func (d *Device) upload(r *buffer, bytes []byte) error {
	if err := d.step("upload"); err != nil {
		return err
	}
	began := time.Now()
	r.id = allocate(r.bytes, gl.STATIC_DRAW)
	if err := d.failure("carrying a block over"); err != nil {
		return err
	}
	gl.BufferSubData(gl.COPY_WRITE_BUFFER, 0, len(bytes), unsafe.Pointer(&bytes[0]))
	d.took(carryingUp, len(bytes), float64(time.Since(began)))
	return d.failure("carrying a block over")
}

// compute makes the tile of a task, slab by slab.
func (d *Device) compute(ctx context.Context, r *buffer, w lazy.Work, stages []stage) error {
	if err := d.step("make"); err != nil {
		return err
	}
	programs := make([]uint32, len(stages))
	for i, st := range stages {
		var err error
		if programs[i], err = d.program(st.text); err != nil {
			return err
		}
	}
	r.id = allocate(r.bytes, gl.DYNAMIC_COPY)
	if err := d.failure("making a block"); err != nil {
		return err
	}
	defer d.clock(costName(w.Node), w.Tile.Voxels())()
	for s, err := range slabs(w, stages, d.view) {
		if err == nil {
			err = d.wanted(ctx)
		}
		if err == nil {
			err = d.computeSlab(r, w, s, stages, programs)
		}
		if err != nil {
			return err
		}
	}
	return d.failure("running a shader")
}

// wanted reports why work is not to go on.
func (d *Device) wanted(ctx context.Context) error {
	select {
	case <-d.stop:
		return ErrClosed
	default:
		return ctx.Err()
	}
}

// scratch is buffers that are deleted together; the driver keeps them until the commands are done.
type scratch []uint32

func (s *scratch) allocate(bytes int) uint32 {
	id := allocate(bytes, gl.DYNAMIC_COPY)
	*s = append(*s, id)
	return id
}

func (s *scratch) delete() {
	if len(*s) > 0 {
		gl.DeleteBuffers(int32(len(*s)), &(*s)[0])
	}
}

// computeSlab gathers what a slab needs, as far as no part holds it as it is, and runs the shaders of all
// stages, each on what the one before it made.
func (d *Device) computeSlab(r *buffer, w lazy.Work, s slab, stages []stage, programs []uint32) error {
	var own scratch
	defer own.delete()
	block := make([]uint32, len(s.inputs))
	for i, f := range s.inputs {
		if f.whole >= 0 {
			continue
		}
		block[i] = own.allocate(f.need.Voxels() * f.size)
		if err := d.gather(block[i], w, i, f); err != nil {
			return err
		}
	}
	voxels, out := s.tile.Voxels(), uint32(0)
	for n, st := range stages {
		gl.UseProgram(programs[n])
		if n == 0 {
			d.bindInputs(w, s, block)
		} else {
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, out)
			setInput(0, s.tile, 0)
		}
		if n == len(stages)-1 && s.tile == w.Tile {
			out = r.id
		} else {
			out = own.allocate(voxels * st.out.Size())
		}
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, out)
		n := s.tile.Shape()
		gl.Uniform4i(0, int32(n[lazy.T]*n[lazy.Z]*n[lazy.C]), int32(n[lazy.Y]), int32(n[lazy.X]), int32(voxels))
		gl.Uniform2i(1, int32(n[lazy.Z]), int32(n[lazy.C]))
		dispatch(voxels * st.out.Size())
	}
	if err := d.blank(w, s, out); err != nil {
		return err
	}
	if out != r.id {
		size := w.Node.Meta.DType.Size()
		gl.BindBuffer(gl.COPY_READ_BUFFER, out)
		gl.BindBuffer(gl.COPY_WRITE_BUFFER, r.id)
		gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, offset(w.Tile, s.tile.Min)*size, voxels*size)
	}
	return nil
}

// bindInputs lets the shader of the first stage see the gathered blocks, or the parts themselves.
func (d *Device) bindInputs(w lazy.Work, s slab, block []uint32) {
	for i, f := range s.inputs {
		if f.whole < 0 {
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(i+1), block[i])
			setInput(i, f.need, offset(f.need, s.tile.Min))
			continue
		}
		part := w.Parts[i][f.whole]
		skip := d.bindSpan(uint32(i+1), part.Remote.(*buffer), f.parts[0].span, f.size)
		setInput(i, part.Region, offset(part.Region, s.tile.Min)-skip)
	}
}

// setInput tells a shader how an input lies in its buffer, and where its voxel at the output's first is.
func setInput(i int, r lazy.Region, first int) {
	n := strides(r)
	gl.Uniform4i(int32(2+2*i), int32(n[lazy.T]), int32(n[lazy.Z]), int32(n[lazy.C]), int32(n[lazy.Y]))
	gl.Uniform1i(int32(3+2*i), int32(first))
}

// dispatch runs a shader that writes so many bytes, a word each time it is invoked. What comes after sees
// what it has written.
func dispatch(bytes int) {
	groups := (wholeWords(bytes)/4 + groupSize - 1) / groupSize
	x := min(groups, maxGroups)
	gl.DispatchCompute(uint32(x), uint32((groups+x-1)/x), 1)
	gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
}

// bindSpan lets a shader see some voxels of a block, and gives how many voxels of it come before those.
func (d *Device) bindSpan(binding uint32, b *buffer, s span, size int) (skip int) {
	from := s.from * size / d.driver.align * d.driver.align
	to := wholeWords(s.to * size)
	gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, binding, b.id, from, to-from)
	return from / size
}

// gather fills the block that an input of a slab is, the border included.
func (d *Device) gather(id uint32, w lazy.Work, input int, f feed) error {
	p, err := d.program(gatherText(f.size))
	if err != nil {
		return err
	}
	if f.outside {
		gl.BindBuffer(gl.COPY_WRITE_BUFFER, id)
		fill := word(w.Node.Op.Border().Value, w.Node.In[input].Meta.DType)
		gl.ClearBufferData(gl.COPY_WRITE_BUFFER, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, unsafe.Pointer(&fill))
	}
	fold := allocate(4*len(f.fold), gl.STREAM_DRAW)
	defer gl.DeleteBuffers(1, &fold)
	gl.BufferSubData(gl.COPY_WRITE_BUFFER, 0, 4*len(f.fold), unsafe.Pointer(&f.fold[0]))
	gl.UseProgram(p)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, id)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 2, fold)
	five(0, shape32(f.need))
	for _, piece := range f.parts {
		part := w.Parts[input][piece.n]
		skip := d.bindSpan(1, part.Remote.(*buffer), piece.span, f.size)
		five(5, index32(piece.to.Min))
		five(10, shape32(piece.to))
		five(15, index32(part.Region.Min))
		five(20, shape32(part.Region))
		gl.Uniform1i(25, int32(skip))
		row, per := piece.to.Len(lazy.X), 4/f.size
		dispatch(piece.to.Voxels() / row * ((row+per-2)/per + 1) * 4)
	}
	return nil
}

// blank sets to 0 what looks beyond the edge, where the border rule says so.
func (d *Device) blank(w lazy.Work, s slab, out uint32) error {
	if w.Node.Op.Border().Mode != lazy.Blank {
		return nil
	}
	keep := lazy.Interior(w.Node.Op, s.tile, w.Node.InMetas())
	if keep.Contains(s.tile) {
		return nil
	}
	size := w.Node.Meta.DType.Size()
	p, err := d.program(blankText(size))
	if err != nil {
		return err
	}
	for a := range lazy.Rank {
		keep.Min[a] -= s.tile.Min[a]
		keep.Max[a] -= s.tile.Min[a]
	}
	gl.UseProgram(p)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, out)
	five(0, shape32(s.tile))
	five(5, index32(keep.Min))
	five(10, index32(keep.Max))
	gl.Uniform1i(15, int32(s.tile.Voxels()))
	dispatch(s.tile.Voxels() * size)
	return nil
}

func five(location int32, n [lazy.Rank]int32) { gl.Uniform1iv(location, lazy.Rank, &n[0]) }
