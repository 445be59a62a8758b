package ui

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

// A command is something that the window can do, wherever it is asked for: in a menu, by a key, in the palette or
// on the sheet of keys.
type command struct {
	name  string   // the key of its text, by which settings keep its keys; "" for what has no name, such as a recent file
	title string   // "Fit to window"
	plain string   // the title in English, by which it is found in any language
	path  string   // of the menu that holds it: "View", "Filter ▸ Edges"
	about string   // what it does, in a sentence; "" where the title says it
	terms string   // what it is also looked for by
	keys  []string // that do it
	off   bool     // it cannot be done now
	do    func()
}

// pictureCommands are what keys do to the picture and no menu holds.
func (v *View) pictureCommands() []command {
	step := func(a func() lazy.Axis, n int) func() {
		return func() { v.act(viewer.Step(a(), n)) }
	}
	normal := func() lazy.Axis {
		_, _, n := v.session.State().Cut.Axes()
		return n
	}
	time := func() lazy.Axis { return lazy.T }
	all := []command{
		{name: "key.previous", do: step(normal, -1)}, {name: "key.next", do: step(normal, 1)},
		{name: "key.previous10", do: step(normal, -10)}, {name: "key.next10", do: step(normal, 10)},
		{name: "key.earlier", do: step(time, -1)}, {name: "key.later", do: step(time, 1)},
		{name: "key.play", do: v.playOrStop},
		{name: "key.filter.up", do: func() { v.chain.moveFocused(-1) }}, {name: "key.filter.down", do: func() { v.chain.moveFocused(1) }},
	}
	for i := range all {
		all[i].title, all[i].plain, all[i].off = Say(all[i].name), known[all[i].name], v.session == nil
	}
	var channels []viewer.Channel
	if v.session != nil {
		channels = v.session.State().Channels
	}
	for i := range 9 {
		n, name := strconv.Itoa(i+1), strconv.Itoa(i+1)
		if i < len(channels) {
			name = channels[i].Name
		}
		off := i >= len(channels)
		all = append(all,
			command{name: "channel" + n, title: Say("key.channel", "Name", name), off: off, do: func() { v.act(viewer.Toggle(i)) }},
			command{name: "alone" + n, title: Say("key.alone", "Name", name), off: off, do: func() { v.act(viewer.Solo(i)) }})
	}
	for i := range all {
		all[i].path, all[i].keys, all[i].terms = Say("key.picture"), v.keys[all[i].name], also(all[i].name)
	}
	return all
}

// commands are all that can be done.
func (v *View) commands() []command { return slices.Concat(v.menuCommands(), v.pictureCommands()) }

// menuCommands are those of the menus, in their order.
func (v *View) menuCommands() []command {
	var all []command
	var walk func(path string, m *fyne.Menu)
	walk = func(path string, m *fyne.Menu) {
		for _, item := range m.Items {
			switch {
			case item.IsSeparator:
			case item.ChildMenu != nil && !item.Disabled:
				walk(path+" ▸ "+item.Label, item.ChildMenu)
			case item.ChildMenu == nil && item.Action != nil:
				name := v.names()[item.Label]
				all = append(all, command{name: name, title: item.Label, plain: known[name], path: path, terms: also(name), keys: v.keys[name], off: item.Disabled, do: item.Action})
			}
		}
	}
	if bar := v.window.MainMenu(); bar != nil {
		for _, m := range bar.Items {
			walk(m.Label, m)
		}
	}
	return all
}

// also are the words by which a command is looked for that stand nowhere in the menus: those of other programs, of what it
// leads to, in English too.
func also(name string) string {
	if more, ok := known["also."+name]; ok {
		return Say("also."+name) + " " + more
	}
	if f, ok := viewer.LookupFilter(strings.TrimPrefix(name, "filter.")); ok && strings.HasPrefix(name, "filter.") {
		return filterTerms(f)
	}
	return ""
}

// names are the names of the commands in menus, by what stands there.
func (v *View) names() map[string]string {
	if v.named == nil {
		v.named = map[string]string{}
		for name := range known {
			if strings.HasPrefix(name, "menu.") || strings.HasPrefix(name, "contrast.") || strings.HasPrefix(name, "filter.") {
				v.named[Say(name)] = name
			}
		}
	}
	return v.named
}

// do runs the command that a key belongs to, and reports whether there is one.
func (v *View) do(key string) bool {
	name, ok := v.bound[key]
	if !ok {
		return false
	}
	all := v.commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i >= 0 && !all[i].off {
		all[i].do()
	}
	return true
}

// SetKeys says which keys do what.
func (v *View) SetKeys(k Keymap) {
	for key := range v.bound {
		if chord(key) {
			v.window.Canvas().RemoveShortcut(shortcutOf(key))
		}
	}
	v.keymap = k
	for _, p := range v.panes.all {
		p.zooms = k.zooms()
	}
	v.menus()
}

// mute takes the shortcuts from the menu bar until it is built anew, so that a key can be named.
func (v *View) mute() {
	var walk func(m *fyne.Menu)
	walk = func(m *fyne.Menu) {
		for _, item := range m.Items {
			item.Shortcut = nil
			if item.ChildMenu != nil {
				walk(item.ChildMenu)
			}
		}
	}
	for _, m := range v.window.MainMenu().Items {
		walk(m)
	}
}

// bind gives the menu bar's entries their shortcuts. An entry shows its first key; others with Control or Alt
// are the canvas's, and those without come with what is typed.
func (v *View) bind() {
	inMenu := map[string]string{}
	entries := map[string]*fyne.MenuItem{}
	var walk func(m *fyne.Menu)
	walk = func(m *fyne.Menu) {
		for _, item := range m.Items {
			if item.ChildMenu != nil {
				walk(item.ChildMenu)
				continue
			}
			if name := v.names()[item.Label]; name != "" {
				entries[name] = item
				if key := shortcutKey(item.Shortcut); key != "" {
					inMenu[name] = key
				}
			}
		}
	}
	for _, m := range v.window.MainMenu().Items {
		walk(m)
	}
	v.keys, v.bound = v.keymap.keys(inMenu), map[string]string{}
	for name, keys := range v.keys {
		for i, key := range keys {
			v.bound[key] = name
			switch item := entries[name]; {
			case i == 0 && item != nil:
				item.Shortcut = shortcutOf(key)
			case chord(key):
				v.window.Canvas().AddShortcut(shortcutOf(key), func(fyne.Shortcut) { v.do(key) })
			}
		}
		if item := entries[name]; item != nil && len(keys) == 0 {
			item.Shortcut = nil
		}
	}
}
