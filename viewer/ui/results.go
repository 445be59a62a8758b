package ui

import (
	"image/color"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
	"lamella/viewer"
)

// resultsPanel lies below the picture: the profile of what is chosen, and a table of what all shapes measure.
type resultsPanel struct {
	box   *fyne.Container
	v     *View
	plot  *plot
	list  *widget.List
	none  *caption
	blank *caption  // in the place of a plot that has nothing to show
	along lazy.Axis // of profiles at points
	axis  *choice
	rows  []viewer.Measurement
	asked asked // what the table and the plot answer, or will
}

// asked is what was measured last; the same again asks for nothing.
type asked struct {
	scene    *viewer.Scene
	shapes   []viewer.Shape
	channels []int
	chosen   int
	along    lazy.Axis
	colors   []color.NRGBA
}

const resultsTall = 176

// resultColumns are those of the table, by the keys of their headings.
var resultColumns = [...]tableColumn{{"results.shape", 88, true}, {"results.channel", 72, true}, {"results.plane", 52, true}, {"results.voxels", 58, false}, {"results.size", 78, false},
	{"results.mean", 62, false}, {"results.sd", 62, false}, {"results.min", 56, false}, {"results.max", 56, false}}

func newResultsPanel(v *View) *resultsPanel {
	p := &resultsPanel{v: v, plot: newPlot(), along: lazy.Z}
	p.none = newCaption(Say("results.none"), theme.ColorNamePlaceHolder, sizeCaption)
	p.none.align = fyne.TextAlignCenter
	p.blank = newCaption(Say("results.plot.none"), theme.ColorNamePlaceHolder, sizeCaption)
	p.blank.align = fyne.TextAlignCenter
	p.list = widget.NewList(func() int { return len(p.rows) }, func() fyne.CanvasObject { return newTableRow(resultColumns[:]) }, func(i widget.ListItemID, o fyne.CanvasObject) {
		if sc, s := v.session.Scene(), v.session.State(); i < len(p.rows) && p.rows[i].Shape < len(s.Shapes) {
			texts := resultTexts(sc, s, p.rows[i])
			o.(*tableRow).set(texts[:], p.rows[i].Shape == s.Chosen)
		}
	})
	p.list.HideSeparators = true
	p.list.OnSelected = func(i widget.ListItemID) {
		p.list.UnselectAll()
		if i < len(p.rows) {
			v.act(viewer.Choose(p.rows[i].Shape))
		}
	}
	head := newTableRow(resultColumns[:])
	head.heading = true
	var titles []string
	for _, c := range resultColumns {
		titles = append(titles, Say(c.title))
	}
	head.set(titles, false)
	p.axis = newChoice(v.tips, []string{"Z", "T"}, Say("results.along.tip"), func(a string) {
		p.along = lazy.Z
		if a == "T" {
			p.along = lazy.T
		}
		v.update()
	})
	p.axis.set("Z")
	save := newIcon(v.tips, theme.DocumentSaveIcon(), Say("results.save.tip"), func() { v.asks.ExportResults() })
	clear := newIcon(v.tips, theme.DeleteIcon(), Say("results.clear.tip"), func() { v.act(viewer.RemoveShapes()) })
	fold := newIcon(v.tips, theme.CancelIcon(), Say("results.close.tip"), v.ToggleResults)
	top := container.NewBorder(nil, nil, fixed(160, heading(Say("results.title"))), container.NewHBox(container.New(sized{64, 24}, p.axis), iconed(26, save), iconed(26, clear), iconed(26, fold)))
	wide := float32(24)
	for _, c := range resultColumns {
		wide += c.wide
	}
	table := around(head, nil, nil, nil, container.NewStack(p.list, container.NewCenter(fixed(480, p.none))))
	p.box = stacked(0, rule(), on(colorPanel, fixedTall(resultsTall, padded(panelRoom, 4, around(top, nil, nil, nil, container.New(beside(wide), container.NewStack(p.plot, container.NewCenter(fixed(340, p.blank))), table))))))
	p.box.Hide()
	return p
}

// beside lays a table out at the right, at its width or at two thirds of what there is, and a plot in the rest.
type beside float32

func (b beside) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(320, 80) }

func (b beside) Layout(o []fyne.CanvasObject, size fyne.Size) {
	table := min(float32(b), size.Width*2/3)
	o[0].Move(fyne.NewPos(0, 4))
	o[0].Resize(size.SubtractWidthHeight(table+16, 8))
	o[1].Move(fyne.NewPos(size.Width-table, 0))
	o[1].Resize(fyne.NewSize(table, size.Height))
}

// iconed gives an icon a square of a width.
func iconed(wide float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(sized{wide, 24}, o)
}

