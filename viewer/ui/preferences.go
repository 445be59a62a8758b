package ui

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Preferences are what a person sets once for all images. Look and Device hold at once, the rest from the next start on.
type Preferences struct {
	Look        Look
	Device      Device
	Language    string // of Languages, or "" for that of the desktop
	Size        int    // of letters and controls in percent
	Memory      int64  // bytes that the engine may hold; 0 is a quarter of the machine's
	Video       int64  // bytes that voxels may take on the graphics card; 0 is half of what is free there
	Workers     int    // goroutines that compute; 0 is one for each processor
	CacheFolder string // for what was read from the web; "" is that of the user
	CacheSize   int64  // most bytes of it; 0 is the usual, -1 none
}

// scales are those that letters and controls may have, in percent.
var scales = [...]int{80, 90, 100, 110, 125, 150, 175, 200}

// parseBytes reads a size such as "4 GB", "500MB" or "1.5 GiB", in powers of 1024; an empty text is 0.
func parseBytes(text string) (int64, error) {
	number, factor := strings.ToUpper(strings.ReplaceAll(text, " ", "")), 1.0
	for i, unit := range [...]string{"K", "M", "G", "T"} {
		for _, ending := range [...]string{unit + "IB", unit + "B", unit} {
			if n, ok := strings.CutSuffix(number, ending); ok && factor == 1 {
				number, factor = n, math.Pow(1024, float64(i+1))
			}
		}
	}
	if number == "" && factor == 1 {
		return 0, nil
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0) || v*factor >= 1<<60 {
		return 0, fmt.Errorf("ui: %q is no size such as 4 GB", text)
	}
	return int64(v * factor), nil
}

// least is the least memory that the engine does useful work in.
const least = 64 << 20

// typed are the preferences that are written and not chosen.
func (p Preferences) typed(memory, video, workers, folder, size string) (Preferences, error) {
	var err error
	if p.Memory, err = parseBytes(memory); err != nil {
		return p, err
	}
	if p.Memory > 0 && p.Memory < least {
		return p, errors.New(Say("prefs.memory.least", "Least", bytes(least)))
	}
	if p.Video, err = parseBytes(video); err != nil {
		return p, err
	}
	if p.Video > 0 && p.Video < least {
		return p, errors.New(Say("prefs.memory.least", "Least", bytes(least)))
	}
	if p.Workers = 0; strings.TrimSpace(workers) != "" {
		if p.Workers, err = strconv.Atoi(strings.TrimSpace(workers)); err != nil || p.Workers < 1 || p.Workers > 1024 {
			return p, errors.New(Say("prefs.workers.wrong"))
		}
	}
	if p.CacheFolder = strings.TrimSpace(folder); p.CacheFolder != "" && !filepath.IsAbs(p.CacheFolder) {
		return p, errors.New(Say("prefs.cache.wrong"))
	}
	if strings.EqualFold(strings.TrimSpace(size), "off") {
		p.CacheSize = -1
		return p, nil
	}
	p.CacheSize, err = parseBytes(size)
	return p, err
}

// size writes bytes as they are typed; nothing for 0.
func size(n int64) string {
	switch {
	case n < 0:
		return "off"
	case n == 0:
		return ""
	}
	return bytes(n)
}

