package ui

import (
	"image"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A scrubber is the slider of one axis: a track with a handle for the index, which keys, the wheel,
// clicks and drags move.
type scrubber struct {
	widget.BaseWidget
	tip
	n, at   int                // of at indices 0 to n-1
	ready   []viewer.Readiness // of even stretches
	moved   func(int)
	wheel   wheel
	focused bool
	hovered bool
}

var (
	_ fyne.Focusable    = (*scrubber)(nil)
	_ fyne.Draggable    = (*scrubber)(nil)
	_ fyne.Tappable     = (*scrubber)(nil)
	_ fyne.Scrollable   = (*scrubber)(nil)
	_ desktop.Hoverable = (*scrubber)(nil)
)

func newScrubber(of *tips, hint string, moved func(int)) *scrubber {
	s := &scrubber{tip: saying(of, hint), n: 1, moved: moved}
	s.ExtendBaseWidget(s)
	return s
}

// set shows an index of n.
func (s *scrubber) set(at, n int) {
	if s.at != at || s.n != n {
		s.at, s.n = at, n
		s.Refresh()
	}
}

// setReady shows what is ready.
func (s *scrubber) setReady(r []viewer.Readiness) {
	if !slices.Equal(s.ready, r) {
		s.ready = r
		s.Refresh()
	}
}

func (s *scrubber) to(i int) {
	if i = max(0, min(s.n-1, i)); i != s.at {
		s.at = i
		s.Refresh()
		s.moved(i)
	}
}

const handle = 10 // width of the handle

func (s *scrubber) indexAt(x float32) int {
	run := s.Size().Width - handle
	if run <= 0 || s.n < 2 {
		return 0
	}
	return int((x-handle/2)/run*float32(s.n-1) + 0.5)
}

// Tapped goes to the index under the pointer.
func (s *scrubber) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	s.to(s.indexAt(e.Position.X))
}

// Dragged goes along with the pointer.
func (s *scrubber) Dragged(e *fyne.DragEvent) { s.to(s.indexAt(e.Position.X)) }

// DragEnd is of no meaning.
func (s *scrubber) DragEnd() {}

// Scrolled steps.
func (s *scrubber) Scrolled(e *fyne.ScrollEvent) { s.to(s.at + s.wheel.steps(e)) }

// MouseIn lights the handle.
func (s *scrubber) MouseIn(e *desktop.MouseEvent) {
	s.hovered = true
	s.Refresh()
	s.tip.MouseIn(e)
}

// MouseOut takes the light away.
func (s *scrubber) MouseOut() {
	s.hovered = false
	s.Refresh()
	s.tip.MouseOut()
}

// FocusGained shows the focus.
func (s *scrubber) FocusGained() { s.focused = true; s.Refresh() }

// FocusLost takes it away.
func (s *scrubber) FocusLost() { s.focused = false; s.Refresh() }

// TypedRune is of no meaning.
func (s *scrubber) TypedRune(rune) {}

// TypedKey moves the handle.
func (s *scrubber) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyDown:
		s.to(s.at - 1)
	case fyne.KeyRight, fyne.KeyUp:
		s.to(s.at + 1)
	case fyne.KeyPageUp:
		s.to(s.at - 10)
	case fyne.KeyPageDown:
		s.to(s.at + 10)
	case fyne.KeyHome:
		s.to(0)
	case fyne.KeyEnd:
		s.to(s.n - 1)
	}
}

// MinSize leaves room for the handle.
func (s *scrubber) MinSize() fyne.Size {
	s.ExtendBaseWidget(s)
	return fyne.NewSize(80, 22)
}

// CreateRenderer draws the track, what of it is ready, and the handle.
func (s *scrubber) CreateRenderer() fyne.WidgetRenderer {
	r := &scrubberLook{s: s, track: canvas.NewRectangle(nil), grip: canvas.NewRectangle(nil), ring: canvas.NewRectangle(nil)}
	r.ready = canvas.NewRaster(r.stretches)
	r.ready.ScaleMode = canvas.ImageScalePixels
	r.track.CornerRadius, r.grip.CornerRadius, r.ring.CornerRadius = 2, 3, 5
	r.ring.StrokeWidth = 2
	r.Refresh()
	return r
}

type scrubberLook struct {
	s                 *scrubber
	track, grip, ring *canvas.Rectangle
	ready             *canvas.Raster
	shown             []viewer.Readiness // of the raster
}

// stretches are the track in one row of pixels: what is ready in the accent, what is under way half as strong, what
// was ready before the last edit in grey.
func (r *scrubberLook) stretches(w, _ int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, max(1, w), 1))
	n := len(r.s.ready)
	if n == 0 {
		return img
	}
	accent, faint := shadeOf(theme.ColorNamePrimary), shadeOf(theme.ColorNameDisabled)
	half := accent
	half.A = 0x70
	for x := range w {
		switch r.s.ready[min(n-1, x*n/w)] {
		case viewer.Ready:
			img.SetNRGBA(x, 0, accent)
		case viewer.Underway:
			img.SetNRGBA(x, 0, half)
		case viewer.Stale:
			img.SetNRGBA(x, 0, faint)
		}
	}
	return img
}

// shadeOf is a colour of the theme by its parts.
func shadeOf(n fyne.ThemeColorName) color.NRGBA {
	return color.NRGBAModel.Convert(shade(n)).(color.NRGBA)
}

func (r *scrubberLook) Layout(size fyne.Size) {
	const thick = 4
	y := (size.Height - thick) / 2
	var x float32
	if r.s.n > 1 {
		x = float32(r.s.at) / float32(r.s.n-1) * (size.Width - handle)
	}
	r.track.Move(fyne.NewPos(0, y))
	r.track.Resize(fyne.NewSize(size.Width, thick))
	r.ready.Move(fyne.NewPos(handle/2, y))
	r.ready.Resize(fyne.NewSize(max(0, size.Width-handle), thick))
	const tall = 14
	r.grip.Move(fyne.NewPos(x, (size.Height-tall)/2))
	r.grip.Resize(fyne.NewSize(handle, tall))
	r.ring.Move(fyne.NewPos(x-2, (size.Height-tall)/2-2))
	r.ring.Resize(fyne.NewSize(handle+4, tall+4))
}

func (r *scrubberLook) Refresh() {
	r.track.FillColor = shade(colorFaint)
	r.grip.FillColor = shade(theme.ColorNameForeground)
	if r.s.hovered || r.s.focused {
		r.grip.FillColor = shade(theme.ColorNamePrimary)
	}
	r.ring.StrokeColor = shade(theme.ColorNameFocus)
	r.ring.FillColor = nil
	r.ring.Hidden = !r.s.focused
	r.Layout(r.s.Size())
	if !slices.Equal(r.shown, r.s.ready) {
		r.shown = r.s.ready
		r.ready.Refresh()
	}
	canvas.Refresh(r.s)
}

func (r *scrubberLook) MinSize() fyne.Size { return r.s.MinSize() }
func (r *scrubberLook) Destroy()           {}
func (r *scrubberLook) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.ready, r.grip, r.ring}
}