// ToggleResults folds the panel of results away, or out again.
func (v *View) ToggleResults() {
	v.results.box.Hidden = !v.results.box.Hidden
	v.middle.Refresh()
	v.notices.Refresh()
	v.update()
}

// update asks for what is on view to be measured, if that is something else than before.
func (p *resultsPanel) update(sc *viewer.Scene, s viewer.State) {
	if p.box.Hidden {
		return
	}
	now := asked{sc, s.Shapes, s.Shown(), s.Chosen, p.along, nil}
	for _, c := range now.channels {
		rgb := s.Channels[c].Color
		now.colors = append(now.colors, seenColor(rgb))
	}
	was := p.asked
	p.asked = now
	same := was.scene == now.scene && slices.Equal(was.channels, now.channels)
	if !same || !equalShapes(was.shapes, now.shapes) {
		p.v.session.Measure(s.Shapes, now.channels, func(m []viewer.Measurement, err error) {
			if err != nil {
				p.v.Fail(err)
				return
			}
			p.rows = m
			p.none.Hidden = len(m) > 0
			p.list.Refresh()
			p.reveal(p.asked.chosen)
		})
	}
	if was.chosen != now.chosen {
		p.list.Refresh()
		p.reveal(now.chosen)
	}
	if !same || was.chosen != now.chosen || was.along != now.along || !slices.Equal(was.colors, now.colors) || !equalShapes(was.shapes, now.shapes) {
		p.profile(s, now)
	}
}

// reveal scrolls the table to the lines of a shape.
func (p *resultsPanel) reveal(shape int) {
	of := func(m viewer.Measurement) bool { return m.Shape == shape }
	first := slices.IndexFunc(p.rows, of)
	if first < 0 {
		return
	}
	last := first
	for last+1 < len(p.rows) && of(p.rows[last+1]) {
		last++
	}
	p.list.ScrollTo(last)
	p.list.ScrollTo(first)
}

// profile has the plot show the line that is chosen, or the values at the point that is, along Z or T.
func (p *resultsPanel) profile(s viewer.State, now asked) {
	h := viewer.Shape{}
	if s.Chosen >= 0 {
		h = s.Shapes[s.Chosen]
	}
	along, choice := p.along, true // of a point, along an axis that has more than one plane
	for from, to := range map[lazy.Axis]lazy.Axis{lazy.Z: lazy.T, lazy.T: lazy.Z} {
		if now.scene.Meta().Shape[from] < 2 {
			along, choice = to, false
		}
	}
	if p.axis.Hidden == (choice && h.Kind == viewer.Point) {
		p.axis.Hidden = !p.axis.Hidden
		p.box.Refresh()
	}
	title := ""
	show := func(all []viewer.Profile, err error) {
		if err != nil {
			p.v.Fail(err)
			return
		}
		var curves []curve
		for i, f := range all {
			curves = append(curves, curve{f, now.colors[i]})
		}
		p.draw(title, curves)
	}
	switch h.Kind {
	case viewer.Line:
		title = Say("results.along.line")
		p.v.session.Profile(h, now.channels, show)
	case viewer.Point:
		title = along.String()
		p.v.session.Through(h.Voxel(), along, now.channels, show)
	default:
		p.draw("", nil)
	}
}

// draw has the plot show curves, or say what it would show.
func (p *resultsPanel) draw(title string, curves []curve) {
	p.plot.set(title, curves)
	_, _, ok := p.plot.span()
	if hide := ok || len(p.asked.shapes) == 0; p.blank.Hidden != hide {
		p.blank.Hidden = hide
		p.box.Refresh()
	}
}

func equalShapes(a, b []viewer.Shape) bool {
	return slices.EqualFunc(a, b, func(a, b viewer.Shape) bool { return a.Equal(b) })
}

// resultTexts is a line of the table.
func resultTexts(sc *viewer.Scene, s viewer.State, m viewer.Measurement) [len(resultColumns)]string {
	h := s.Shapes[m.Shape]
	name := h.Name
	if name == "" {
		name = strconv.Itoa(m.Shape+1) + "  " + Say("shape."+h.Kind.String())
	}
	_, _, normal := h.Cut.Axes()
	t := [len(resultColumns)]string{name, s.Channels[m.Channel].Name, normal.String() + " " + strconv.Itoa(h.At[normal]+1), "", sc.Measures(h)}
	if h.Kind == viewer.Angle {
		return t
	}
	if h.Kind != viewer.Line {
		t[3] = group(m.Voxels)
	}
	for i, v := range [...]float64{m.Mean, m.SD, m.Least, m.Most} {
		if m.Voxels > m.NotFinite {
			t[5+i] = number(v)
		}
	}
	return t
}
