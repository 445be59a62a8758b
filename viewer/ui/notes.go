package ui

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	subpixel "golang.org/x/image/math/fixed"

	"lamella/viewer"
)

// notes are what is written on the picture in its own pixels: the time and place, the colours of the channels, and on
// large voxels their values, with a grid between them.
type notes struct {
	p        *pane
	raster   *canvas.Raster
	cells    []viewer.Cell
	geometry viewer.Geometry // of the picture that they are of
	number   int             // of that picture
	state    viewer.State    // that the notes were drawn for
	titled   string          // the title that they were drawn with
	face     font.Face       // of the values
	high     float64         // its letters, in device pixels
}

func newNotes(p *pane) *notes {
	n := &notes{p: p}
	n.raster = canvas.NewRaster(n.picture)
	n.raster.ScaleMode = canvas.ImageScalePixels
	p.notes = n
	return n
}

// frame takes the values of a new picture.
func (n *notes) frame(f *viewer.Frame) {
	if n == nil || f.Number == n.number || len(n.cells) == 0 && len(f.Cells) == 0 {
		return
	}
	n.cells, n.geometry, n.number = f.Cells, f.Geometry, f.Number
	hidden := n.raster.Hidden
	n.refresh()
	n.layout(n.p.Size())
	n.p.repaint(n.raster, hidden)
}

// wanted reports whether there is anything to write.
func (n *notes) wanted() bool {
	if n.p.session == nil {
		return false
	}
	s := n.p.session.State()
	return n.p.index == 0 && (s.Stamp || s.Legend) || s.Values && len(n.cells) > 0 || n.title() != ""
}

// title is the name of the image or of the channel, where several stand side by side.
func (n *notes) title() string {
	s := n.p.session.State()
	if n.p.index >= s.Panes() {
		return ""
	}
	switch p := n.p.state(); {
	case s.Arrangement == viewer.ByChannel && s.Panes() > 1 && p.Active() < len(p.Channels):
		return p.Channels[p.Active()].Name
	case s.Arrangement != viewer.ByImage:
		return ""
	}
	return imageName(n.p.session.Set(), n.p.state().Image)
}

func (n *notes) layout(size fyne.Size) {
	if !n.raster.Hidden {
		n.raster.Resize(size)
	}
}

func (n *notes) refresh() {
	n.raster.Hidden = !n.wanted()
	if n.raster.Hidden {
		return
	}
	if title := n.title(); title != n.titled {
		n.titled = title
		n.raster.Refresh()
	}
	if s := n.p.state(); s.At != n.state.At || s.Size != n.state.Size || s.Stamp != n.state.Stamp || s.Legend != n.state.Legend || s.Legend && !sameColours(s, n.state) {
		n.state = s
		n.raster.Refresh()
	}
}

// sameColours reports whether the legends of two states are the same.
func sameColours(a, b viewer.State) bool {
	if a.Solo != b.Solo || len(a.Channels) != len(b.Channels) {
		return false
	}
	for i := range a.Channels {
		if a.Channels[i] != b.Channels[i] {
			return false
		}
	}
	return true
}

func (n *notes) objects() []fyne.CanvasObject { return []fyne.CanvasObject{n.raster} }

// noteLetters is how tall letters are, in units.
const noteLetters = 12

// picture draws the notes in device pixels.
func (n *notes) picture(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if !n.wanted() {
		return img
	}
	sc, s, letters := n.p.session.Scene(), n.p.state(), math.Round(noteLetters*n.p.scale())
	if s.Values && len(n.cells) > 0 && n.geometry.W == w && n.geometry.H == h {
		n.grid(img)
		n.values(img)
	}
	if n.p.index == 0 {
		for _, b := range sc.Notes(s, letters).Boxes { // nothing else is read through their plates
			draw.Draw(img, image.Rect(int(b.X), int(b.Y), int(math.Ceil(b.X+b.W)), int(math.Ceil(b.Y+b.H))), image.Transparent, image.Point{}, draw.Src)
		}
		_ = sc.Notes(s, letters).On(img) // the font is in the program
	}
	if title := n.title(); title != "" {
		_ = viewer.Titled(title, float64(w), letters).On(img)
	}
	return img
}

// grid draws lines between voxels.
func (n *notes) grid(img *image.RGBA) {
	line := color.RGBA{0x60, 0x60, 0x60, 0x60}
	first, last := n.cells[0], n.cells[len(n.cells)-1]
	x0, y0 := n.geometry.Pixel(float64(first.Across)-0.5, float64(first.Down)-0.5)
	x1, y1 := n.geometry.Pixel(float64(last.Across)+0.5, float64(last.Down)+0.5)
	within := func(v float64, most int) int { return max(0, min(most, int(math.Round(v)))) }
	left, right, top, below := within(x0, img.Rect.Dx()), within(x1, img.Rect.Dx()), within(y0, img.Rect.Dy()), within(y1, img.Rect.Dy())
	for a := first.Across; a <= last.Across+1; a++ {
		x, _ := n.geometry.Pixel(float64(a)-0.5, 0)
		for y := top; y < below; y++ {
			img.SetRGBA(int(math.Round(x)), y, line)
		}
	}
	for d := first.Down; d <= last.Down+1; d++ {
		_, y := n.geometry.Pixel(0, float64(d)-0.5)
		for x := left; x < right; x++ {
			img.SetRGBA(x, int(math.Round(y)), line)
		}
	}
}

// values writes the values of each voxel on it, a line for each channel, where there is room for all.
func (n *notes) values(img *image.RGBA) {
	high := math.Round(10 * n.p.scale())
	if n.face == nil || n.high != high {
		f, err := opentype.Parse(goregular.TTF)
		if err == nil {
			n.face, err = opentype.NewFace(f, &opentype.FaceOptions{Size: high, DPI: 72, Hinting: font.HintingFull})
		}
		if err != nil {
			return
		}
		n.high = high
	}
	lines := len(n.cells[0].Values)
	d := font.Drawer{Dst: img, Face: n.face}
	longest := subpixel.Int26_6(0)
	for _, c := range n.cells {
		for _, v := range c.Values {
			longest = max(longest, d.MeasureString(v.Text))
		}
	}
	if float64(longest)/64+8 > n.geometry.Pixels[0] || float64(lines)*1.2*high+2 > n.geometry.Pixels[1] {
		return
	}
	for _, c := range n.cells {
		x, y := n.geometry.Pixel(float64(c.Across), float64(c.Down))
		d.Src = image.White
		if c.Light {
			d.Src = image.Black
		}
		for i, v := range c.Values {
			wide := float64(d.MeasureString(v.Text)) / 64
			line := y + (float64(i)-float64(len(c.Values)-1)/2)*1.2*high + 0.36*high
			d.Dot = subpixel.Point26_6{X: subpixel.Int26_6(64 * math.Round(x-wide/2)), Y: subpixel.Int26_6(64 * math.Round(line))}
			d.DrawString(v.Text)
		}
	}
}
