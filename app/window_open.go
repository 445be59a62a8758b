//go:build !headless

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// open opens sources as they say what they are.
func (w *window) open(sources []string) { w.openAs(sources, loaders.Options{}) }

// openAs opens sources with the user's words on them; the file of a session opens what it names.
func (w *window) openAs(sources []string, options loaders.Options) {
	if len(sources) == 1 && isSaved(sources[0]) {
		w.openSession(sources[0])
		return
	}
	w.openThen(sources, options, ui.JoinedAsFits, viewer.Open)
	w.session = ""
}

// openJoined opens several sources as the user says.
func (w *window) openJoined(sources []string, join ui.Joining) {
	w.openThen(sources, loaders.Options{}, join, func(set *lazy.Dataset, o viewer.Options) (*viewer.Session, error) {
		s, err := viewer.Open(set, o)
		if err == nil && join == ui.JoinedAsLabels {
			s.Act(viewer.LayOver(1))
		}
		if err == nil && join == ui.JoinedBeside {
			s.Act(viewer.AllTogether())
		}
		return s, err
	})
	w.session = ""
}

// A showing makes a session of a dataset.
type showing func(*lazy.Dataset, viewer.Options) (*viewer.Session, error)

// openThen opens sources beside the window, which stays as it is until they are there and shown as asked for. It takes
// the place of an opening that still goes on.
func (w *window) openThen(sources []string, options loaders.Options, join ui.Joining, show showing) {
	if len(sources) == 0 {
		return
	}
	if join == ui.JoinedAsFits || join == ui.JoinedAsStack { // in the order that a stack has, which the title names
		sources = slices.SortedFunc(slices.Values(sources), store.NaturalCompare)
	}
	if w.opening != nil {
		w.opening()
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.opening = cancel
	w.remake = remaking{}
	reading := w.again()
	name := title(sources)
	slow := time.AfterFunc(200*time.Millisecond, func() {
		w.view.Do(func() {
			if ctx.Err() == nil {
				w.view.Busy(ui.Say("app.opening", "Name", name))
			}
		})
	})
	go func() {
		set, err := openAll(ctx, sources, options, join, reading)
		w.view.Do(func() {
			slow.Stop()
			stopped := ctx.Err() != nil
			if !stopped {
				w.opening = nil
			}
			cancel()
			switch {
			case stopped && w.opening == nil: // by the user, not by a newer one
				w.view.Note(ui.Say("app.stopped", "Name", name))
			case stopped:
			case len(set.Images) > 0:
				if left := (leftOut{}); errors.As(err, &left) {
					name = title(left.of(sources))
				}
				w.show(&set, sources, options, join, name, show, err)
				return
			case err != nil && join == ui.JoinedAsStack:
				w.view.FailOffer(unopened(name, err), ui.Say("join.apart"), func() { w.openJoined(sources, ui.JoinedApart) })
			case err != nil && options.Raw == "" && w.rawFile(sources, err):
				w.view.FailOffer(unopened(name, err), ui.Say("app.raw.offer"), func() { w.importRaw(sources[0]) })
			case err != nil:
				w.view.Fail(unopened(name, err))
			}
			closeSet(&set)
		})
	}()
}

// unopened is an error of opening something in the language of the window; the reason stays as it was told.
func unopened(name string, err error) error {
	why := strings.TrimPrefix(reasonOf(err), name+": ") // most reasons begin with it
	return errors.New(ui.Say("app.unopened", "Name", name, "Why", why))
}

// openAll opens one source, or several joined as the user says.
func openAll(ctx context.Context, sources []string, options loaders.Options, join ui.Joining, reading int) (set lazy.Dataset, err error) {
	if len(sources) == 1 {
		set, err = formats.Open(ctx, sources[0], options)
	} else {
		set, err = openSeveral(ctx, sources, options, string(join))
	}
	if scattered(&set) {
		for _, image := range set.Images {
			for i, l := range image.Levels {
				image.Levels[i].Array = lazy.Again(l.Array, reading)
			}
		}
	}
	return set, err
}

func closeSet(set *lazy.Dataset) {
	if set.Close != nil {
		set.Close() // nothing was written
	}
}

// sessionOptions are those of a session of this window.
func (w *window) sessionOptions() viewer.Options {
	o := w.view.Options()
	o.Engine = w.engine
	o.OpenFile = func(ctx context.Context, name string) (lazy.Dataset, error) {
		return formats.Open(ctx, name, loaders.Options{})
	}
	return o
}

// show puts a dataset on view. err, if not nil, is what kept some of it out.
func (w *window) show(set *lazy.Dataset, sources []string, options loaders.Options, join ui.Joining, name string, open showing, err error) {
	o := w.sessionOptions()
	s, failed := open(set, o)
	if failed != nil {
		closeSet(set)
		w.view.Fail(failed)
		return
	}
	if wrong := w.remakeIn(s, sources[0]); err == nil {
		err = wrong
	}
	w.unfollow()
	w.view.Show(s)
	w.source, w.sources, w.options, w.join = sources[0], sources, options, join
	w.win.SetTitle(name + " — Lamella")
	w.remember(set, sources)
	switch {
	case err != nil:
		w.view.Fail(err)
	case w.offerSource(set, sources[0], set.Warnings[:min(2, len(set.Warnings))]):
	case w.offerConversion(set, name):
	case len(set.Warnings) > 0:
		w.view.Note(ui.Remarks(set.Warnings[:min(3, len(set.Warnings))]))
	}
}

// title is the exact name of what is open.
func title(sources []string) string {
	name := sources[0]
	switch {
	case strings.HasPrefix(name, "sample:"):
	case store.IsAddress(name):
		name = path.Base(store.Plain(name))
	default:
		name = filepath.Base(name)
	}
	if n := len(sources) - 1; n > 0 {
		name += " +" + strconv.Itoa(n)
	}
	return name
}

// dropped opens what was let go over the window: one file, a folder, or several at once.
func (w *window) dropped(_ fyne.Position, items []fyne.URI) {
	var paths []string
	for _, u := range items {
		if store.IsAddress(u.String()) {
			paths = append(paths, u.String())
			continue
		}
		if u.Scheme() != "file" {
			w.view.Fail(fmt.Errorf("%s: only files, folders and addresses (https, s3) can be dropped", u))
			return
		}
		paths = append(paths, u.Path()) // the name as it is; the URI's text is not escaped
	}
	if len(paths) == 1 && isROI(paths[0]) {
		w.openROIs(paths[0])
		return
	}
	if len(paths) > 1 {
		slices.SortFunc(paths, store.NaturalCompare)
		w.view.AskJoining(len(paths), func(j ui.Joining) { w.openJoined(paths, j) })
		return
	}
	w.open(paths)
}

func (w *window) askFile() {
	w.chooseFile(func(path string) { w.open([]string{path}) })
}

// chooseFile has the user choose a file.
func (w *window) chooseFile(take func(path string)) { w.ready(w.chooser(take), w.folder(), w.view.Ask) }

// chooser is the dialog for that.
func (w *window) chooser(take func(path string)) *dialog.FileDialog {
	return dialog.NewFileOpen(func(f fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			w.view.Fail(err)
		case f != nil:
			f.Close()
			take(f.URI().Path())
		}
	}, w.win)
}

