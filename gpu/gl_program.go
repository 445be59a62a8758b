//go:build cgo && !headless && !darwin

package gpu

import (
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"lamella/lazy"
)

// beginProgram makes the buffers of a program, and gathers its inputs.
func (d *Device) beginProgram(p *running, w lazy.Work) error {
	if err := d.step("make"); err != nil {
		return err
	}
	for i, b := range p.buffers {
		if b.bytes == 0 {
			continue
		}
		b.id = allocate(b.bytes, gl.DYNAMIC_COPY)
		if err := d.failure("making room for a program"); err != nil {
			return err
		}
		if n := i - len(p.inputs); n >= 0 && n < len(p.Buffers) && len(p.Buffers[n].Begin) > 0 {
			gl.BufferSubData(gl.COPY_WRITE_BUFFER, 0, len(p.Buffers[n].Begin), unsafe.Pointer(&p.Buffers[n].Begin[0]))
		}
	}
	for i, f := range p.inputs {
		if p.held[i] {
			continue
		}
		if err := d.gather(p.buffers[i].id, w, i, f); err != nil {
			return err
		}
	}
	return d.failure("making room for a program")
}

// runRound gives the driver the passes of a round.
func (d *Device) runRound(p *running, round []lazy.Pass) error {
	if err := d.step("make"); err != nil {
		return err
	}
	for _, pass := range round {
		id, err := d.program(pass.Shader)
		if err != nil {
			return err
		}
		gl.UseProgram(id)
		for at, n := range pass.Buffers {
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(at), p.buffers[n].id)
		}
		if len(pass.Numbers) > 0 {
			gl.Uniform1iv(0, int32(len(pass.Numbers)), &pass.Numbers[0])
		}
		x := max(1, min(pass.Groups, maxGroups))
		gl.DispatchCompute(uint32(x), uint32((pass.Groups+x-1)/x), 1)
		gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	}
	d.dropFence(&p.fences[0])
	p.fences[0] = p.fences[1]
	p.fences[1] = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	gl.Flush()
	return d.failure("running a program")
}

// roundDone reports whether a round is done; it waits a moment for it.
func (d *Device) roundDone(p *running, round int) (bool, error) {
	if p.fences[round] == 0 {
		return true, nil
	}
	switch gl.ClientWaitSync(p.fences[round], gl.SYNC_FLUSH_COMMANDS_BIT, pollTime) {
	case gl.TIMEOUT_EXPIRED:
		return false, d.failure("running a program")
	case gl.WAIT_FAILED:
		return false, d.failureOr(ErrLost)
	}
	return true, d.failure("running a program")
}

// endRounds lets go of what tells of the rounds.
func (d *Device) endRounds(p *running) {
	d.dropFence(&p.fences[0])
	d.dropFence(&p.fences[1])
}

func (d *Device) dropFence(f *uintptr) {
	if *f != 0 {
		gl.DeleteSync(*f)
		*f = 0
	}
}
