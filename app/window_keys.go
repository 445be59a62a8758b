//go:build !headless

package main

import (
	"encoding/json"

	"lamella/viewer/ui"
)

// keys are those that were chosen last.
func (w *window) keys() ui.Keymap {
	var k ui.Keymap
	if err := json.Unmarshal([]byte(w.settings.text("keys", "")), &k); err != nil {
		return ui.Keymap{} // never written, or not by this version
	}
	return k
}

// setKeys remembers them.
func (w *window) setKeys(k ui.Keymap) {
	if text, err := json.Marshal(k); err == nil {
		w.remind(map[string]any{"keys": string(text)})
	}
}
