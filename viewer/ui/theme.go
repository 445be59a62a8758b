package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// Names of colours that the window has beyond Fyne's own.
const (
	colorPanel   fyne.ThemeColorName = "lamellaPanel"   // behind the panels
	colorGround  fyne.ThemeColorName = "lamellaGround"  // around the picture
	colorFaint   fyne.ThemeColorName = "lamellaFaint"   // lines and empty tracks
	colorCurrent fyne.ThemeColorName = "lamellaCurrent" // behind the row that is active
)

// sizeCaption is the smaller of the two sizes of text.
const sizeCaption = theme.SizeNameCaptionText

// shades are the colours of the window: neutral greys, since a tint beside a picture changes how its
// colours look, and one accent for what is active.
var shades = map[fyne.ThemeColorName][2]color.NRGBA{ // dark, light
	theme.ColorNameBackground:          {grey(0x1f), grey(0xec)},
	colorPanel:                         {grey(0x26), grey(0xf4)},
	colorGround:                        {grey(0x16), grey(0xcc)},
	colorFaint:                         {grey(0x42), grey(0xc4)},
	colorCurrent:                       {grey(0x34), grey(0xdf)},
	theme.ColorNameForeground:          {grey(0xdd), grey(0x1c)},
	theme.ColorNamePlaceHolder:         {grey(0x98), grey(0x62)},
	theme.ColorNameDisabled:            {grey(0x68), grey(0x9a)},
	theme.ColorNameButton:              {grey(0x36), grey(0xdc)},
	theme.ColorNameDisabledButton:      {grey(0x2a), grey(0xe6)},
	theme.ColorNameInputBackground:     {grey(0x1a), grey(0xff)},
	theme.ColorNameInputBorder:         {grey(0x44), grey(0xbe)},
	theme.ColorNameMenuBackground:      {grey(0x2c), grey(0xfa)},
	theme.ColorNameOverlayBackground:   {grey(0x2c), grey(0xfa)},
	theme.ColorNameHeaderBackground:    {grey(0x2c), grey(0xf0)},
	theme.ColorNameSeparator:           {grey(0x38), grey(0xd2)},
	theme.ColorNameScrollBar:           {{0xff, 0xff, 0xff, 0x4c}, {0, 0, 0, 0x4c}},
	theme.ColorNameScrollBarBackground: {{}, {}},
	theme.ColorNameHover:               {{0xff, 0xff, 0xff, 0x12}, {0, 0, 0, 0x10}},
	theme.ColorNamePressed:             {{0xff, 0xff, 0xff, 0x24}, {0, 0, 0, 0x20}},
	theme.ColorNameShadow:              {{0, 0, 0, 0x66}, {0, 0, 0, 0x38}},
	theme.ColorNamePrimary:             {{0x4f, 0xb4, 0xc8, 0xff}, {0x10, 0x7a, 0x90, 0xff}},
	theme.ColorNameHyperlink:           {{0x4f, 0xb4, 0xc8, 0xff}, {0x10, 0x7a, 0x90, 0xff}},
	theme.ColorNameForegroundOnPrimary: {grey(0x10), grey(0xff)},
	theme.ColorNameFocus:               {{0x4f, 0xb4, 0xc8, 0xaa}, {0x10, 0x7a, 0x90, 0xaa}},
	theme.ColorNameSelection:           {{0x4f, 0xb4, 0xc8, 0x55}, {0x10, 0x7a, 0x90, 0x44}},
	theme.ColorNameError:               {{0xf0, 0x80, 0x74, 0xff}, {0xb0, 0x2a, 0x1e, 0xff}},
}

func grey(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 0xff} }

// Look names how the window is shaded.
type Look string

// System follows the desktop.
const (
	System Look = "system"
	Dark   Look = "dark"
	Light  Look = "light"
)

// Theme is the window's theme: Fyne's, with small text, little padding and our own colours.
type Theme struct{ Look Look }

var _ fyne.Theme = Theme{}

func (t Theme) light(v fyne.ThemeVariant) bool {
	switch t.Look {
	case Dark:
		return false
	case Light:
		return true
	}
	return v == theme.VariantLight
}

// Color is a colour by its name.
func (t Theme) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	i, variant := 0, theme.VariantDark
	if t.light(v) {
		i, variant = 1, theme.VariantLight
	}
	if n == theme.ColorNameForeground {
		return legible(shades[n][i])
	}
	if c, ok := shades[n]; ok {
		return c[i]
	}
	return theme.DefaultTheme().Color(n, variant)
}

// legible is an opaque colour that menus can write keys in. The toolkit makes them fainter by taking the low byte of 0.95
// times the alpha, of 16 bits: of the usual 0xffff that is 0x32, hardly to be seen, and of this 0xb4. Of 8 bits both are
// 0xff.
func legible(c color.NRGBA) color.Color {
	return color.RGBA64{uint16(c.R) * 0x101, uint16(c.G) * 0x101, uint16(c.B) * 0x101, 0xff7a}
}

// Font is Fyne's own.
func (Theme) Font(s fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(s) }

// Icon is Fyne's own.
func (Theme) Icon(n fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(n) }

// Size is a length by its name; the grid is 8 units, and half of it between neighbours.
func (Theme) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameText:
		return 13
	case theme.SizeNameCaptionText:
		return 11
	case theme.SizeNameSubHeadingText:
		return 15
	case theme.SizeNameHeadingText:
		return 20
	case theme.SizeNamePadding, theme.SizeNameLineSpacing:
		return 4
	case theme.SizeNameInnerPadding:
		return 6
	case theme.SizeNameInlineIcon:
		return 16
	case theme.SizeNameScrollBar:
		return 8
	case theme.SizeNameScrollBarSmall:
		return 3
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 3
	}
	return theme.DefaultTheme().Size(n)
}

// shade is a colour of the theme in use.
func shade(n fyne.ThemeColorName) color.Color { return theme.Color(n) }

// ground is the colour around the picture.
func ground() viewer.Backdrop {
	r, g, b, _ := shade(colorGround).RGBA()
	return viewer.Backdrop{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}
