package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// tools are what the left button may do over the picture, in the order of the row, each with what its picture is
// drawn by in a square of 16.
var tools = [...]struct {
	kind viewer.ShapeKind
	name string // of its texts: the menu's entry is menu.tool.NAME, its tip tool.NAME.tip
	path string
}{
	{viewer.NoShape, "pan", "M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.500l2 2 2-2M3.500 6l-2 2 2 2M12.500 6l2 2-2 2"},
	{viewer.Line, "line", "M3 13L13 3"},
	{viewer.Angle, "angle", "M13.500 13H2.500L10.500 3M7 13a4.500 4.500 0 0 0-1.700-3.500"},
	{viewer.Rectangle, "rectangle", "M2.500 3.500h11v9h-11z"},
	{viewer.Ellipse, "ellipse", "M1.500 8a6.500 4.500 0 1 0 13 0a6.500 4.500 0 1 0-13 0z"},
	{viewer.Polygon, "polygon", "M3 5.500L8.500 2l5 4.500-2.500 7H4.500z"},
	{viewer.Point, "point", "M8 2v4.500M8 9.500V14M2 8h4.500M9.500 8H14"},
}

// ifRoom lays the tools out at the right of the line above the picture, where there is room for them beside it.
type ifRoom struct{}

func (ifRoom) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (ifRoom) Layout(o []fyne.CanvasObject, size fyne.Size) {
	tools := o[1].MinSize()
	if size.Width < o[0].MinSize().Width+tools.Width+80 {
		o[1].Hide()
		o[0].Resize(size)
		return
	}
	o[1].Show()
	o[0].Resize(fyne.NewSize(size.Width-tools.Width-8, size.Height))
	o[1].Move(fyne.NewPos(size.Width-tools.Width, (size.Height-tools.Height)/2))
	o[1].Resize(tools)
}

// A toolIcon is the picture of a tool, in the colour that letters have on its button. The toolkit's own themed
// pictures colour what is filled, and these are lines.
type toolIcon struct {
	name, path string
	on         bool // the tool is chosen
}

func (t toolIcon) color() string {
	n := theme.ColorNameForeground
	if t.on {
		n = theme.ColorNameForegroundOnPrimary
	}
	r, g, b, _ := shade(n).RGBA()
	return fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)
}

// Name tells pictures apart, for the toolkit keeps them.
func (t toolIcon) Name() string { return "tool-" + t.name + "-" + t.color() + ".svg" }

// Content is the picture.
func (t toolIcon) Content() []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><path d="` + t.path +
		`" fill="none" stroke="#` + t.color() + `" stroke-width="1.5"/></svg>`)
}

// toolRow chooses what the left button does.
type toolRow struct {
	box     *fyne.Container
	buttons [len(tools)]*button
}

func newToolRow(of *tips, take func(viewer.ShapeKind)) *toolRow {
	r := &toolRow{box: container.NewHBox()}
	for i, t := range tools {
		r.buttons[i] = newIcon(of, toolIcon{t.name, t.path, false}, Say("tool."+t.name+".tip"), func() { take(t.kind) })
		r.box.Add(container.New(sized{26, 22}, r.buttons[i]))
	}
	return r
}

func (r *toolRow) update(s viewer.State) {
	for i, t := range tools {
		look := widget.LowImportance
		if t.kind == s.Pencil.Tool {
			look = widget.HighImportance
		}
		icon := toolIcon{t.name, t.path, look == widget.HighImportance}
		if b := r.buttons[i]; b.Importance != look || b.Icon.Name() != icon.Name() {
			b.Importance = look
			b.SetIcon(icon)
		}
	}
}
