package ui

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
	"lamella/viewer"
)

// A pane shows the picture and takes the wheel, drags and keys over it. Its raster asks for the picture
// in device pixels and gets the session's newest frame, which is never copied.
type pane struct {
	widget.BaseWidget
	raster   *canvas.Raster
	session  *viewer.Session
	index    int       // of the picture among those that stand together
	veil     *veil     // what a curtain hangs before
	overview *overview // the whole plane, small
	chunks   *chunkGrid
	notes    *notes
	mark     *mark       // of where the pointer is in a picture beside it
	grip     grip        // what of the crosshair is being moved
	near     grip        // what of it the pointer is on
	last     image.Image // that was painted
	size     image.Point // of the raster, in device pixels
	wheel    wheel
	focused  bool
	quiet    bool // the focus came with a click, so the user knows and needs no frame
	zooms    bool // the wheel alone zooms, and goes through the planes with Control
	alted    bool // the wheel has been turned while Alt is held
	busy     bool
	done     float32 // of the work under way, 0 to 1
	shapes   *shapesLayer

	hovered func(index int, x, y float64)        // the pointer is on a device pixel of it
	left    func()                               // the pointer has left it
	picked  func()                               // a click that neither draws nor moves anything
	acted   func()                               // something on view has changed
	key     func(fyne.KeyName, fyne.KeyModifier) // pressed while the picture has the focus
	rune    func(rune)
	mods    func() fyne.KeyModifier
	later   func(func())
	close   func() // closes the menu that the toolkit opens when Alt is let go
}

var (
	_ fyne.Scrollable    = (*pane)(nil)
	_ fyne.Draggable     = (*pane)(nil)
	_ fyne.Tappable      = (*pane)(nil)
	_ fyne.Focusable     = (*pane)(nil)
	_ desktop.Hoverable  = (*pane)(nil)
	_ desktop.Mouseable  = (*pane)(nil)
	_ desktop.Cursorable = (*pane)(nil)
)

func newPane(index int) *pane {
	p := &pane{index: index, mods: held}
	p.raster = canvas.NewRaster(p.picture)
	p.shapes = newShapesLayer(p)
	p.raster.ScaleMode = canvas.ImageScalePixels
	p.ExtendBaseWidget(p)
	return p
}

// show turns to another session, or to none.
func (p *pane) show(s *viewer.Session) {
	p.session, p.size, p.last = s, image.Point{}, nil
	p.Refresh()
}

// swap turns to a session of the same; the last picture stands until it has one.
func (p *pane) swap(s *viewer.Session) {
	p.session, p.size = s, image.Point{}
	p.Refresh()
}

// picture runs while Fyne paints, so it only hands over what is there. The session learns the size of
// the viewport here, since only here it is known in device pixels.
func (p *pane) picture(w, h int) image.Image {
	if p.session == nil {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	if size := image.Pt(w, h); size != p.size || p.index < p.session.State().Panes() && size != p.state().Size { // another arrangement forgets it
		p.size = size
		p.do(viewer.Resize(w, h))
	}
	if f := p.session.FrameOf(p.index); f != nil {
		p.last = f.Image
	}
	if p.last != nil {
		return p.last
	}
	return image.NewRGBA(image.Rect(0, 0, 1, 1))
}

// scale is device pixels a unit.
func (p *pane) scale() float64 {
	if p.size.X > 0 && p.Size().Width > 0 {
		return float64(p.size.X) / float64(p.Size().Width)
	}
	return 1
}

func (p *pane) pixel(at fyne.Position) (x, y float64) {
	return float64(at.X) * p.scale(), float64(at.Y) * p.scale()
}

// Scrolled goes through the planes; with Shift ten at a time, with Alt through time, with Control it
// zooms at the pointer.
func (p *pane) Scrolled(e *fyne.ScrollEvent) {
	n := p.wheel.steps(e)
	if p.session == nil || n == 0 {
		return
	}
	_, _, normal := p.state().Cut.Axes()
	switch m := p.mods(); {
	case (m&fyne.KeyModifierControl != 0) != (p.zooms && m&(fyne.KeyModifierAlt|fyne.KeyModifierShift) == 0):
		x, y := p.pixel(e.Position)
		p.do(viewer.ZoomAt(x, y, math.Pow(1.25, float64(-n))))
	case m&fyne.KeyModifierAlt != 0:
		if !p.alted {
			p.alted = true
			p.later(p.awaitAlt)
		}
		p.do(viewer.Step(lazy.T, n))
	case m&fyne.KeyModifierShift != 0:
		p.do(viewer.Step(normal, 10*n))
	default:
		p.do(viewer.Step(normal, n))
	}
	p.acted()
}

// awaitAlt waits until Alt is let go after the wheel. The toolkit then opens its menu bar, as for an Alt
// with nothing in between: it counts keys alone, and tells nobody.
func (p *pane) awaitAlt() {
	if p.mods()&fyne.KeyModifierAlt != 0 {
		p.later(p.awaitAlt)
		return
	}
	p.alted = false
	p.close()
}

// takeFocus has keys go to the picture.
func (p *pane) takeFocus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		p.quiet = true
		c.Focus(p)
	}
}

