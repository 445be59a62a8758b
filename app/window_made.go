//go:build !headless

package main

import (
	"os"
	"path/filepath"
	"strings"

	"lamella/filters"
	"lamella/lazy"
	"lamella/loaders/store"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// A remaking is a source that is being opened again with the filters that an export of it was made with.
type remaking struct{ source, chain string }

// offerSource says what an export on view was made of and offers to open that, with its filters. It reports whether
// there was anything to say; more is said with it.
func (w *window) offerSource(set *lazy.Dataset, export string, more []string) bool {
	r := set.Images[0].Recipe
	if r.Source == "" {
		return false
	}
	say := func(key string) string {
		words := ui.Say(key, "Source", r.Source, "Chain", r.Chain)
		return strings.TrimSpace(words + "\n" + ui.Remarks(more))
	}
	place, ok := sourceOf(r.Source, export)
	switch {
	case !ok:
		w.view.Note(say("app.made.gone"))
	case r.Chain == "":
		w.view.Offer(say("app.made.copy"), ui.Say("app.made.open"), func() { w.open([]string{place}) })
	default:
		w.view.Offer(say("app.made"), ui.Say("app.made.open"), func() {
			w.open([]string{place})
			w.remake = remaking{place, r.Chain}
		})
	}
	return true
}

// remakeIn puts the filters of an export into a session of its source, if that is what was asked for. The error says
// what is wrong with their text.
func (w *window) remakeIn(s *viewer.Session, source string) error {
	asked := w.remake
	w.remake = remaking{}
	if asked.chain == "" || asked.source != source {
		return nil
	}
	chain, err := filters.Parse(asked.chain)
	if err == nil {
		s.Act(viewer.SetChain(chain))
	}
	return err
}

// sourceOf finds what an export names as its source: where it says, as seen from the export's folder or from the
// working folder, or beside the export.
func sourceOf(source, export string) (string, bool) {
	if store.IsAddress(source) || strings.HasPrefix(source, "sample:") {
		return source, true
	}
	dir := filepath.Dir(export)
	places := []string{filepath.Join(dir, source), source, filepath.Join(dir, filepath.Base(source))}
	if filepath.IsAbs(source) {
		places = places[1:]
	}
	for _, at := range places {
		if there(at) && !same(at, export) {
			return at, true
		}
	}
	return "", false
}

// there reports whether a path, or a glob, names anything.
func there(path string) bool {
	if _, err := os.Stat(path); err == nil {
		return true
	}
	found, _ := filepath.Glob(path) // a bad pattern names nothing
	return len(found) > 0
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
