package viewer

import (
	"image"
	"sync/atomic"
)

// A Frame is a finished picture of the viewport.
type Frame struct {
	Image    *image.RGBA // device pixels, tightly packed, opaque
	Geometry Geometry    // where its voxels stand
	State    State       // what it was made for
	Stale    bool        // greyed: it shows another plane until the one asked for is there
	Partial  bool        // more of it is under way
	Preview  bool        // some of it is of a coarse level, where filtered values differ
	Level    int
	Cells    []Cell // its voxels with their values, where they are large
	Number   int    // counts the session's frames
}

// frames are three Frames that go round: the one on the screen, the newest finished one, and the
// one being drawn. Neither side ever waits for the other.
type frames struct {
	free  chan *Frame
	ready atomic.Pointer[Frame]
	front *Frame // belongs to the goroutine that takes
}

func newFrames() *frames {
	f := &frames{free: make(chan *Frame, 3)}
	for range 3 {
		f.free <- &Frame{}
	}
	return f
}

// spare is a frame to draw into, of the size asked for; its old contents are of no meaning.
func (f *frames) spare(size image.Point) *Frame {
	s := <-f.free
	if s.Image == nil || s.Image.Rect.Size() != size {
		s.Image = image.NewRGBA(image.Rectangle{Max: size})
	}
	return s
}

// publish hands a drawn frame over; one that was never taken goes back.
func (f *frames) publish(s *Frame) {
	if old := f.ready.Swap(s); old != nil {
		f.free <- old
	}
}

// take is the newest frame, which stays valid until the next take; nil before the first.
func (f *frames) take() *Frame {
	if s := f.ready.Swap(nil); s != nil {
		if f.front != nil {
			f.free <- f.front
		}
		f.front = s
	}
	return f.front
}
