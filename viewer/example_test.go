package viewer_test

import (
	"fmt"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
	"lamella/viewer"
)

// A window of 200 x 100 pixels goes one plane on. Frames come as soon as there is something to show; the last one is
// complete. This loop stands for that of the window.
func Example() {
	shape := lazy.Shape{1, 64, 1, 100, 100}
	stack := lazytest.Array(lazytest.Meta(lazy.U8, shape, lazy.Shape{1, 1, 1, 100, 100}), func(i lazy.Index) float64 { return float64(i[lazy.X]) })
	set := lazy.Dataset{Images: []lazy.Image{{Levels: []lazy.Level{{Array: stack}}}}}
	e := engine.New(engine.Options{})
	defer e.Close()
	window := make(chan func(), 100)
	var s *viewer.Session
	var err error
	done := false
	look := func() {
		if f := s.Frame(); f != nil && f.State.At == s.State().At && !f.Stale && !f.Partial && !done {
			done = true
			fmt.Println("plane", f.State.At[lazy.Z], f.Image.Bounds())
		}
	}
	post := func(f func()) { window <- f }
	s, err = viewer.Open(&set, viewer.Options{Engine: e, Post: post, OnFrame: func() { post(look) }})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	s.Act(viewer.Resize(200, 100))
	s.Act(viewer.Step(lazy.Z, 1))
	for !done {
		(<-window)()
	}
	// Output: plane 33 (0,0)-(200,100)
}
