package ui

import (
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A Keymap says which keys do what. It is a preset, and what the user has changed of it: the keys of a
// command by its name, several apart by blanks, as in "Ctrl+Shift+S" or ". Right"; "" leaves it without any.
type Keymap struct {
	Preset string            `json:"preset,omitempty"`
	Own    map[string]string `json:"own,omitempty"`
}

// KeyPresets are the names of the presets; the first is our own.
var KeyPresets = [...]string{"lamella", "fiji", "napari", "bdv"}

// ours are the keys of commands that stand in no menu, and of those whose key is no shortcut of the menu bar.
var ours = map[string]string{
	"key.previous": ", < Left Up", "key.next": ". > Right Down",
	"key.previous10": "Shift+Left Shift+Up PageUp", "key.next10": "Shift+Right Shift+Down PageDown",
	"key.earlier": "[", "key.later": "]", "key.play": "\\",
	"key.filter.up": "Alt+Up", "key.filter.down": "Alt+Down", "menu.addfilter": "f", "menu.stamp": "s", "menu.aside": "Ctrl+Shift+B",
	"channel1": "1", "channel2": "2", "channel3": "3", "channel4": "4", "channel5": "5",
	"channel6": "6", "channel7": "7", "channel8": "8", "channel9": "9",
	"alone1": "Shift+1", "alone2": "Shift+2", "alone3": "Shift+3", "alone4": "Shift+4", "alone5": "Shift+5",
	"alone6": "Shift+6", "alone7": "Shift+7", "alone8": "Shift+8", "alone9": "Shift+9",
	"menu.tool.pan": "v", "menu.tool.line": "l", "menu.tool.angle": "a", "menu.tool.rectangle": "q", "menu.tool.ellipse": "e", "menu.tool.polygon": "p",
	"menu.tool.point": "t", "menu.results": "m Ctrl+M", "menu.objects": "Ctrl+J", "menu.labels": "w", "menu.shape.remove": "Delete Backspace",
	"menu.fit": "r Home", "menu.zoomin": "+ =", "menu.zoomout": "-", "menu.auto": "c", "menu.scalebar": "b", "menu.smooth": "i",
	"menu.threeup": "/", "menu.curtain": "k", "menu.flip": "o", "menu.difference": "d", "menu.thicker": "}", "menu.thinner": "{", "menu.hilo": "h", "menu.chunks": "x", "menu.bychannel": "g",
	"menu.redo": "Ctrl+Shift+Z Ctrl+Y", "menu.keys": "F1 ?", "menu.reload": "F5", "menu.follow": "Shift+F5", "menu.panels": "F9", "menu.fullscreen": "F11",
}

// presets are what other programs have on other keys, by the lists of notes on the field: ImageJ 1.54, napari 0.9,
// BigDataViewer 10.
var presets = map[string]map[string]string{
	"lamella": {},
	"fiji": {
		"menu.palette": "l Ctrl+K", "menu.fit": "4 r Home", "menu.one": "5", "menu.auto": "C c", "menu.properties": "P Ctrl+I", "menu.threeup": "H /",
		"channel4": "", "channel5": "", "key.previous": ", < Left", "key.next": ". > Right ;",
		"menu.zoomin": "+ = Up", "menu.zoomout": "- Down",
	},
	"napari": {
		"menu.palette": "Ctrl+Shift+P Ctrl+K", "menu.fit": "Ctrl+R r Home", "menu.single": "Shift+V", "menu.bychannel": "Ctrl+G g",
		"key.previous": ", Left", "key.next": ". Right", "menu.keys": "F1 ? Ctrl+Alt+/",
	},
	"bdv": {
		"key.earlier": "[ n", "key.later": "] m", "menu.xy": "Z", "menu.xz": "Y A", "menu.yz": "X", "menu.smooth": "i",
		"menu.zoomin": "Up + =", "menu.zoomout": "Down -", "menu.panels": "p F9", "menu.keys": "F1 h ?",
		"key.previous": ", < Left", "key.next": ". > Right", "menu.auto": "s c", "menu.properties": "Ctrl+, Ctrl+I",
		"menu.bookmark.add": "b Ctrl+B", "menu.bookmark.list": "B Ctrl+Alt+B",
	},
}

// zooms reports whether the wheel alone zooms, and goes through the planes with Control: as in napari.
func (k Keymap) zooms() bool { return k.Preset == "napari" }

// keys gives every command its keys. inMenu are the shortcuts that the menu bar comes with. A key does one thing:
// what the user chose takes it from the preset, and the preset from what is usual.
func (k Keymap) keys(inMenu map[string]string) map[string][]string {
	taken := map[string]bool{}
	all := map[string][]string{}
	for _, layer := range []map[string]string{k.Own, presets[k.Preset], ours, inMenu} {
		for _, name := range slices.Sorted(maps.Keys(layer)) {
			if _, done := all[name]; done {
				continue
			}
			all[name] = nil
			for _, key := range strings.Fields(layer[name]) {
				if !taken[key] {
					taken[key] = true
					all[name] = append(all[name], key)
				}
			}
		}
	}
	return all
}

// with is k with other keys for one command, taken from those that had them.
func (k Keymap) with(name, keys string) Keymap {
	own := maps.Clone(k.Own)
	if own == nil {
		own = map[string]string{}
	}
	for other, has := range own {
		left := slices.DeleteFunc(strings.Fields(has), func(key string) bool { return slices.Contains(strings.Fields(keys), key) })
		own[other] = strings.Join(left, " ")
	}
	own[name] = keys
	return Keymap{k.Preset, own}
}

// modifiers in the order in which they are written.
var modifiers = [...]struct {
	mod  fyne.KeyModifier
	name string
}{{fyne.KeyModifierControl, "Ctrl"}, {fyne.KeyModifierAlt, "Alt"}, {fyne.KeyModifierShift, "Shift"}, {fyne.KeyModifierSuper, "Super"}}

// keyNames are keys whose name in the toolkit is not what stands on them.
var keyNames = map[fyne.KeyName]string{
	fyne.KeyPageUp: "PageUp", fyne.KeyPageDown: "PageDown", fyne.KeyEscape: "Esc", fyne.KeyReturn: "Enter", fyne.KeyEnter: "Enter", fyne.KeyBackspace: "Backspace",
}

// pressedKey is the text of a key with modifiers.
func pressedKey(k fyne.KeyName, m fyne.KeyModifier) string {
	var b strings.Builder
	for _, mod := range modifiers {
		if m&mod.mod != 0 {
			b.WriteString(mod.name + "+")
		}
	}
	if name, ok := keyNames[k]; ok {
		k = fyne.KeyName(name)
	}
	return b.String() + string(k)
}

// shortcutKey is the text of a shortcut of a menu, "" if it has none.
func shortcutKey(s fyne.Shortcut) string {
	if k, ok := s.(fyne.KeyboardShortcut); ok {
		return pressedKey(k.Key(), k.Mod())
	}
	return ""
}

// shortcutOf is the shortcut that a key triggers in a menu. The toolkit has kinds of its own for some.
func shortcutOf(key string) fyne.Shortcut {
	s := &desktop.CustomShortcut{}
	for {
		mod, rest, more := strings.Cut(key, "+")
		i := slices.IndexFunc(modifiers[:], func(m struct {
			mod  fyne.KeyModifier
			name string
		}) bool {
			return m.name == mod
		})
		if !more || i < 0 {
			break
		}
		s.Modifier |= modifiers[i].mod
		key = rest
	}
	s.KeyName = fyne.KeyName(key)
	for k, name := range keyNames {
		if name == key && k != fyne.KeyEnter {
			s.KeyName = k
		}
	}
	if len(key) == 1 && s.Modifier == 0 { // is shown in the menu and comes as what is typed
		if key >= "A" && key <= "Z" {
			s.Modifier = fyne.KeyModifierShift
		}
		s.KeyName = fyne.KeyName(strings.ToUpper(key))
	}
	if s.Modifier == fyne.KeyModifierControl {
		switch s.KeyName {
		case fyne.KeyZ:
			return &fyne.ShortcutUndo{}
		case fyne.KeyY:
			return &fyne.ShortcutRedo{}
		case fyne.KeyC:
			return &fyne.ShortcutCopy{}
		}
	}
	return s
}

// chord reports whether a key is pressed with Control, Alt or Super, which the toolkit tells as a shortcut.
func chord(key string) bool {
	return strings.HasPrefix(key, "Ctrl+") || strings.HasPrefix(key, "Alt+") || strings.HasPrefix(key, "Super+")
}

// shownKey is a key as people read it: "Ctrl + Shift + S", "R", "→".
func shownKey(key string) string {
	var parts []string
	for {
		mod, rest, more := strings.Cut(key, "+")
		if !more || mod == "" || rest == "" {
			break
		}
		parts, key = append(parts, mod), rest
	}
	if s, ok := map[string]string{"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "-": "−", "PageUp": "Page ↑", "PageDown": "Page ↓"}[key]; ok {
		key = s
	}
	if len(key) == 1 && key >= "a" && key <= "z" {
		key = strings.ToUpper(key)
	} else if len(key) == 1 && key >= "A" && key <= "Z" && len(parts) == 0 {
		parts = []string{"Shift"}
	}
	return strings.Join(append(parts, key), " + ")
}

// shownKeys writes the keys of a command, as many as have room.
func shownKeys(keys []string, most int) string {
	var shown []string
	for _, k := range keys[:min(most, len(keys))] {
		shown = append(shown, shownKey(k))
	}
	return strings.Join(shown, "   ")
}
