package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/assets"
)

// A Recent is a source that was opened before.
type Recent struct {
	Source string // as it is opened again
	Name   string // the last part of its path
	About  string // its shape and size: "128 × 1024 × 1024 · uint16"
}

// startPage is what an empty window says: three lines that teach, and what was opened last.
type startPage struct {
	box    *fyne.Container
	tips   *tips
	recent *fyne.Container
	title  *caption
	open   func(source string)
}

func newStartPage(of *tips, asks Asks, showKeys func()) *startPage {
	p := &startPage{tips: of, recent: stacked(2), title: heading(Say("start.recent")), open: func(s string) { asks.Open([]string{s}) }}
	icon := canvas.NewImageFromResource(fyne.NewStaticResource("icon.svg", assets.IconSVG))
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSize(72, 72))
	line := func(key string, control fyne.CanvasObject) fyne.CanvasObject {
		return container.NewBorder(nil, nil, nil, control, newCaption(Say(key), theme.ColorNameForeground, theme.SizeNameText))
	}
	files := newButton(of, Say("start.open"), nil, Say("start.open.tip"), asks.OpenFile)
	sample := newButton(of, Say("start.sample"), nil, Say("start.sample.tip"), func() { asks.Open([]string{asks.Samples[0].Source}) })
	keys := newButton(of, Say("start.keys"), nil, Say("start.keys.tip"), showKeys)
	p.box = container.NewCenter(fixed(480, stacked(16,
		container.NewCenter(icon),
		stacked(8,
			line("start.line.drop", fixed(128, files)),
			line("start.line.sample", fixed(128, sample)),
			line("start.line.wheel", fixed(128, keys)),
		),
		stacked(4, p.title, p.recent),
	)))
	return p
}

func (p *startPage) update(recent []Recent) {
	p.recent.Objects = nil
	for _, r := range recent[:min(len(recent), 6)] {
		p.recent.Add(newRecentRow(p.tips, r, func() { p.open(r.Source) }))
	}
	p.title.Hidden = len(recent) == 0
	p.box.Refresh()
}