// AskPreferences shows the preferences, and calls do with what is made of them.
func (v *View) AskPreferences(p Preferences, usualMemory int64, usualWorkers int, do func(Preferences)) {
	if len(v.dialogs) > 0 {
		return
	}
	pick := func(names []string, at int, hint string) *choice {
		c := newChoice(v.tips, names, hint, nil)
		c.set(names[max(0, at)])
		return c
	}
	var looks, devices, tongues, percents []string
	look, device, tongue, percent := 0, 0, 0, 2
	for i, l := range []Look{System, Dark, Light} {
		looks = append(looks, Say("menu.look."+string(l)))
		if l == p.Look {
			look = i
		}
	}
	for i, d := range Devices {
		devices = append(devices, Say("menu.device."+string(d)))
		if d == p.Device {
			device = i
		}
	}
	tongues = append(tongues, Say("prefs.language.system"))
	for i, l := range Languages() {
		tongues = append(tongues, languageNames[l])
		if l == p.Language {
			tongue = i + 1
		}
	}
	for i, n := range scales {
		percents = append(percents, strconv.Itoa(n)+" %")
		if n == p.Size {
			percent = i
		}
	}
	byLook, byDevice := pick(looks, look, Say("prefs.look.tip")), pick(devices, device, Say("prefs.device.tip"))
	byTongue, bySize := pick(tongues, tongue, Say("prefs.language.tip")), pick(percents, percent, Say("prefs.size.tip"))
	memory, workers := v.newDialogEntry(size(p.Memory)), v.newDialogEntry("")
	memory.SetPlaceHolder(bytes(usualMemory))
	if workers.SetPlaceHolder(strconv.Itoa(usualWorkers)); p.Workers > 0 {
		workers.SetText(strconv.Itoa(p.Workers))
	}
	video := v.newDialogEntry(size(p.Video))
	video.SetPlaceHolder(Say("prefs.video.usual"))
	folder, most := v.newDialogEntry(p.CacheFolder), v.newDialogEntry(size(p.CacheSize))
	folder.SetPlaceHolder(Say("prefs.cache.usual"))
	most.SetPlaceHolder(Say("prefs.cache.size.usual"))
	browse := newIcon(v.tips, theme.FolderOpenIcon(), Say("save.browse.tip"), func() {
		d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err == nil && u != nil {
				folder.SetText(u.Path())
			}
		}, v.window)
		d.SetView(dialog.ListView)
		d.Resize(fyne.NewSize(720, 480))
		v.askMore(d)
	})
	wrong := newParagraph("", theme.ColorNameError, sizeCaption)
	pair := func(a, b fyne.CanvasObject) fyne.CanvasObject { return container.New(halves(16), a, b) }
	body := fixed(520, stacked(12,
		pair(labelled(Say("prefs.look"), byLook), labelled(Say("prefs.device"), byDevice)),
		rule(),
		small(Say("prefs.later")),
		pair(labelled(Say("prefs.language"), byTongue), labelled(Say("prefs.size"), bySize)),
		pair(labelled(Say("prefs.memory"), memory), labelled(Say("prefs.workers"), workers)),
		labelled(Say("prefs.cache"), container.NewBorder(nil, nil, nil, browse, folder)),
		pair(labelled(Say("prefs.cache.size"), most), labelled(Say("prefs.video"), video)),
		wrong.Container))
	var d *dialog.CustomDialog
	apply := v.newDialogButton(Say("prefs.apply"), func() {
		next, err := p.typed(memory.Text, video.Text, workers.Text, folder.Text, most.Text)
		if err != nil {
			wrong.set(plain(err))
			body.Refresh()
			return
		}
		next.Look, next.Device = [...]Look{System, Dark, Light}[byLook.SelectedIndex()], Devices[byDevice.SelectedIndex()]
		if next.Language = ""; byTongue.SelectedIndex() > 0 {
			next.Language = Languages()[byTongue.SelectedIndex()-1]
		}
		next.Size = scales[bySize.SelectedIndex()]
		d.Hide()
		do(next)
	})
	apply.Importance = widget.HighImportance
	for _, e := range []*dialogEntry{memory, video, workers, folder, most} {
		e.OnSubmitted = func(string) { apply.OnTapped() }
	}
	d = dialog.NewCustomWithoutButtons(Say("prefs.title"), padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), func() { d.Hide() }), apply})
	v.Ask(d)
}

// languageNames are languages by their own names.
var languageNames = map[string]string{"en": "English", "zh_Hans": "简体中文"}
