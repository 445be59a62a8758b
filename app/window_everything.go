//go:build !headless

package main

import (
	"context"
	"errors"
	"path/filepath"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// askEverything asks for the name of an OME-Zarr, and writes all of the image to it with the filters applied. One that
// was stopped is gone on with under the same name.
func (w *window) askEverything() {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	w.view.AskFile(ui.Say("app.everything.title"), w.folder(), w.stem()+everythingEnding(s.State()), []string{".zarr"}, func(path string, replace bool) {
		sc, state := s.Scene(), s.State()
		j, err := everything(sc, state, s.Set().Source, replace)
		w.writeThen(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			if err != nil { // since the name was asked for
				return err
			}
			j, err := j.Watched(ctx)
			if err != nil {
				return err
			}
			file, err := formats.Create(ctx, path, j.For(w.engine))
			if err == nil {
				_, err = export.Run(ctx, w.engine, j, file, progress)
			}
			if errors.Is(err, loaders.ErrComplete) {
				return nil
			}
			return err
		}, func() {
			w.view.Offer(ui.Say("app.converted", "Name", filepath.Base(path)), ui.Say("app.convert.open"), func() { w.open([]string{path}) })
		}, "app.everything.stopped")
	})
}

// everything is all of the image on view, filters applied. Colours and limits are those of its file, not those in which it
// is shown, so that the command line writes the same bytes.
func everything(sc *viewer.Scene, s viewer.State, source string, replace bool) (export.Job, error) {
	all := viewer.Span{Reach: viewer.Everywhere}
	j, err := job(viewer.Excerpt{Planes: all, Times: all}, sc, s, source, replace)
	j.View, j.Flat, j.Way = export.XY, false, loaders.Resume
	j.Channels = channels(sc, s)
	return j, err
}

// channels are those of the file, by the names that they were given in the window; nil if there are none, or the
// filters have made others.
func channels(sc *viewer.Scene, s viewer.State) []lazy.Channel {
	n := len(s.Channels)
	if sc.Shown[0].Meta().Shape[lazy.C] != n || len(sc.Image.Channels) != n && len(sc.Image.Channels) > 0 {
		return nil
	}
	out, stated := make([]lazy.Channel, n), len(sc.Image.Channels) > 0
	copy(out, sc.Image.Channels)
	for i, c := range s.Channels {
		if sc.Filtered() {
			out[i].Limits, out[i].LUT = nil, nil
		}
		if c.Name != sc.FileName(i) {
			out[i].Name, stated = c.Name, true
		}
	}
	if !stated {
		return nil
	}
	return out
}

// everythingEnding names the filters that are applied.
func everythingEnding(s viewer.State) string {
	ending := ""
	for _, step := range s.Chain {
		if !step.Off {
			ending += "_" + step.Filter
		}
	}
	return ending + ".ome.zarr"
}
