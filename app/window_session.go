//go:build !headless

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// savedEnding is that of the files of sessions.
const savedEnding = ".lamella"

// isSaved reports whether a source is the file of a session.
func isSaved(source string) bool { return strings.HasSuffix(strings.ToLower(source), savedEnding) }

// saved is what is open, with its sources as seen from a folder.
func (w *window) saved(folder string) viewer.Saved {
	s := viewer.Saved{Axes: w.options.Axes, Raw: w.options.Raw, Stored: w.options.Stored, Joined: string(w.join), State: w.view.Session().State()}
	for _, source := range w.sources {
		s.Sources = append(s.Sources, seenFrom(folder, source))
	}
	return s
}

// seenFrom is a source as a file in a folder names it, so that both can be moved together. Addresses and samples are
// the same from everywhere; an address goes without a password or a signature.
func seenFrom(folder, source string) string {
	switch {
	case strings.HasPrefix(source, "sample:"):
		return source
	case store.IsAddress(source):
		return store.Plain(source)
	}
	abs, err := filepath.Abs(source)
	if err != nil {
		return source
	}
	if rel, err := filepath.Rel(folder, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return abs
}

// lookedUp is a source that a file in a folder names.
func lookedUp(folder, source string) string {
	if strings.HasPrefix(source, "sample:") || store.IsAddress(source) || filepath.IsAbs(source) {
		return source
	}
	return filepath.Join(folder, filepath.FromSlash(source))
}

// saveSession asks where the session is to go, and writes it there.
func (w *window) saveSession() {
	if w.view.Session() == nil {
		return
	}
	name := w.stem() + savedEnding
	folder := w.folder()
	if w.session != "" {
		folder, name = filepath.Split(w.session)
	}
	w.view.AskFile(ui.Say("app.session.title"), folder, name, []string{savedEnding}, func(path string, replace bool) {
		abs, err := filepath.Abs(path)
		var text []byte
		if err == nil {
			text, err = w.saved(filepath.Dir(abs)).Encode()
		}
		if err == nil {
			err = writeWhole(abs, replace, func(out io.Writer) error { _, err := out.Write(text); return err })
		}
		if err != nil {
			w.view.Fail(err)
			return
		}
		w.session = abs
		w.rememberSession(abs)
		w.view.Note(ui.Say("app.exported", "Name", path))
	})
}

// rememberSession puts a session among what was opened last.
func (w *window) rememberSession(path string) {
	w.rememberAs(ui.Recent{Source: path, Name: filepath.Base(path), About: ui.Say("app.session.about")})
}

// openSession opens the file of a session.
func (w *window) openSession(path string) {
	text, err := readSaved(path)
	var s viewer.Saved
	if err == nil {
		s, err = viewer.DecodeSaved(text)
	}
	if err != nil {
		w.view.Fail(fmt.Errorf("%s: %w", filepath.Base(path), err))
		return
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		w.view.Fail(err)
		return
	}
	w.restore(s, filepath.Dir(abs), abs)
}

// readSaved reads a file that is not too large for a session.
func readSaved(path string) ([]byte, error) {
	const most = 64 << 20
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(text) > most {
		err = errors.New("too large for a session")
	}
	return text, err
}

// restore opens what a session names and shows it as it was saved. A source that is not there is asked for.
func (w *window) restore(s viewer.Saved, folder, path string) {
	var sources []string
	for i, source := range s.Sources {
		at := lookedUp(folder, source)
		if !strings.HasPrefix(at, "sample:") && !store.IsAddress(at) && !there(at) {
			w.view.FailOffer(errors.New(ui.Say("app.session.moved", "Name", at)), ui.Say("app.session.find"), func() {
				w.findMoved(s, i, folder, path)
			})
			return
		}
		sources = append(sources, at)
	}
	w.openThen(sources, loaders.Options{Axes: s.Axes, Raw: s.Raw, Stored: s.Stored}, ui.Joining(s.Joined), func(set *lazy.Dataset, o viewer.Options) (*viewer.Session, error) {
		return viewer.Restore(set, s.State, o)
	})
	w.session = path
	if path != "" {
		w.rememberSession(path)
	}
}

// findMoved asks where a source of a session is now. By the pointer a folder is chosen by any file in it. Others that are not
// there either are looked for beside it.
func (w *window) findMoved(s viewer.Saved, i int, folder, path string) {
	was := lookedUp(folder, s.Sources[i])
	browse := func(take func(string)) {
		w.ready(w.chooser(func(at string) { take(holding(at, filepath.Base(was))) }), nearest(filepath.Dir(was)), w.view.AskAlso)
	}
	w.view.AskMoved(was, browse, func(at string) {
		s.Sources = slices.Clone(s.Sources)
		for k, source := range s.Sources {
			if beside := filepath.Join(filepath.Dir(at), filepath.Base(source)); k != i && !there(lookedUp(folder, source)) && there(beside) {
				s.Sources[k] = beside
			}
		}
		s.Sources[i] = at
		w.restore(s, folder, path)
	})
}

// holding is the folder of a name that a path leads through, such as embryo.ome.zarr, or else the path.
func holding(path, name string) string {
	for dir := path; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == name {
			return dir
		}
	}
	return path
}

