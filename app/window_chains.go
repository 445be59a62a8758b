//go:build !headless

package main

import (
	"encoding/json"

	"lamella/viewer"
)

// keptChains are the filters that are kept under names.
func (w *window) keptChains() viewer.KeptChains {
	var k viewer.KeptChains
	if err := json.Unmarshal([]byte(w.app.Preferences().String("chains")), &k); err != nil {
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
	w.app.Preferences().SetString("chains", string(text))
	w.view.SetKept(k)
}
