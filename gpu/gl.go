//go:build cgo && !headless && !darwin

package gpu

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"lamella/lazy"
)

// An offscreen is an OpenGL context that no window shows.
type offscreen interface {
	makeCurrent() error // on the calling thread
	procAddress(name string) unsafe.Pointer
	close() // on the thread on which it is current
}

// Open makes a context and its thread. The error wraps ErrNone and says what was tried.
func Open() (*Device, error) {
	d := &Device{jobs: make(chan func()), stop: make(chan struct{}), done: make(chan struct{}), programs: map[string]*program{}}
	ready := make(chan error, 1)
	go d.run(ready)
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	return d, nil
}

// Close ends the thread and its context. Work that is on the device is finished, work that waits fails.
func (d *Device) Close() {
	close(d.stop)
	<-d.done
}

func (d *Device) run(ready chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, and the context with it
	defer close(d.done)
	c, err := newOffscreen()
	if err == nil {
		if err = c.makeCurrent(); err == nil {
			err = gl.InitWithProcAddrFunc(c.procAddress)
		}
		if err != nil {
			c.close()
		}
	}
	if err == nil {
		d.info = readInfo()
	}
	ready <- err
	if err != nil {
		return
	}
	defer c.close()
	for {
		select {
		case f := <-d.jobs:
			f()
		case <-d.stop:
			return
		}
	}
}

func readInfo() Info {
	var block int64
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &block)
	text := func(name uint32) string { return gl.GoStr(gl.GetString(name)) }
	return Info{Vendor: text(gl.VENDOR), Renderer: text(gl.RENDERER), Version: text(gl.VERSION), Memory: block}
}

type program struct{ id uint32 }

// compile builds a shader, or says what the driver says.
func compile(text string) (*program, error) {
	sh := gl.CreateShader(gl.COMPUTE_SHADER)
	defer gl.DeleteShader(sh)
	source, free := gl.Strs(text + "\x00")
	gl.ShaderSource(sh, 1, source, nil)
	free()
	gl.CompileShader(sh)
	var ok int32
	if gl.GetShaderiv(sh, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
		var n int32
		gl.GetShaderiv(sh, gl.INFO_LOG_LENGTH, &n)
		log := strings.Repeat("\x00", int(n)+1)
		gl.GetShaderInfoLog(sh, n, nil, gl.Str(log))
		return nil, fmt.Errorf("gpu: compiling a shader: %s", firstLine(log))
	}
	p := gl.CreateProgram()
	gl.AttachShader(p, sh)
	gl.LinkProgram(p)
	if gl.GetProgramiv(p, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		gl.DeleteProgram(p)
		return nil, fmt.Errorf("gpu: linking a shader failed")
	}
	return &program{p}, nil
}

func firstLine(log string) string {
	log, _, _ = strings.Cut(strings.Trim(log, "\x00\n"), "\n")
	return log
}

// groupSize is local_size_x of every shader, and maxGroups the groups along x that every device takes.
const (
	groupSize = 64
	maxGroups = 65535
)

// dispatch uploads the inputs, runs one shader and reads the output back.
func (d *Device) dispatch(text string, dst *lazy.Block, src []*lazy.Block) error {
	p := d.programs[text]
	if p == nil {
		var err error
		if p, err = compile(text); err != nil {
			return err
		}
		d.programs[text] = p
	}
	buffers := make([]uint32, len(src)+1)
	gl.GenBuffers(int32(len(buffers)), &buffers[0])
	defer gl.DeleteBuffers(int32(len(buffers)), &buffers[0])
	gl.UseProgram(p.id)
	for n, b := range src {
		upload(buffers[n+1], uint32(n+1), b)
		s := b.Strides()
		gl.Uniform4i(int32(2+2*n), int32(s[lazy.T]), int32(s[lazy.Z]), int32(s[lazy.C]), int32(s[lazy.Y]))
		gl.Uniform1i(int32(3+2*n), int32(b.Offset(dst.Region.Min)))
	}
	bytes := dst.Bytes()
	words := (len(bytes) + 3) / 4
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffers[0])
	gl.BufferData(gl.SHADER_STORAGE_BUFFER, 4*words, nil, gl.DYNAMIC_READ)
	s := dst.Region.Shape()
	gl.Uniform4i(0, int32(s[lazy.T]*s[lazy.Z]*s[lazy.C]), int32(s[lazy.Y]), int32(s[lazy.X]), int32(dst.Len()))
	gl.Uniform2i(1, int32(s[lazy.Z]), int32(s[lazy.C]))
	groups := (words + groupSize - 1) / groupSize
	x := min(groups, maxGroups)
	gl.DispatchCompute(uint32(x), uint32((groups+x-1)/x), 1)
	gl.MemoryBarrier(gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, buffers[0])
	gl.GetBufferSubData(gl.SHADER_STORAGE_BUFFER, 0, len(bytes), unsafe.Pointer(&bytes[0]))
	return failure()
}

// upload makes a buffer of a block, rounded up to whole words.
func upload(buffer, binding uint32, b *lazy.Block) {
	bytes := b.Bytes()
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, binding, buffer)
	gl.BufferData(gl.SHADER_STORAGE_BUFFER, (len(bytes)+3)&^3, nil, gl.STREAM_DRAW)
	gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, 0, len(bytes), unsafe.Pointer(&bytes[0]))
}

func failure() error {
	switch e := gl.GetError(); e {
	case gl.NO_ERROR:
		return nil
	case gl.OUT_OF_MEMORY:
		return fmt.Errorf("gpu: out of memory")
	default:
		return fmt.Errorf("gpu: OpenGL error 0x%x", e)
	}
}