// nearest is the innermost folder on the way to one that is there.
func nearest(folder string) string {
	for !there(folder) && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
	}
	return folder
}

// A last state is kept while the program runs, so that nothing is lost when it does not end in order. Each run has a
// file of its own; that of a run which has ended is taken up by the next.
const keepEvery = 5 * time.Second

// keepFolder is where they are.
func (w *window) keepFolder() string {
	return w.ownFile("running")
}

// keep writes the last state at every beat, if it has changed.
func (w *window) keep(ctx context.Context) {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.view.Do(w.keepNow)
		}
	}
}

// keepNow writes the last state.
func (w *window) keepNow() {
	if w.view.Session() == nil {
		return
	}
	text, err := w.saved(w.keepFolder()).Encode()
	if err != nil || string(text) == w.kept {
		return
	}
	if os.MkdirAll(w.keepFolder(), 0o700) != nil { // without a place for it there is no last state, which harms nobody
		return
	}
	at := filepath.Join(w.keepFolder(), fmt.Sprintf("%d%s", os.Getpid(), savedEnding))
	if writeWhole(at, true, func(out io.Writer) error { _, err := out.Write(text); return err }) == nil {
		w.kept = string(text)
	}
}

// lastName is the state in which the program was left in order.
const lastName = "last" + savedEnding

// leave keeps the state for the next time, when the program ends in order.
func (w *window) leave() {
	w.keepNow()
	mine := filepath.Join(w.keepFolder(), fmt.Sprintf("%d%s", os.Getpid(), savedEnding))
	if _, err := os.Stat(mine); err == nil {
		os.Rename(mine, filepath.Join(w.keepFolder(), lastName)) // else it stays, and is offered as one that was lost
	}
}

// goOn opens the state in which the program was left.
func (w *window) goOn() {
	at := filepath.Join(w.keepFolder(), lastName)
	if !there(at) {
		w.view.Note(ui.Say("app.session.nolast"))
		return
	}
	text, err := readSaved(at)
	var s viewer.Saved
	if err == nil {
		s, err = viewer.DecodeSaved(text)
	}
	if err != nil {
		w.view.Fail(err)
		return
	}
	w.restore(s, w.keepFolder(), "")
}

// offerLost offers the state of a run that did not end in order, which then is the last one.
func (w *window) offerLost() {
	entries, err := os.ReadDir(w.keepFolder())
	if err != nil {
		return
	}
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscanf(e.Name(), "%d"+savedEnding, &pid); err != nil || pid == os.Getpid() || alive(pid) {
			continue
		}
		at := filepath.Join(w.keepFolder(), e.Name())
		text, err := readSaved(at)
		var s viewer.Saved
		if err == nil {
			s, err = viewer.DecodeSaved(text)
		}
		if err != nil || os.Rename(at, filepath.Join(w.keepFolder(), lastName)) != nil {
			os.Remove(at) // it cannot be used, now or later
			continue
		}
		w.view.Offer(ui.Say("app.session.lost", "Name", title(s.Sources)), ui.Say("app.session.goon"), w.goOn)
		return
	}
}
