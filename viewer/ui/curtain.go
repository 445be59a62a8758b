package ui

import (
	"image"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// A veil is the stored picture to the left of the curtain, the line, and what stands on either side of it.
type veil struct {
	p      *pane
	raster *canvas.Raster
	last   *image.RGBA // the newest picture behind the curtain
	part   *image.RGBA // as much of it as is seen, which the toolkit wants tightly packed
	line   *canvas.Rectangle
	knob   *canvas.Rectangle
	plates [2]*canvas.Rectangle
	words  [2]*canvas.Text
}

func newVeil(p *pane) *veil {
	v := &veil{p: p, line: canvas.NewRectangle(nil), knob: canvas.NewRectangle(nil), part: &image.RGBA{}}
	v.raster = canvas.NewRaster(v.picture)
	v.raster.ScaleMode = canvas.ImageScalePixels
	v.knob.CornerRadius = 3
	for i := range v.words {
		v.plates[i], v.words[i] = canvas.NewRectangle(color.NRGBA{A: 0x80}), canvas.NewText("", color.White)
		v.plates[i].CornerRadius = 3
	}
	p.veil = v
	return v
}

// parted reports whether a curtain hangs in this picture.
func (p *pane) parted() bool { return p.session != nil && p.index == 0 && p.session.State().Parted() }

// curtainAt is where it hangs, on a whole device pixel.
func (p *pane) curtainAt() float32 {
	k := p.scale()
	return float32(float64(int(p.session.State().Curtain*float64(p.Size().Width)*k)) / k)
}

// frame takes the newest picture.
func (v *veil) frame() {
	if !v.p.parted() {
		v.last = nil
		return
	}
	if f := v.p.session.Behind(); f != nil && f.Image != v.last {
		v.last = f.Image
		hidden := v.raster.Hidden
		v.raster.Hidden = false
		v.layout(v.p.Size())
		v.p.repaint(v.raster, hidden)
	}
}

// picture is the left part of the picture behind, as wide as asked for.
func (v *veil) picture(w, h int) image.Image {
	if f := v.p.session; f == nil || v.last == nil {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	w, h = min(w, v.last.Rect.Dx()), min(h, v.last.Rect.Dy())
	if n := 4 * w * h; cap(v.part.Pix) < n {
		v.part.Pix = make([]byte, n)
	}
	v.part.Pix, v.part.Stride, v.part.Rect = v.part.Pix[:4*w*h], 4*w, image.Rect(0, 0, w, h)
	for y := range h {
		copy(v.part.Pix[y*v.part.Stride:][:4*w], v.last.Pix[y*v.last.Stride:])
	}
	return v.part
}

func (v *veil) layout(size fyne.Size) {
	if !v.p.parted() {
		return
	}
	x := v.p.curtainAt()
	v.raster.Move(fyne.Position{})
	v.raster.Resize(fyne.NewSize(x, size.Height))
	v.line.Move(fyne.NewPos(x, 0))
	v.line.Resize(fyne.NewSize(1, size.Height))
	const wide, tall = 7, 28
	v.knob.Move(fyne.NewPos(x-wide/2, (size.Height-tall)/2))
	v.knob.Resize(fyne.NewSize(wide, tall))
	const top, pad = 12, 6
	for i, text := range v.words {
		s := text.MinSize()
		left := x - s.Width - 2*pad - 8
		if i == 1 {
			left = x + 9
		}
		v.plates[i].Move(fyne.NewPos(left, top))
		v.plates[i].Resize(s.AddWidthHeight(2*pad, 4))
		text.Move(fyne.NewPos(left+pad, top+2))
		text.Resize(s)
		outside := left < 0 || left+s.Width+2*pad > size.Width
		text.Hidden, v.plates[i].Hidden = outside, outside
	}
}

func (v *veil) refresh() {
	off := !v.p.parted()
	names := [...]string{"compare.original", "compare.result"}
	if !off && len(v.p.session.State().Aside) > 0 {
		names[0] = "compare.aside"
	}
	for i, key := range names {
		v.words[i].Text, v.words[i].TextSize = Say(key), theme.Size(sizeCaption)
		v.words[i].Hidden, v.plates[i].Hidden = off, off
	}
	v.raster.Hidden, v.line.Hidden, v.knob.Hidden = off || v.last == nil, off, off
	v.line.FillColor, v.knob.FillColor = shade(theme.ColorNamePrimary), shade(theme.ColorNamePrimary)
}

func (v *veil) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{v.raster, v.line, v.knob, v.plates[0], v.words[0], v.plates[1], v.words[1]}
}

// compare sees the result against the stored voxels in a way; asked again, alone.
func (v *View) compare(c viewer.Comparison) {
	if v.incomparable() {
		return
	}
	if v.session.State().Compare == c {
		c = viewer.Result
	}
	v.act(viewer.SetComparison(c))
}

// flip sees the stored voxels in the place of the result, and back.
func (v *View) flip() {
	if !v.incomparable() {
		v.act(viewer.Flip())
	}
}

// incomparable says why there is nothing to compare the result with, and reports whether that is so.
func (v *View) incomparable() bool {
	if v.session == nil {
		return true
	}
	sc, s := v.session.Scene(), v.session.State()
	switch {
	case s.Compare != viewer.Result || sc.Comparable(s) || sc.Fault != nil: // why filters cannot be applied is said already
		return false
	case sc.Filtered():
		v.Note(Say("compare.shape"))
	default:
		v.Note(Say("compare.nothing"))
	}
	return true
}

// blinkPace is how long each picture stands while two of them blink.
const blinkPace = 600 * time.Millisecond

// blink goes to and fro between the result and the stored voxels, or ends that.
func (v *View) blink() {
	if v.blinking != nil {
		v.stopBlinking()
		v.checkMenus()
		return
	}
	if v.incomparable() {
		return
	}
	v.blinkOn()
}

func (v *View) blinkOn() {
	v.blinking = time.AfterFunc(blinkPace, func() {
		v.Do(func() {
			if v.blinking != nil {
				v.blinkOn()
			}
		})
	})
	v.act(viewer.Flip())
}

// stopBlinking leaves the result on view.
func (v *View) stopBlinking() {
	if v.blinking != nil {
		v.blinking.Stop()
		v.blinking = nil
		v.act(viewer.SetComparison(viewer.Result))
	}
}
