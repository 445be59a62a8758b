//go:build !headless

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestPackagesSayOfTheProgramWhatItSaysItself(t *testing.T) {
	var file struct {
		Details struct {
			Icon, Name, ID, Version string
			Build                   int
		}
	}
	if _, err := toml.DecodeFile("../FyneApp.toml", &file); err != nil {
		t.Fatal(err)
	}
	m, d := metadata(), file.Details
	if d.Name != m.Name || d.ID != m.ID || d.Version != m.Version || d.Build != m.Build {
		t.Errorf("FyneApp.toml says %+v, the program %s %s %s %d", d, m.Name, m.ID, m.Version, m.Build)
	}
	icon, err := os.ReadFile(filepath.Join("..", d.Icon))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(icon, m.Icon.Content()) {
		t.Error("the icon of FyneApp.toml is another one")
	}
}
