//go:build cgo && !headless && !darwin

package gpu

import (
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
func (d *Device) compute(r *buffer, w lazy.Work, text string) error {
	if err := d.step("make"); err != nil {
		return err
	}
	p, err := d.program(text)
	if err != nil {
		return err
	}
	r.id = allocate(r.bytes, gl.DYNAMIC_COPY)
	if err := d.failure("making a block"); err != nil {
		return err
	}
	defer d.clock(costName(w.Node), w.Tile.Voxels())()
	for s, err := range slabs(w, d.view) {
		if err == nil {
			err = d.computeSlab(r, w, s, p)
		}
		if err != nil {
			return err
		}
	}
	return d.failure("running a shader")
}

// computeSlab gathers what a slab needs, as far as no part holds it as it is, and runs the shader.
func (d *Device) computeSlab(r *buffer, w lazy.Work, s slab, p uint32) error {
	var scratch []uint32
	defer func() {
		for i := range scratch { // the driver keeps them until the commands are done
			gl.DeleteBuffers(1, &scratch[i])
		}
	}()
	size := w.Node.Meta.DType.Size()
	out, voxels := r.id, s.tile.Voxels()
	if s.tile != w.Tile {
		out = allocate(voxels*size, gl.DYNAMIC_COPY)
		scratch = append(scratch, out)
	}
	block := make([]uint32, len(s.inputs))
	for i, f := range s.inputs {
		if f.whole >= 0 {
			continue
		}
		b, err := d.gather(w, i, f)
		scratch = append(scratch, b)
		if block[i] = b; err != nil {
			return err
		}
	}
	gl.UseProgram(p)
	for i, f := range s.inputs {
		from, skip := f.need, 0
		if f.whole >= 0 {
			part := w.Parts[i][f.whole]
			from, skip = part.Region, d.bindSpan(uint32(i+1), part.Remote.(*buffer), f.parts[0].span, f.size)
		} else {
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(i+1), block[i])
		}
		n := strides(from)
		gl.Uniform4i(int32(2+2*i), int32(n[lazy.T]), int32(n[lazy.Z]), int32(n[lazy.C]), int32(n[lazy.Y]))
		gl.Uniform1i(int32(3+2*i), int32(offset(from, s.tile.Min)-skip))
	}
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, out)
	n := s.tile.Shape()
	gl.Uniform4i(0, int32(n[lazy.T]*n[lazy.Z]*n[lazy.C]), int32(n[lazy.Y]), int32(n[lazy.X]), int32(voxels))
	gl.Uniform2i(1, int32(n[lazy.Z]), int32(n[lazy.C]))
	dispatch(voxels * size)
	if err := d.blank(w, s, out); err != nil {
		return err
	}
	if out != r.id {
		gl.BindBuffer(gl.COPY_READ_BUFFER, out)
		gl.BindBuffer(gl.COPY_WRITE_BUFFER, r.id)
		gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, offset(w.Tile, s.tile.Min)*size, voxels*size)
	}
	return nil
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

// gather makes the block that an input of a slab is, the border included.
func (d *Device) gather(w lazy.Work, input int, f feed) (id uint32, err error) {
	p, err := d.program(gatherText(f.size))
	if err != nil {
		return 0, err
	}
	voxels := f.need.Voxels()
	id = allocate(voxels*f.size, gl.DYNAMIC_COPY)
	if f.outside {
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
	gl.Uniform1i(15, int32(voxels))
	for _, piece := range f.parts {
		part := w.Parts[input][piece.n]
		skip := d.bindSpan(1, part.Remote.(*buffer), piece.span, f.size)
		five(5, index32(part.Region.Min))
		five(10, shape32(part.Region))
		gl.Uniform1i(16, int32(skip))
		dispatch(voxels * f.size)
	}
	return id, nil
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