func (w *window) askFolder() {
	d := dialog.NewFolderOpen(func(f fyne.ListableURI, err error) {
		switch {
		case err != nil:
			w.view.Fail(err)
		case f != nil:
			w.open([]string{f.Path()})
		}
	}, w.win)
	w.ready(d, w.folder(), w.view.Ask)
}

// ready shows a dialog for files, large enough to read names, in a folder.
func (w *window) ready(d *dialog.FileDialog, folder string, show func(dialog.Dialog)) {
	if at, err := storage.ListerForURI(storage.NewFileURI(folder)); err == nil {
		d.SetLocation(at)
	}
	d.SetView(dialog.ListView)
	size := w.win.Canvas().Size()
	d.Resize(fyne.NewSize(min(900, size.Width-80), min(600, size.Height-80)))
	log.SetOutput(io.Discard) // the toolkit complains about every folder of the desktop that is not there
	show(d)
	log.SetOutput(os.Stderr)
}

// folder is where files are looked for first: beside what is open, else in the working folder.
func (w *window) folder() string {
	if w.source != "" && !strings.HasPrefix(w.source, "sample:") && !store.IsAddress(w.source) {
		if abs, err := filepath.Abs(w.source); err == nil {
			return filepath.Dir(abs)
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "/"
	}
	return dir
}

// remembered is how many sources the list of recent ones holds.
const remembered = 12

func (w *window) recent() []ui.Recent {
	var r []ui.Recent
	if err := json.Unmarshal([]byte(w.settings.text("recent", "")), &r); err != nil {
		return nil // never written, or not by this version
	}
	return r
}

func (w *window) remember(set *lazy.Dataset, sources []string) {
	if len(sources) > 1 { // a list of files is not opened again by one name
		return
	}
	source := sources[0]
	if store.IsAddress(source) {
		if store.Plain(source) != source { // a password or a signature is not to be kept
			return
		}
	} else if !strings.HasPrefix(source, "sample:") {
		if abs, err := filepath.Abs(source); err == nil {
			source = abs
		}
	}
	w.rememberAs(ui.Recent{Source: source, Name: title(sources), About: ui.About(set)})
}

// rememberAs puts a source before those that were opened earlier.
func (w *window) rememberAs(r ui.Recent) {
	list := slices.DeleteFunc(w.recent(), func(o ui.Recent) bool { return o.Source == r.Source })
	list = append([]ui.Recent{r}, list...)
	w.setRecent(list[:min(remembered, len(list))])
}

func (w *window) clearRecent() { w.setRecent(nil) }

func (w *window) setRecent(list []ui.Recent) {
	text, err := json.Marshal(list)
	if err == nil {
		w.remind(map[string]any{"recent": string(text)})
	}
	w.view.SetRecent(list)
}
