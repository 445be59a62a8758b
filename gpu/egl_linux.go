//go:build cgo && !headless

package gpu

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// The few names of EGL 1.5 that are needed; libEGL is opened when the program runs.
typedef void *Display, *Config, *Context, *Surface;
typedef unsigned int Boolean;
typedef int32_t Int;
enum {
	PlatformSurfaceless = 0x31DD, PlatformDevice = 0x313F, OpenGLAPI = 0x30A2,
	SurfaceType = 0x3033, PbufferBit = 1, RenderableType = 0x3040, OpenGLBit = 8, None = 0x3038,
	Major = 0x3098, Minor = 0x30FB, ProfileMask = 0x30FD, CoreProfile = 1,
	ResetNotification = 0x31BD, LoseContextOnReset = 0x31BF,
};

static struct {
	void *(*getProcAddress)(const char *);
	Boolean (*initialize)(Display, Int *, Int *);
	Boolean (*bindAPI)(unsigned int);
	Boolean (*chooseConfig)(Display, const Int *, Config *, Int, Int *);
	Context (*createContext)(Display, Config, Context, const Int *);
	Boolean (*makeCurrent)(Display, Surface, Surface, Context);
	Boolean (*destroyContext)(Display, Context);
	Boolean (*terminate)(Display);
	Display (*getPlatformDisplay)(unsigned int, void *, const Int *);
	Boolean (*queryDevices)(Int, void **, Int *);
} egl;

// load opens libEGL; 0 is success, else the number of the step that failed.
static int load(void) {
	if (egl.getPlatformDisplay) return 0;
	void *lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!lib) return 1;
#define NAME(field, symbol) if (!(*(void **)&egl.field = dlsym(lib, symbol))) return 2
	NAME(getProcAddress, "eglGetProcAddress");
	NAME(initialize, "eglInitialize");
	NAME(bindAPI, "eglBindAPI");
	NAME(chooseConfig, "eglChooseConfig");
	NAME(createContext, "eglCreateContext");
	NAME(makeCurrent, "eglMakeCurrent");
	NAME(destroyContext, "eglDestroyContext");
	NAME(terminate, "eglTerminate");
#undef NAME
	*(void **)&egl.queryDevices = egl.getProcAddress("eglQueryDevicesEXT");
	*(void **)&egl.getPlatformDisplay = egl.getProcAddress("eglGetPlatformDisplayEXT");
	return egl.getPlatformDisplay ? 0 : 2;
}

static int open(Display d, Context *out) {
	if (!d || !egl.initialize(d, NULL, NULL)) return 3;
	if (!egl.bindAPI(OpenGLAPI)) return 4;
	Int want[] = {SurfaceType, PbufferBit, RenderableType, OpenGLBit, None};
	Int tells[] = {Major, 4, Minor, 3, ProfileMask, CoreProfile, ResetNotification, LoseContextOnReset, None};
	Int version[] = {Major, 4, Minor, 3, ProfileMask, CoreProfile, None};
	Config config = NULL;
	Int n = 0;
	if (!egl.chooseConfig(d, want, &config, 1, &n) || n < 1) return 5;
	*out = egl.createContext(d, config, NULL, tells); // a context that says when it is lost, if the driver can
	if (!*out) *out = egl.createContext(d, config, NULL, version);
	return *out ? 0 : 6;
}

// create opens candidate n: first a display without any surface, then each device of the drivers that list
// them. -1 says that there are no more.
static int create(int n, Display *d, Context *c) {
	int step = load();
	if (step) return step;
	if (n == 0) {
		*d = egl.getPlatformDisplay(PlatformSurfaceless, NULL, NULL);
		return open(*d, c);
	}
	void *devices[16];
	Int found = 0;
	if (!egl.queryDevices || !egl.queryDevices(16, devices, &found) || n > found) return -1;
	*d = egl.getPlatformDisplay(PlatformDevice, devices[n - 1], NULL);
	return open(*d, c);
}

static int current(Display d, Context c) { return egl.bindAPI(OpenGLAPI) && egl.makeCurrent(d, NULL, NULL, c); }
static void destroy(Display d, Context c) {
	egl.makeCurrent(d, NULL, NULL, NULL);
	egl.destroyContext(d, c);
}
static void *address(const char *name) { return egl.getProcAddress(name); }
*/
import "C"

import (
	"errors"
	"path/filepath"
	"unsafe"
)

type eglContext struct {
	display C.Display
	context C.Context
}

// mayHaveHardware looks for the files by which programs reach graphics hardware.
func mayHaveHardware() bool {
	for _, pattern := range []string{"/dev/dri/renderD*", "/dev/nvidia[0-9]*", "/dev/dxg", "/dev/mali*", "/dev/kgsl*"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return true
		}
	}
	return false
}

func newOffscreen(n int) (offscreen, error) {
	var c eglContext
	switch C.create(C.int(n), &c.display, &c.context) {
	case 0:
		return &c, nil
	case -1:
		return nil, errNoMore
	case 1:
		return nil, errors.New("libEGL.so.1 is not installed")
	case 2:
		return nil, errors.New("libEGL is too old")
	case 6:
		return nil, errors.New("the driver has no OpenGL 4.3")
	}
	return nil, errors.New("EGL found no driver")
}

func (c *eglContext) makeCurrent() error {
	if C.current(c.display, c.context) == 0 {
		return errors.New("EGL could not make its context current")
	}
	return nil
}

func (c *eglContext) procAddress(name string) unsafe.Pointer {
	b := append([]byte(name), 0)
	return C.address((*C.char)(unsafe.Pointer(&b[0])))
}

// close leaves the display open: another device may use it, and the driver closes it at exit.
func (c *eglContext) close() { C.destroy(c.display, c.context) }
