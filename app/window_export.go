//go:build !headless

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"lamella/app/cli"
	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// askData asks where the voxels of the plane on view are to go, and writes them there.
func (w *window) askData() {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	w.view.AskFile(ui.Say("app.export.data.title"), w.folder(), w.suggest(".tif"), formats.Endings(), func(path string, replace bool) {
		sc, state := s.Scene(), s.State()
		w.write(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			if sc.Fault != nil { // since the name was asked for
				return sc.Fault
			}
			j := job(sc, state, s.Set().Source, replace)
			file, err := formats.Create(path, j.Description())
			if err != nil {
				return err
			}
			_, err = export.Run(ctx, w.engine, j, file, progress)
			return err
		})
	})
}

// askPicture asks where a picture of the plane on view is to go, and writes it there.
func (w *window) askPicture() {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	w.view.AskFile(ui.Say("app.export.picture.title"), w.folder(), w.suggest(".png"), []string{".png"}, func(path string, replace bool) {
		sc, state := s.Scene(), s.State()
		w.write(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			recipe := loaders.Recipe{Source: s.Set().Source, Chain: sc.Chain(), Version: cli.Version}
			picture, err := viewer.Picture(ctx, w.engine, sc, state, progress)
			if err != nil {
				return err
			}
			file, err := loaders.Create(path, replace)
			if err != nil {
				return err
			}
			if err := formats.EncodePNG(file, picture, recipe); err != nil {
				file.Abort()
				return fmt.Errorf("writing %s: %w", path, err)
			}
			return file.Commit()
		})
	})
}

// job is the plane on view as data, with the colours and limits in which it is shown.
func job(sc *viewer.Scene, s viewer.State, source string, replace bool) export.Job {
	j := export.Job{
		Array: sc.Shown[0], Region: sc.Plane(s), View: export.View(s.Cut),
		RGB: sc.Image.RGB && !sc.Filtered(), Name: sc.Image.Name, Flat: true, Replace: replace,
		Recipe: loaders.Recipe{Source: source, Chain: sc.Chain(), Version: cli.Version},
	}
	if j.Array.Meta().Shape[lazy.C] == len(s.Channels) {
		for _, c := range s.Channels {
			j.Channels = append(j.Channels, lazy.Channel{
				Name: c.Name, Color: fmt.Sprintf("#%02x%02x%02x", c.Color[0], c.Color[1], c.Color[2]), Limits: &[2]float64{c.Limits.Low, c.Limits.High},
			})
		}
	}
	return j
}

// suggest is a name for what is exported: the stem of the source, the place of the plane counted from
// 1, and the filters.
func (w *window) suggest(ending string) string {
	s := w.view.Session()
	sc, state := s.Scene(), s.State()
	stem := w.stem()
	_, _, normal := state.Cut.Axes()
	shape := sc.Meta().Shape
	for _, a := range []lazy.Axis{lazy.T, normal} {
		if shape[a] > 1 {
			stem += fmt.Sprintf("_%v%0*d", a, len(fmt.Sprint(shape[a])), state.At[a]+1)
		}
	}
	for i, step := range state.Chain {
		if !step.Off && sc.Rows[i].Err == nil {
			stem += "_" + step.Filter
		}
	}
	return stem + ending
}

// stem is the name of the source without its ending.
func (w *window) stem() string {
	stem := filepath.Base(w.source)
	if name, ok := strings.CutPrefix(w.source, "sample:"); ok {
		stem, _, _ = strings.Cut(name, "?")
	}
	for _, e := range append(formats.Endings(), ".png", ".tiff") {
		stem = strings.TrimSuffix(stem, e)
	}
	return stem
}

// write runs an export beside the window and tells how it goes. It takes the place of one that still
// goes on.
func (w *window) write(path string, replace bool, run func(ctx context.Context, progress func(done, total int)) error) {
	w.writeThen(path, replace, run, func() { w.view.Note(ui.Say("app.exported", "Name", path)) })
}

// writeThen is write with what is to be said when it is done.
func (w *window) writeThen(path string, replace bool, run func(ctx context.Context, progress func(done, total int)) error, done func()) {
	if err := export.Check(path, w.source, replace); err != nil {
		w.view.Fail(err)
		return
	}
	if w.writing != nil {
		w.writing()
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.writing = cancel
	name := filepath.Base(path)
	var told atomic.Bool
	progress := func(done, total int) {
		if done < total && !told.Swap(true) {
			w.view.Do(func() {
				told.Store(false)
				if ctx.Err() == nil {
					w.view.Note(ui.Say("app.exporting", "Name", name, "Done", fmt.Sprint(done), "Total", fmt.Sprint(total)))
				}
			})
		}
	}
	w.jobs.Go(func() {
		err := run(ctx, progress)
		w.view.Do(func() {
			stopped := ctx.Err() != nil
			if !stopped {
				w.writing = nil
			}
			cancel()
			switch {
			case err == nil:
				done()
			case stopped && errors.Is(err, context.Canceled):
				w.view.Note(ui.Say("app.notwritten", "Name", name))
			default:
				w.view.Fail(err)
			}
		})
	})
}
