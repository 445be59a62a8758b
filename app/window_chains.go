//go:build !headless

package main

import (
	"encoding/json"

	"lamella/viewer"
)

// keptChains are the filters that are kept under names.
func (w *window) keptChains() viewer.KeptChains {
	var k viewer.KeptChains
	if err := json.Unmarshal([]byte(w.settings.text("chains", "")), &k); err != nil {
		return nil // never written, or not by this version
	}
	return k
}

// keepChains remembers them.
func (w *window) keepChains(k viewer.KeptChains) {
	text, err := json.Marshal(k)
	if err != nil {
		w.view.Fail(err)
		return
	}
	w.remind(map[string]any{"chains": string(text)})
	w.view.SetKept(k)
}
