//go:build !headless

package main

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"lamella/app/cli"
	"lamella/viewer/ui"
)

// licences are those of what the program links, by the beginning of the modules' paths; docs/DEPENDENCIES.md says why
// each is there.
var licences = []struct{ path, licence string }{
	{"fyne.io/", "BSD-3-Clause"}, {"fyne.io/systray", "Apache-2.0"}, {"github.com/fyne-io/", "BSD-3-Clause"}, {"github.com/go-gl/gl", "MIT"}, {"github.com/go-gl/glfw", "BSD-3-Clause"},
	{"github.com/spf13/cobra", "Apache-2.0"}, {"github.com/spf13/pflag", "BSD-3-Clause"}, {"github.com/vbauerster/", "Unlicense"},
	{"github.com/dustin/go-humanize", "MIT"}, {"github.com/aws/", "Apache-2.0"}, {"github.com/klauspost/compress", "BSD-3-Clause, MIT"},
	{"github.com/pierrec/lz4", "BSD-3-Clause"}, {"github.com/ulikunitz/xz", "BSD-3-Clause"}, {"golang.org/x/", "BSD-3-Clause"},
	{"github.com/BurntSushi/toml", "MIT"}, {"github.com/go-text/", "BSD-3-Clause"}, {"github.com/srwiley/", "BSD-3-Clause"},
	{"github.com/VividCortex/ewma", "MIT"}, {"github.com/acarl005/stripansi", "MIT"}, {"github.com/clipperhouse/uax29", "MIT"}, {"github.com/fredbi/uri", "MIT"},
	{"github.com/fsnotify/fsnotify", "BSD-3-Clause"}, {"github.com/godbus/dbus", "BSD-2-Clause"}, {"github.com/hack-pad/", "Apache-2.0"},
	{"github.com/jeandeaual/go-locale", "MIT"}, {"github.com/jsummers/gobmp", "MIT"}, {"github.com/mattn/go-runewidth", "MIT"}, {"github.com/nfnt/resize", "ISC"},
	{"github.com/nicksnyder/go-i18n", "MIT"}, {"github.com/rymdport/portal", "Apache-2.0"}, {"github.com/yuin/goldmark", "MIT"},
	{"gopkg.in/yaml", "MIT, Apache-2.0"}, {"pgregory.net/rapid", "MPL-2.0"},
}

// build is what the program was built from, as the compiler noted it.
func build() ui.Build {
	b := ui.Build{Version: cli.Version}
	with := []string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		b.With = strings.Join(with, " · ")
		return b
	}
	for _, set := range info.Settings {
		if set.Key == "vcs.revision" {
			with = slices.Insert(with, 0, set.Value[:min(12, len(set.Value))])
		}
	}
	b.With = strings.Join(with, " · ")
	for _, m := range info.Deps {
		licence := ""
		for _, l := range licences {
			if strings.HasPrefix(m.Path, l.path) {
				licence = l.licence
			}
		}
		b.Modules = append(b.Modules, ui.Module{Path: m.Path, Version: m.Version, Licence: licence})
	}
	return b
}
