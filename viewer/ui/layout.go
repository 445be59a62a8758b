package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// fixedWidth lays its one object out at a width, however wide it would like to be.
type fixedWidth float32

func (w fixedWidth) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(float32(w), o[0].MinSize().Height)
}

func (w fixedWidth) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(size)
}

func fixed(width float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(fixedWidth(width), o)
}

// sized lays its one object out at a size.
type sized fyne.Size

func (s sized) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size(s) }

func (s sized) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(size)
}

// fixedTall shows an object in a row of a height, at whatever width there is.
func fixedTall(height float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(sized{0, height}, o)
}

// column stacks objects with a gap of a grid step, each as wide as the column.
type column struct{ gap float32 }

func (c column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var s fyne.Size
	n := 0
	for _, o := range objects {
		if o.Visible() {
			m := o.MinSize()
			s.Width, s.Height = max(s.Width, m.Width), s.Height+m.Height
			n++
		}
	}
	s.Height += c.gap * float32(max(0, n-1))
	return s
}

func (c column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if o.Visible() {
			h := o.MinSize().Height
			o.Move(fyne.NewPos(0, y))
			o.Resize(fyne.NewSize(size.Width, h))
			y += h + c.gap
		}
	}
}

func stacked(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(column{gap}, objects...)
}

// inset leaves room around its object.
type inset struct{ x, y float32 }

func (i inset) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(2*i.x, 2*i.y)
}

func (i inset) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(i.x, i.y))
	o[0].Resize(size.SubtractWidthHeight(2*i.x, 2*i.y))
}

func padded(x, y float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(inset{x, y}, o)
}

// A tinted is a rectangle in a colour of the theme, which follows when the theme changes.
type tinted struct {
	widget.BaseWidget
	name fyne.ThemeColorName
}

func newTinted(n fyne.ThemeColorName) *tinted {
	t := &tinted{name: n}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer draws the rectangle.
func (t *tinted) CreateRenderer() fyne.WidgetRenderer {
	r := &tintedLook{t: t, rect: canvas.NewRectangle(shade(t.name))}
	return r
}

type tintedLook struct {
	t    *tinted
	rect *canvas.Rectangle
}

func (r *tintedLook) Layout(s fyne.Size)           { r.rect.Resize(s) }
func (r *tintedLook) MinSize() fyne.Size           { return fyne.Size{} }
func (r *tintedLook) Destroy()                     {}
func (r *tintedLook) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *tintedLook) Refresh() {
	r.rect.FillColor = shade(r.t.name)
	r.rect.Refresh()
}

// on puts an object on a ground of a colour.
func on(n fyne.ThemeColorName, o fyne.CanvasObject) *fyne.Container {
	return container.NewStack(newTinted(n), o)
}

// rule is a thin line.
func rule() fyne.CanvasObject { return widget.NewSeparator() }

// flush lays objects out around a middle, without gaps; any of the four may be nil or hidden.
type flush struct{ top, bottom, left, right, middle fyne.CanvasObject }

func seen(o fyne.CanvasObject) fyne.Size {
	if o == nil || !o.Visible() {
		return fyne.Size{}
	}
	return o.MinSize()
}

func (f flush) MinSize([]fyne.CanvasObject) fyne.Size {
	t, b, l, r, m := seen(f.top), seen(f.bottom), seen(f.left), seen(f.right), seen(f.middle)
	return fyne.NewSize(max(t.Width, b.Width, l.Width+m.Width+r.Width), t.Height+b.Height+max(l.Height, m.Height, r.Height))
}

func (f flush) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	t, b, l, r := seen(f.top), seen(f.bottom), seen(f.left), seen(f.right)
	between := max(0, size.Height-t.Height-b.Height)
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		if o != nil && o.Visible() {
			o.Move(fyne.NewPos(x, y))
			o.Resize(fyne.NewSize(w, h))
		}
	}
	put(f.top, 0, 0, size.Width, t.Height)
	put(f.bottom, 0, size.Height-b.Height, size.Width, b.Height)
	put(f.left, 0, t.Height, l.Width, between)
	put(f.right, size.Width-r.Width, t.Height, r.Width, between)
	put(f.middle, l.Width, t.Height, max(0, size.Width-l.Width-r.Width), between)
}

func around(top, bottom, left, right, middle fyne.CanvasObject) *fyne.Container {
	c := container.New(flush{top, bottom, left, right, middle})
	for _, o := range []fyne.CanvasObject{left, middle, right, top, bottom} { // the order of Tab
		if o != nil {
			c.Objects = append(c.Objects, o)
		}
	}
	return c
}

// halves puts two objects side by side, equally wide, with a gap.
type halves float32

func (g halves) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(2*max(a.Width, b.Width)+float32(g), max(a.Height, b.Height))
}

func (g halves) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := (size.Width - float32(g)) / 2
	for i, o := range o {
		o.Move(fyne.NewPos(float32(i)*(w+float32(g)), 0))
		o.Resize(fyne.NewSize(w, size.Height))
	}
}

// headRow lays a heading out with small buttons at the right end of its line, which make it no taller.
type headRow struct{}

func (headRow) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (headRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const side = 24
	right := size.Width
	for i := len(o) - 1; i > 0; i-- {
		right -= side
		o[i].Move(fyne.NewPos(right, (size.Height-side)/2))
		o[i].Resize(fyne.NewSize(side, side))
	}
	o[0].Resize(fyne.NewSize(right, size.Height))
}

// headed is the heading of a part of a panel, with buttons.
func headed(words string, buttons ...fyne.CanvasObject) *fyne.Container {
	return container.New(headRow{}, append([]fyne.CanvasObject{heading(words)}, buttons...)...)
}
