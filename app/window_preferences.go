//go:build !headless

package main

import (
	"os"
	"runtime"
	"strconv"

	"lamella/viewer/ui"
)

// preferences are what the user has set for all images.
func (w *window) preferences() ui.Preferences {
	p := w.app.Preferences()
	memory, _ := strconv.ParseInt(p.String("memory"), 10, 64) // never written is 0, which is the usual
	video, _ := strconv.ParseInt(p.String("video"), 10, 64)
	cache, _ := strconv.ParseInt(p.String("cache.size"), 10, 64)
	return ui.Preferences{
		Look: ui.Look(p.StringWithFallback("look", string(ui.System))), Device: w.device,
		Language: p.String("language"), Size: p.IntWithFallback("size", 100),
		Memory: max(0, memory), Video: max(0, video), Workers: max(0, p.Int("workers")), CacheFolder: p.String("cache.folder"), CacheSize: cache,
	}
}

// askPreferences shows them, and keeps what is made of them.
func (w *window) askPreferences() {
	before := w.preferences()
	_, memory := w.engine.Memory()
	w.view.AskPreferences(before, memory, runtime.GOMAXPROCS(0), func(next ui.Preferences) {
		p := w.app.Preferences()
		p.SetString("language", next.Language)
		p.SetInt("size", next.Size)
		p.SetString("memory", strconv.FormatInt(next.Memory, 10))
		p.SetString("video", strconv.FormatInt(next.Video, 10))
		p.SetInt("workers", next.Workers)
		p.SetString("cache.folder", next.CacheFolder)
		p.SetString("cache.size", strconv.FormatInt(next.CacheSize, 10))
		if next.Look != before.Look {
			w.setLook(next.Look)
		}
		if next.Device != before.Device {
			w.chooseDevice(next.Device)
		}
		if next.Look, next.Device = before.Look, before.Device; next != before {
			w.view.Note(ui.Say("prefs.saved"))
		}
	})
}

// heed does what can only be done before the window is made. What the environment says goes before.
func heed(p ui.Preferences) error {
	set := func(name, value string, wanted bool) {
		if _, told := os.LookupEnv(name); wanted && !told {
			os.Setenv(name, value)
		}
	}
	set("FYNE_SCALE", strconv.FormatFloat(float64(p.Size)/100, 'f', 2, 64), p.Size != 100 && p.Size >= 50 && p.Size <= 400)
	set("LAMELLA_CACHE_DIR", p.CacheFolder, p.CacheFolder != "")
	set("LAMELLA_CACHE", "off", p.CacheSize < 0)
	set("LAMELLA_CACHE", strconv.FormatInt(p.CacheSize, 10)+"B", p.CacheSize > 0)
	return ui.SetLanguage(p.Language)
}
