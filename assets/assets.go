// Package assets holds what travels inside the program: the icon, the colour tables (LUTs) and
// the texts of the window. It knows nothing of the rest of the program.
//
//	fire, ok := assets.Lookup("Fire")
//	top := fire[255] // the colour of the upper contrast limit
package assets

import "embed"

// IconSVG is the program's icon, drawn for 64 units square and legible from 16 pixels up.
//
//go:embed icon.svg
var IconSVG []byte

// IconPNG is IconSVG at 256 pixels square.
//
//go:embed icon.png
var IconPNG []byte

// Translations holds one file of texts for each language, translations/base.LOCALE.json. Every
// file has the same keys; English is the one that the others are translated from.
//
//go:embed translations/*.json
var Translations embed.FS
