package ui

import (
	"errors"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
)

// axesEditor says which axis each stored dimension is. An axis that is taken by another dimension changes places
// with it, so that each always comes once.
type axesEditor struct {
	order   lazy.Order
	lengths []int64
	shapeOf func(words string, lengths []int64) (lazy.Shape, error)
	letters []byte
	choices []*choice
	becomes *caption
	words   *dialogEntry // the whole order, which may split dimensions or be a pattern of names
}

// Axes asks for the axes of the image on view, and has it opened with them.
func (v *View) Axes() {
	if v.session == nil || len(v.dialogs) > 0 {
		return
	}
	img := v.session.Scene().Image
	if img.Order.Axes == "" || len(img.Order.Axes) == img.Order.Fixed {
		v.Fail(errors.New(Say("axes.none")))
		return
	}
	shape := img.Levels[0].Array.Meta().Shape
	e := &axesEditor{order: img.Order, shapeOf: v.asks.AxesShape, letters: []byte(img.Order.Axes), becomes: newCaption("", theme.ColorNameForeground, theme.SizeNameText)}
	rows := stacked(6)
	for i, letter := range e.letters {
		n := e.stored(letter, shape)
		e.lengths = append(e.lengths, int64(n))
		note := ""
		if strings.IndexByte(img.Assumed, letter) >= 0 {
			note = Say("axes.assumed")
		}
		mark := newCaption(note, theme.ColorNameWarning, sizeCaption)
		var pick fyne.CanvasObject
		if i >= len(e.letters)-e.order.Fixed {
			pick = padded(6, 0, newCaption(letterName(letter), theme.ColorNameForeground, theme.SizeNameText))
			mark = small(Say("axes.fixed"))
		} else {
			c := newChoice(v.tips, e.free(), Say("axes.choice.tip"), nil)
			c.Selected = letterName(letter)
			c.OnChanged = func(string) { e.pick(i, e.free()[c.SelectedIndex()]) }
			e.choices = append(e.choices, c)
			pick = c
		}
		rows.Add(fixedTall(rowTall+6, around(nil, nil, fixed(110, newCaption(Say("axes.dimension", "N", strconv.Itoa(i+1)), theme.ColorNamePlaceHolder, theme.SizeNameText)),
			padded(8, 0, fixed(172, mark)), around(nil, nil, fixed(120, newCaption(count("axes.voxels", n, "N", group(n)), theme.ColorNameForeground, theme.SizeNameText)), nil, pick))))
	}
	e.words = v.newDialogEntry(string(e.letters))
	if e.order.Words != "" {
		e.words.SetText(e.order.Words)
	}
	e.words.OnChanged = func(string) { e.tell() }
	e.tell()
	about := Say("axes.about")
	if e.order.About != "" {
		about = e.order.About
	}
	words := fixedTall(rowTall+6, around(nil, nil, fixed(110, newCaption(Say("axes.words"), theme.ColorNamePlaceHolder, theme.SizeNameText)), nil, e.words))
	body := fixed(600, stacked(12, newCaption(about, theme.ColorNamePlaceHolder, theme.SizeNameText), rows, rule(), words, small(Say("axes.words.about")),
		around(nil, nil, fixed(110, newCaption(Say("axes.becomes"), theme.ColorNamePlaceHolder, theme.SizeNameText)), nil, e.becomes)))
	d := dialog.NewCustomWithoutButtons(Say("axes.title"), padded(8, 8, container.NewStack(body)), v.window)
	open := func(axes func() string) func() {
		return func() {
			d.Hide()
			v.asks.Reopen(axes())
		}
	}
	so := v.newDialogButton(Say("axes.open"), open(func() string { return strings.TrimSpace(e.words.Text) }))
	e.words.OnSubmitted = func(string) { so.OnTapped() }
	so.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), v.newDialogButton(Say("axes.asfile"), open(func() string { return "" })), so})
	v.axesEditor = e
	v.Ask(d)
	v.window.Canvas().Focus(so)
}

func axisOf(letter byte) lazy.Axis { return lazy.Axis(strings.IndexByte("tzcyx", letter)) }

func letterName(letter byte) string { return Say("axes.letter." + string(letter)) }

// free are the names of the axes that a dimension may be.
func (e *axesEditor) free() []string {
	var names []string
	fixed := e.letters[len(e.letters)-e.order.Fixed:]
	for _, l := range []byte("tzcyx") {
		if strings.IndexByte(string(fixed), l) < 0 {
			names = append(names, letterName(l))
		}
	}
	return names
}

// pick makes dimension i an axis.
func (e *axesEditor) pick(i int, name string) {
	for _, l := range []byte("tzcyx") {
		if letterName(l) != name || e.letters[i] == l {
			continue
		}
		if j := strings.IndexByte(string(e.letters), l); j >= 0 {
			e.letters[j] = e.letters[i]
			e.choices[j].set(letterName(e.letters[j]))
		}
		e.letters[i] = l
		e.words.SetText(string(e.letters))
	}
}

// stored is how long the dimension in the file is that a letter stands for: one that was split is all of its parts.
func (e *axesEditor) stored(letter byte, shape lazy.Shape) int {
	_, rest, _ := strings.Cut(e.order.Words, "(")
	inside, _, split := strings.Cut(rest, ")")
	if !split || strings.IndexByte(inside, letter) < 0 {
		return shape[axisOf(letter)]
	}
	n := 1
	for _, l := range []byte("tzcyx") {
		if strings.IndexByte(inside, l) >= 0 {
			n *= shape[axisOf(l)]
		}
	}
	return n
}

// tell shows the shape that comes of the words, or why none does.
func (e *axesEditor) tell() {
	words := strings.TrimSpace(e.words.Text)
	if strings.Contains(words, "{") {
		e.becomes.name = theme.ColorNamePlaceHolder
		e.becomes.set(Say("axes.becomes.names"))
		return
	}
	shape, err := e.shapeOf(words, e.lengths)
	if err != nil {
		e.becomes.name = theme.ColorNameWarning
		e.becomes.set(strings.TrimSuffix(err.Error(), ": not supported"))
		return
	}
	e.becomes.name = theme.ColorNameForeground
	e.becomes.set(named(shape))
}
