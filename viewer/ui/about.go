package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"

	"lamella/assets"
)

// ShowAbout says what the program is.
func (v *View) ShowAbout(version string) {
	icon := canvas.NewImageFromResource(fyne.NewStaticResource("icon.svg", assets.IconSVG))
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSize(64, 64))
	line := func(text string, n fyne.ThemeColorName) *caption {
		c := newCaption(text, n, theme.SizeNameText)
		c.align = fyne.TextAlignCenter
		return c
	}
	box := fixed(380, stacked(8, container.NewCenter(icon), line("Lamella "+version, theme.ColorNameForeground),
		line(Say("about.what"), theme.ColorNameForeground), line(Say("about.licence"), theme.ColorNamePlaceHolder)))
	v.Ask(dialog.NewCustom(Say("menu.about"), Say("dialog.close"), padded(8, 8, box), v.window))
}
