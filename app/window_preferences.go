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
	p := w.settings
	bytes := func(key string) int64 {
		n, _ := strconv.ParseInt(p.text(key, ""), 10, 64) // never written is 0, which is the usual
		return n
	}
	return ui.Preferences{
		Look: ui.Look(p.text("look", string(ui.System))), Device: w.device,
		Language: p.text("language", ""), Size: int(p.number("size", 100)),
		Memory: max(0, bytes("memory")), Video: max(0, bytes("video")), Workers: max(0, int(p.number("workers", 0))),
		CacheFolder: p.text("cache.folder", ""), CacheSize: bytes("cache.size"),
	}
}

// askPreferences shows them, and keeps what is made of them.
func (w *window) askPreferences() {
	before := w.preferences()
	_, memory := w.engine.Memory()
	w.view.AskPreferences(before, memory, runtime.GOMAXPROCS(0), func(next ui.Preferences) {
		bytes := func(n int64) string { return strconv.FormatInt(n, 10) }
		w.remind(map[string]any{
			"language": next.Language, "size": float64(next.Size), "memory": bytes(next.Memory), "video": bytes(next.Video),
			"workers": float64(next.Workers), "cache.folder": next.CacheFolder, "cache.size": bytes(next.CacheSize),
		})
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
