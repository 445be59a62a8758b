package ui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// figureForm asks how a picture is made, and says how large it gets.
type figureForm struct {
	v      *View
	box    *fyne.Container
	part   *choice
	scale  *dialogEntry
	unit   *choice // of the scale
	by     int     // of figureScales
	size   *caption
	checks [4]*check
}

// The parts of the plane that a picture may show, by their texts.
var figureParts = [...]string{"figure.plane", "figure.view"}

// The ways in which the size of a picture may be told, by their texts.
var figureScales = [...]string{"figure.scale.percent", "figure.scale.um", "figure.scale.wide"}

const (
	byPercent = iota
	byLength  // µm a pixel, where the size of voxels is known
	byWidth   // pixels
)

func (v *View) newFigureForm() *figureForm {
	f := &figureForm{v: v, scale: v.newDialogEntry("100"), size: small("")}
	f.part = newChoice(v.tips, []string{Say(figureParts[0]), Say(figureParts[1])}, Say("figure.part.tip"), nil)
	f.part.set(Say(figureParts[0]))
	f.part.OnChanged = func(string) { f.say() }
	f.scale.OnChanged = func(string) { f.say() }
	scales := []string{Say(figureScales[byPercent]), Say(figureScales[byLength]), Say(figureScales[byWidth])}
	f.unit = newChoice(v.tips, scales, Say("figure.scale.tip"), nil)
	f.unit.set(scales[byPercent])
	f.unit.OnChanged = func(string) { f.turn(f.unit.SelectedIndex()) }
	s := v.session.State()
	for i, name := range [...]string{"figure.bar", "figure.stamp", "figure.legend", "figure.shapes"} {
		f.checks[i] = newCheck(v.tips, Say(name), Say(name+".tip"), nil)
	}
	f.checks[0].set(s.ScaleBar)
	f.checks[1].set(s.Stamp)
	f.checks[2].set(s.Legend)
	f.checks[3].set(len(s.Shapes) > 0)
	f.box = stacked(8,
		labelled(Say("figure.part"), f.part),
		labelled(Say("figure.scale"), container.NewBorder(nil, nil, container.NewHBox(fixed(96, f.scale), fixed(150, f.unit)), nil, padded(8, 0, f.size))),
		labelled(Say("figure.on"), container.NewGridWithColumns(2, f.checks[0], f.checks[1], f.checks[2], f.checks[3])))
	f.say()
	return f
}

// mostFigure is the largest scale, in pixels a voxel.
const mostFigure = 64

// pixels are those of the picture for a voxel along X; ok is false where the scale is no number that can be.
func (f *figureForm) pixels() (n float64, ok bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(f.scale.Text), "%")), 64)
	if err != nil || !(v > 0) {
		return 0, false
	}
	each, ok := f.each()
	switch f.by {
	case byLength:
		n = each / v
	default:
		n = v * each
	}
	return n, ok && n > 0 && n <= mostFigure
}

// each is what the unit makes of a number: pixels a voxel for one, or, of µm a pixel, the µm of a voxel.
func (f *figureForm) each() (v float64, ok bool) {
	sc := f.v.session.Scene()
	switch f.by {
	case byLength:
		um := sc.Meta().Scale[lazy.X]
		return um, um > 0
	case byWidth:
		wide := sc.Wide(f.v.session.State(), f.part.Selected == Say(figureParts[1]))
		return 1 / wide, wide > 0
	}
	return 0.01, true
}

// turn tells the same size another way.
func (f *figureForm) turn(by int) {
	pixels, ok := f.pixels()
	f.by = by
	if each, known := f.each(); ok && known {
		v := pixels / each
		if by == byLength {
			v = each / pixels
		}
		f.scale.SetText(strconv.FormatFloat(v, 'g', 4, 64))
	}
	f.say()
}

// figure is what is asked for; ok is false where the scale is no number.
func (f *figureForm) figure() (g viewer.Figure, ok bool) {
	pixels, ok := f.pixels()
	if !ok {
		return g, false
	}
	return viewer.Figure{View: f.part.Selected == Say(figureParts[1]), Pixels: pixels,
		Bar: f.checks[0].Checked, Stamp: f.checks[1].Checked, Legend: f.checks[2].Checked, Shapes: f.checks[3].Checked}, true
}

