//go:build !headless

package main

import (
	"fyne.io/fyne/v2"

	"lamella/app/cli"
	"lamella/assets"
)

// metadata is what the desktop knows the program by. FyneApp.toml says the same for packages; a plain
// build does not read it, so it stands here too, and a test compares the two.
func metadata() fyne.AppMetadata {
	return fyne.AppMetadata{
		ID:      "io.github.lamella",
		Name:    "Lamella",
		Version: cli.Version,
		Build:   1,
		Icon:    fyne.NewStaticResource("icon.png", assets.IconPNG),
	}
}
