package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/assets"
)

// A Build is what the program was built from.
type Build struct {
	Version string // "0.1.0"
	With    string // the revision, the compiler and the system
	Modules []Module
}

// A Module is one that the program links.
type Module struct{ Path, Version, Licence string }

// ShowAbout says what the program is and what it was built from.
func (v *View) ShowAbout(b Build) {
	icon := canvas.NewImageFromResource(fyne.NewStaticResource("icon.svg", assets.IconSVG))
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSize(64, 64))
	line := func(text string, n fyne.ThemeColorName) *caption {
		c := newCaption(text, n, theme.SizeNameText)
		c.align = fyne.TextAlignCenter
		return c
	}
	list := stacked(2)
	for _, m := range b.Modules {
		licence := small(m.Licence)
		licence.align = fyne.TextAlignTrailing
		list.Add(container.NewBorder(nil, nil, nil, fixed(120, licence), small(m.Path+" "+m.Version)))
	}
	scroll := container.NewVScroll(container.NewBorder(nil, nil, nil, fixed(12, small("")), list))
	scroll.SetMinSize(fyne.NewSize(460, 160))
	copied := newIcon(v.tips, theme.ContentCopyIcon(), Say("about.copy.tip"), func() { fyne.CurrentApp().Clipboard().SetContent(b.text()) })
	box := fixed(460, stacked(8, container.NewCenter(icon), line("Lamella "+b.Version, theme.ColorNameForeground),
		line(Say("about.what"), theme.ColorNameForeground), line(Say("about.licence"), theme.ColorNamePlaceHolder),
		container.NewBorder(nil, nil, nil, copied, small(b.With)), heading(Say("about.modules")), scroll))
	v.Ask(v.newSheet(Say("menu.about"), box))
}

// text is what a report of a fault should say.
func (b Build) text() string {
	lines := []string{"Lamella " + b.Version, b.With}
	for _, m := range b.Modules {
		lines = append(lines, m.Path+" "+m.Version+" "+m.Licence)
	}
	return strings.Join(lines, "\n")
}
