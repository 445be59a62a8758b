package ui

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A valueRow is one number that a stencil declares: its name, a slider where it has a range, and a field.
type valueRow struct {
	box    *fyne.Container
	param  viewer.Param
	slider *slider // nil without a range
	field  *field
}

// valueActs is what a row asks for.
type valueActs struct {
	set    func(name, value string)
	drag   func(name, value string) // one of many changes of a gesture, which settle ends
	settle func()
}

func newValueRow(of *tips, p viewer.Param, do valueActs) *valueRow {
	r := &valueRow{param: p}
	hint := Say("stencil.value.tip", "Name", p.Name, "Default", p.Default)
	if viewer.IsRange(p) {
		hint = Say("stencil.range.tip", "Name", p.Name, "Default", p.Default, "Least", number(p.Min), "Most", number(p.Max))
	}
	r.field = newField(of, hint, 60, func(v string) { do.set(p.Name, unlessDefault(p, strings.TrimSpace(v))) })
	name := newTold(of, hint, theme.ColorNamePlaceHolder, sizeCaption)
	name.set(p.Name)
	var middle fyne.CanvasObject
	if viewer.IsRange(p) {
		step := stepOf(p)
		r.slider = newSlider(of, hint, p.Min, p.Max, step)
		r.slider.OnChanged = func(v float64) { do.drag(p.Name, unlessDefault(p, rounded(v, step))) }
		r.slider.OnChangeEnded = func(float64) { do.settle() }
		middle = container.NewThemeOverride(r.slider, trackTheme{})
	}
	r.box = around(nil, nil, fixed(64, name), fixed(64, r.field), middle)
	return r
}

// set shows a value.
func (r *valueRow) set(v string) {
	r.field.set(v)
	if n, err := strconv.ParseFloat(v, 64); err == nil && r.slider != nil && r.slider.Value != n {
		r.slider.Value = n
		r.slider.Refresh()
	}
}

// stepOf is how far one press of a key moves the slider: 1 for whole numbers of a wide range, else a round
// hundredth or so of the range.
func stepOf(p viewer.Param) float64 {
	whole := true
	for _, v := range [...]string{p.Default, number(p.Min), number(p.Max)} {
		whole = whole && !strings.ContainsAny(v, ".e")
	}
	span := p.Max - p.Min
	if whole && span >= 10 && span <= 1000 {
		return 1
	}
	step := math.Pow(10, math.Floor(math.Log10(span/100)+1e-9))
	if whole && span > 1000 {
		return max(1, step)
	}
	return step
}

// rounded writes a value with no more digits than its step has.
func rounded(v, step float64) string {
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// trackTheme gives Fyne's slider the colours of the sliders below the picture: what is reached in the accent, the
// rest of the track as a line.
type trackTheme struct{}

func now() fyne.Theme { return fyne.CurrentApp().Settings().Theme() }

// Color is a colour by its name.
func (trackTheme) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	switch n {
	case theme.ColorNameForeground:
		n = theme.ColorNamePrimary
	case theme.ColorNameInputBackground:
		n = colorFaint
	}
	return now().Color(n, v)
}

// Font is the window's.
func (trackTheme) Font(s fyne.TextStyle) fyne.Resource { return now().Font(s) }

// Icon is the window's.
func (trackTheme) Icon(n fyne.ThemeIconName) fyne.Resource { return now().Icon(n) }

// Size is the window's.
func (trackTheme) Size(n fyne.ThemeSizeName) float32 { return now().Size(n) }

// A slider is Fyne's with a tip.
type slider struct {
	widget.Slider
	tip tip
}

func newSlider(of *tips, hint string, least, most, step float64) *slider {
	s := &slider{tip: saying(of, hint)}
	s.Min, s.Max, s.Step, s.Value = least, most, step, least
	s.ExtendBaseWidget(s)
	return s
}

// MouseIn begins to wait for the tip.
func (s *slider) MouseIn(e *desktop.MouseEvent) {
	s.Slider.MouseIn(e)
	s.tip.MouseIn(e)
}

// MouseOut takes it away.
func (s *slider) MouseOut() {
	s.Slider.MouseOut()
	s.tip.MouseOut()
}

// Dragged moves the value; the tip would lie over what is being watched.
func (s *slider) Dragged(e *fyne.DragEvent) {
	s.tip.MouseOut()
	s.Slider.Dragged(e)
}