// say tells how many pixels the picture gets, or what is wrong.
func (f *figureForm) say() {
	g, ok := f.figure()
	if _, known := f.each(); !known {
		f.size.set(Say("figure.scale.unknown"))
		return
	}
	if !ok {
		f.size.set(Say("figure.scale.wrong"))
		return
	}
	s, err := g.Sized(f.v.session.Scene(), f.v.session.State())
	if err != nil {
		f.size.set(plain(err))
		return
	}
	f.size.set(Say("figure.size", "W", group(s.Size.X), "H", group(s.Size.Y)))
}

// AskPicture asks how a picture of the plane on view is made and where it goes.
func (v *View) AskPicture(folder, name string, endings []string, do func(f viewer.Figure, path string, replace bool)) {
	if v.session == nil || len(v.dialogs) > 0 {
		return
	}
	form := v.newFigureForm()
	wrong := func() string {
		if _, ok := form.figure(); !ok {
			return Say("figure.scale.wrong")
		}
		return ""
	}
	v.askFile(Say("app.export.picture.title"), folder, name, endings, fileForm{form.box, []*dialogEntry{form.scale}, wrong}, func(path string, replace bool) {
		f, _ := form.figure()
		do(f, path, replace)
	})
}

// movieForm asks how a movie goes, too.
type movieForm struct {
	*figureForm
	axis           *choice
	from, to, rate *dialogEntry
	back           *check
}

// AskMovie asks how a movie through the volume is made and where it goes; about is what is to be said of the kinds of files.
func (v *View) AskMovie(folder, name, about string, endings []string, do func(m viewer.Movie, path string, replace bool)) {
	if v.session == nil || len(v.dialogs) > 0 {
		return
	}
	shape := v.session.Scene().Meta().Shape
	_, _, normal := v.session.State().Cut.Axes()
	var axes []string
	for _, a := range []lazy.Axis{lazy.T, normal} {
		if shape[a] > 1 {
			axes = append(axes, strings.ToUpper(a.String()))
		}
	}
	if len(axes) == 0 {
		v.Note(Say("movie.single"))
		return
	}
	m := &movieForm{figureForm: v.newFigureForm(), from: v.newDialogEntry("1"), to: v.newDialogEntry(""), rate: v.newDialogEntry("10")}
	m.checks[1].set(true)
	m.axis = newChoice(v.tips, axes, Say("movie.axis.tip"), nil)
	m.axis.OnChanged = func(string) { m.to.SetText(strconv.Itoa(shape[m.along()])) }
	m.axis.SetSelected(axes[0])
	m.back = newCheck(v.tips, Say("movie.back"), Say("movie.back.tip"), nil)
	dash := newCaption("…", theme.ColorNamePlaceHolder, theme.SizeNameText)
	m.box.Add(labelled(Say("movie.along"), container.NewHBox(fixed(72, m.axis), fixed(72, m.from), fixed(12, dash), fixed(72, m.to))))
	m.box.Add(labelled(Say("movie.rate"), container.NewHBox(fixed(72, m.rate), m.back)))
	if about != "" {
		m.box.Add(newParagraph(about, theme.ColorNamePlaceHolder, sizeCaption).Container)
	}
	wrong := func() string {
		if _, ok := m.figure(); !ok {
			return Say("figure.scale.wrong")
		}
		if _, ok := m.movie(shape); !ok {
			return Say("movie.wrong")
		}
		return ""
	}
	v.askFile(Say("movie.title"), folder, name, endings, fileForm{m.box, []*dialogEntry{m.scale, m.from, m.to, m.rate}, wrong}, func(path string, replace bool) {
		movie, _ := m.movie(shape)
		do(movie, path, replace)
	})
}

// along is the axis that is chosen.
func (m *movieForm) along() lazy.Axis {
	for a := range lazy.Rank {
		if strings.EqualFold(m.axis.Selected, lazy.Axis(a).String()) {
			return lazy.Axis(a)
		}
	}
	return lazy.Z
}

// movie is what is asked for; ok is false where a number is none, or none that there is.
func (m *movieForm) movie(shape lazy.Shape) (viewer.Movie, bool) {
	f, ok := m.figure()
	from, e1 := strconv.Atoi(strings.TrimSpace(m.from.Text))
	to, e2 := strconv.Atoi(strings.TrimSpace(m.to.Text))
	rate, e3 := strconv.ParseFloat(strings.TrimSpace(m.rate.Text), 64)
	n := shape[m.along()]
	ok = ok && e1 == nil && e2 == nil && e3 == nil && from >= 1 && to >= 1 && from <= n && to <= n && rate >= 0.01 && rate <= 1000
	return viewer.Movie{Figure: f, Axis: m.along(), From: from - 1, To: to - 1, Rate: rate, Back: m.back.Checked}, ok
}
