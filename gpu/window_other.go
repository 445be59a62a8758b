//go:build cgo && !headless && !darwin && !linux

package gpu

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// hiddenWindow is a context of a window that is never shown. GLFW wants its calls on the main thread; making
// a context current is the exception, and all that is done elsewhere.
type hiddenWindow struct{ w *glfw.Window }

func mayHaveHardware() bool { return true }

func newOffscreen(n int) (offscreen, error) {
	if n > 0 {
		return nil, errNoMore
	}
	if err := glfw.Init(); err != nil {
		return nil, fmt.Errorf("starting GLFW: %w", err)
	}
	defer glfw.DefaultWindowHints() // or the toolkit's next window would be made with ours
	glfw.WindowHint(glfw.Visible, glfw.False)
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	w, err := glfw.CreateWindow(1, 1, "", nil, nil)
	if err != nil {
		return nil, fmt.Errorf("making a hidden window with OpenGL 4.3: %w", err)
	}
	return &hiddenWindow{w}, nil
}

func (h *hiddenWindow) makeCurrent() error {
	h.w.MakeContextCurrent()
	return nil
}

func (h *hiddenWindow) procAddress(name string) unsafe.Pointer { return glfw.GetProcAddress(name) }

func (h *hiddenWindow) close() { glfw.DetachCurrentContext() }
