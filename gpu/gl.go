//go:build cgo && !headless && !darwin

package gpu

import (
	"cmp"
	"context"
	"errors"
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

// A driver is what the thread knows of the context.
type driver struct {
	context offscreen
	align   int           // bytes at whose multiples a shader's view of a buffer begins
	reset   func() uint32 // tells whether the context is lost; nil if the driver does not
}

// Open makes a context and its thread, and tests the device. The error wraps ErrNone and says what was tried.
func Open() (*Device, error) { return open(newDevice()) }

// OpenHardware is Open where the device is none but a real one: ErrNone if there is only a software renderer,
// which is told without starting one where possible.
func OpenHardware() (*Device, error) {
	if !mayHaveHardware() {
		return nil, fmt.Errorf("%w: this machine has no graphics hardware that programs may use", ErrNone)
	}
	d := newDevice()
	d.hardware = true
	return open(d)
}

func open(d *Device) (*Device, error) {
	ready := make(chan error, 1)
	go d.run(ready)
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	if err := d.SelfTest(context.Background()); err != nil {
		d.Close()
		return nil, fmt.Errorf("%w that computes right: %w", ErrNone, err)
	}
	return d, nil
}

// Close ends the thread and its context. Work that is on the device is finished, work that waits fails.
func (d *Device) Close() {
	d.ended.Do(func() { close(d.stop) })
	<-d.done
}

func (d *Device) run(ready chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, and the context with it
	defer close(d.done)
	err := d.start()
	ready <- err
	if err != nil {
		return
	}
	defer d.driver.context.close()
	for {
		d.tidy()
		if d.waiting() {
			select {
			case f := <-d.jobs:
				f()
				d.pollReads(0)
			case <-d.stop:
				d.endReads()
				return
			default:
				d.pollReads(pollTime)
			}
			continue
		}
		select {
		case f := <-d.jobs:
			f()
		case <-d.wake:
		case <-d.stop:
			d.endReads()
			return
		}
	}
}

// pollTime is how long the thread waits for the driver before it looks whether there is other work, in ns.
const pollTime = 200_000

// errNoMore ends the list of contexts that can be tried.
var errNoMore = errors.New("no driver has OpenGL 4.3")

// start tries one driver after another until one has hardware; a software renderer is what remains.
func (d *Device) start() error {
	var why error
	software := -1
	for n := 0; ; n++ {
		err := d.enter(n)
		switch {
		case errors.Is(err, errNoMore):
			if software >= 0 && !d.hardware {
				return d.enter(software)
			}
			return cmp.Or(why, err)
		case err != nil:
			why = cmp.Or(why, err)
		case !d.info.Software() || !d.hardware && !mayHaveHardware():
			return nil
		default:
			software = n
			why = cmp.Or(why, fmt.Errorf("%s computes on the processor, and slower than the processor itself", d.info.Renderer))
			d.driver.context.close()
		}
	}
}

// enter makes one context current on this thread, and asks about it.
func (d *Device) enter(n int) error {
	c, err := newOffscreen(n)
	if err != nil {
		return err
	}
	if err = c.makeCurrent(); err == nil {
		err = gl.InitWithProcAddrFunc(c.procAddress)
	}
	if err != nil {
		c.close()
		return err
	}
	d.driver = readDriver(c)
	d.info = readInfo()
	d.view = d.info.View
	d.SetRoom(0)
	return nil
}

func readDriver(c offscreen) driver {
	var align int32
	gl.GetIntegerv(gl.SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &align)
	r := driver{context: c, align: max(4, int(align))}
	switch {
	case hasExtension("GL_KHR_robustness"):
		r.reset = gl.GetGraphicsResetStatus
	case hasExtension("GL_ARB_robustness"):
		r.reset = gl.GetGraphicsResetStatusARB
	}
	return r
}

func hasExtension(name string) bool {
	var n int32
	gl.GetIntegerv(gl.NUM_EXTENSIONS, &n)
	for i := range n {
		if gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i))) == name {
			return true
		}
	}
	return false
}

func readInfo() Info {
	var block int64
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &block)
	text := func(name uint32) string { return gl.GoStr(gl.GetString(name)) }
	return Info{
		Vendor: text(gl.VENDOR), Renderer: text(gl.RENDERER), Version: text(gl.VERSION),
		View:   min(block, 1<<31-1), // offsets in shaders are of 32 bits
		Memory: freeMemory(),
	}
}

// The questions of NVX_gpu_memory_info and ATI_meminfo, which answer in KiB.
const (
	availableNVX = 0x9049
	buffersATI   = 0x87FB
)

func freeMemory() int64 {
	var kib [4]int32
	switch {
	case hasExtension("GL_NVX_gpu_memory_info"):
		gl.GetIntegerv(availableNVX, &kib[0])
	case hasExtension("GL_ATI_meminfo"):
		gl.GetIntegerv(buffersATI, &kib[0])
	}
	return int64(kib[0]) << 10
}

// step begins something that can fail: at once if the device is lost, or a test wants it.
func (d *Device) step(name string) error {
	if d.lost.Load() {
		return ErrLost
	}
	if d.fault != nil {
		return d.fault(name)
	}
	return nil
}

// failure is what went wrong since it was last asked.
func (d *Device) failure(doing string) error {
	code := gl.GetError()
	if d.driver.reset != nil && d.driver.reset() != gl.NO_ERROR {
		d.lost.Store(true)
		return ErrLost
	}
	switch code {
	case gl.NO_ERROR:
		return nil
	case gl.OUT_OF_MEMORY:
		return fmt.Errorf("gpu: %s: %w", doing, lazy.ErrNoRoom)
	}
	for range 8 { // a driver may hold several
		if gl.GetError() == gl.NO_ERROR {
			break
		}
	}
	return fmt.Errorf("gpu: %s: OpenGL error 0x%x", doing, code)
}

// program is the compiled shader of a text.
func (d *Device) program(text string) (uint32, error) {
	if p, ok := d.programs[text]; ok {
		return p, nil
	}
	if len(d.programs) >= mostShaders {
		for _, p := range d.programs {
			gl.DeleteProgram(p)
		}
		clear(d.programs)
	}
	if err := d.step("compile"); err != nil {
		return 0, err
	}
	p, err := compile(text)
	if err == nil {
		d.programs[text] = p
	}
	return p, err
}

// compile builds a shader, or says what the driver says.
func compile(text string) (uint32, error) {
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
		return 0, fmt.Errorf("gpu: compiling a shader: %s", firstLine(log))
	}
	p := gl.CreateProgram()
	gl.AttachShader(p, sh)
	gl.LinkProgram(p)
	if gl.GetProgramiv(p, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		gl.DeleteProgram(p)
		return 0, errors.New("gpu: linking a shader failed")
	}
	return p, nil
}