// MouseDown takes the focus, so that keys go to the picture. On a line of the crosshair it takes hold of it, and
// with Shift the crosshair moves to the pointer; else the left button draws, or takes hold of a shape.
func (p *pane) MouseDown(e *desktop.MouseEvent) {
	p.takeFocus()
	p.grip = p.gripAt(e.Position)
	if p.grip == overviewed {
		p.point(e.Position)
	}
	if e.Modifier&fyne.KeyModifierShift != 0 {
		p.grip = both
		p.point(e.Position)
	}
	if p.grip == none && e.Button == desktop.MouseButtonPrimary {
		p.press(e.Position)
	}
}

// MouseUp ends a press. Of a drag it comes before DragEnd.
func (p *pane) MouseUp(*desktop.MouseEvent) { p.release() }

// Tapped moves the crosshair to the pointer, unless it draws.
func (p *pane) Tapped(e *fyne.PointEvent) {
	if p.session != nil && p.session.State().Arrangement == viewer.ThreeUp && p.grip != overviewed && p.session.State().Pencil.Tool == viewer.NoShape {
		p.grip = both
		p.point(e.Position)
	}
	if p.grip == none || p.grip == both {
		p.picked()
	}
	p.grip = none
}

// Dragged pans with the left or the middle button, draws, or moves what of the crosshair was taken hold of.
func (p *pane) Dragged(e *fyne.DragEvent) {
	if p.session == nil {
		return
	}
	if p.draw(e.Position) {
		return
	}
	if p.grip != none {
		p.point(e.Position)
		return
	}
	k := p.scale()
	p.do(viewer.Pan(float64(e.Dragged.DX)*k, float64(e.Dragged.DY)*k))
	p.acted()
}

// DragEnd lets go. A drag that ends beside the picture has no MouseUp here.
func (p *pane) DragEnd() {
	p.release()
	p.grip = none
}

// MouseIn reads what is under the pointer.
func (p *pane) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved reads what is under the pointer.
func (p *pane) MouseMoved(e *desktop.MouseEvent) {
	if p.session != nil {
		x, y := p.pixel(e.Position)
		p.session.HoverOn(p.index, x, y)
		p.near = p.gripAt(e.Position)
		p.hovered(p.index, x, y)
	}
}

// MouseOut ends the reading.
func (p *pane) MouseOut() {
	if p.session != nil {
		p.session.Unhover()
		p.left()
	}
}

// Cursor is a cross, to point at a voxel; on a line of the crosshair it is what moves that.
func (p *pane) Cursor() desktop.Cursor {
	switch p.near {
	case upright, curtain:
		return desktop.HResizeCursor
	case overviewed:
		return desktop.PointerCursor
	case level:
		return desktop.VResizeCursor
	}
	return desktop.CrosshairCursor
}

// FocusGained shows that keys go to the picture.
func (p *pane) FocusGained() { p.focused = true; p.Refresh() }

// FocusLost shows that they do not.
func (p *pane) FocusLost() { p.focused, p.quiet = false, false; p.Refresh() }

// TypedRune handles what is written.
func (p *pane) TypedRune(r rune) { p.rune(r) }

// TypedKey handles keys by name.
func (p *pane) TypedKey(e *fyne.KeyEvent) { p.key(e.Name, p.mods()) }

// MinSize is small: the picture takes what is left. With the panels it fits a screen of 1280 by 720 device
// pixels at twice the scale.
func (p *pane) MinSize() fyne.Size {
	p.ExtendBaseWidget(p)
	return fyne.NewSize(144, 120)
}

// work shows how far the work for the picture is.
func (p *pane) work(busy bool, done, total int) {
	share := float32(0)
	if total > 0 {
		share = float32(done) / float32(total)
	}
	if p.busy != busy || p.done != share {
		p.busy, p.done = busy, share
		p.Refresh()
	}
}
