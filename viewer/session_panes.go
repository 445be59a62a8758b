package viewer

import "errors"

// Frame is the newest picture; it stays valid until the next call. It is nil before the first.
func (s *Session) Frame() *Frame { return s.loop.frames.take() }

// FrameOf is Frame for picture i. It is nil while there is none of the plane's orientation.
func (s *Session) FrameOf(i int) *Frame {
	if i == 0 {
		return s.Frame()
	}
	if i < 0 || i >= s.state.drawn() || i > len(s.beside) {
		return nil
	}
	f := s.beside[i-1].frames.take()
	if across, down, _ := s.state.Pane(i).Cut.Axes(); f == nil || f.Geometry.Across != across || f.Geometry.Down != down {
		return nil
	}
	return f
}

// Behind is the newest picture behind the curtain, as large as the one before it; nil while there is none.
func (s *Session) Behind() *Frame {
	if !s.state.Parted() {
		return nil
	}
	return s.FrameOf(1)
}

// want has every picture drawn as the State is now.
func (s *Session) want() {
	n := s.state.drawn()
	for len(s.beside) < n-1 {
		s.beside = append(s.beside, startLoop(s.options, len(s.beside)+1, s.found(len(s.beside)+1)))
	}
	s.watch()
	s.loop.want(s.compared(s.tried(0)))
	for i, l := range s.beside {
		if i+1 >= n {
			l.want(nil, State{})
			continue
		}
		if p := s.state.Pane(i + 1); p.Image == s.state.Image {
			l.want(s.compared(s.tried(i + 1)))
		} else if sc, of, ok := s.neighbour(p); ok {
			l.want(sc, of)
		} else {
			l.want(nil, State{})
		}
	}
	s.wantOverview()
}

// loops are those of all pictures, the first one first.
func (s *Session) loops() []*loop { return append([]*loop{s.loop}, s.beside...) }

// Hover tells which device pixel of the first picture the pointer is on; the next Reports hold what lies under it.
func (s *Session) Hover(px, py float64) { s.HoverOn(0, px, py) }

// HoverOn is Hover for picture i. Of images or channels that stand side by side, each reads the same place.
func (s *Session) HoverOn(i int, px, py float64) {
	for k, l := range s.loops() {
		if x, y, ok := s.Linked(i, k, px, py); ok {
			l.hover(&point{x, y})
		}
	}
}

// Unhover tells that the pointer has left the pictures.
func (s *Session) Unhover() {
	for _, l := range s.loops() {
		l.hover(nil)
	}
}

// Cancel stops the work for the planes on view, which stay as far as they are until the next Action.
func (s *Session) Cancel() {
	for _, l := range s.loops() {
		l.cancel()
	}
}

// SetBackdrop changes the colour around the planes.
func (s *Session) SetBackdrop(b Backdrop) {
	s.options.Backdrop = b
	for _, l := range s.loops() {
		l.setBackdrop(b)
	}
	if s.overview != nil {
		s.overview.setBackdrop(b)
	}
}

// Close stops all work for this dataset and closes it. It does not wait; Closed does.
func (s *Session) Close() {
	beside := s.beside
	if s.overview != nil {
		beside = append(beside[:len(beside):len(beside)], s.overview)
	}
	for _, l := range beside {
		l.close(nil)
	}
	s.loop.close(func() error {
		for _, l := range beside {
			<-l.ended
		}
		err := s.closeFiles()
		if s.opened.Close != nil {
			err = errors.Join(err, s.opened.Close())
		}
		return err
	})
}
