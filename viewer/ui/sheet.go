package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"

	"lamella/assets"
)

// bindings are the keys of the sheet, each with the key of its text; an empty one leaves a gap.
var bindings = [...][2]string{
	{"sheet.wheel", "sheet.wheel.does"}, {"Shift + " + "sheet.wheel", "sheet.wheel10.does"}, {"Ctrl + " + "sheet.wheel", "sheet.zoom.does"}, {"Alt + " + "sheet.wheel", "sheet.time.does"},
	{"sheet.drag", "sheet.pan.does"}, {},
	{", .  ← →", "sheet.step.does"}, {"Shift + ← →", "sheet.step10.does"}, {"[ ]", "sheet.time.does"}, {"\\", "sheet.play.does"}, {},
	{"+ −", "sheet.zoomkeys.does"}, {"R  Home", "sheet.fit.does"}, {"I", "sheet.smooth.does"}, {"B", "sheet.bar.does"}, {},
	{"1 … 9", "sheet.channel.does"}, {"Shift + 1 … 9", "sheet.solo.does"}, {"C", "sheet.auto.does"}, {},
	{"Ctrl + Z", "menu.undo"}, {"Ctrl + O", "menu.open"}, {"Ctrl + S", "menu.export.data"}, {"Ctrl + I", "sheet.properties.does"}, {"F5", "sheet.reload.does"}, {"Ctrl + E", "sheet.stencil.does"}, {"F9", "sheet.panels.does"}, {"Esc", "sheet.stop.does"}, {"F1  ?", "sheet.help.does"},
}

// Keys shows the sheet of keys.
func (v *View) Keys() {
	var columns [2]*fyne.Container
	for i := range columns {
		columns[i] = stacked(4)
	}
	half := 0
	for i, b := range bindings {
		if b[1] == "" && i > 10 && half == 0 {
			half = 1
			continue
		}
		if b[1] == "" {
			columns[half].Add(padded(0, 3, newCaption("", theme.ColorNameForeground, sizeCaption)))
			continue
		}
		columns[half].Add(container.NewBorder(nil, nil, fixed(132, newCaption(keyWords(b[0]), theme.ColorNamePrimary, theme.SizeNameText)), nil,
			fixed(220, newCaption(Say(b[1]), theme.ColorNameForeground, theme.SizeNameText))))
	}
	d := dialog.NewCustom(Say("sheet.title"), Say("dialog.close"), padded(8, 8, container.NewHBox(columns[0], fixed(24, newCaption("", theme.ColorNameForeground, sizeCaption)), columns[1])), v.window)
	v.Ask(d)
}

// keyWords puts the words of the language into the name of a key.
func keyWords(k string) string {
	for _, word := range []string{"sheet.wheel", "sheet.drag"} {
		if n := len(k) - len(word); n >= 0 && k[n:] == word {
			return k[:n] + Say(word)
		}
	}
	return k
}

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
