//go:build !headless

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

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
			file, err := formats.Create(ctx, path, j.For(w.engine))
			if err != nil {
				return err
			}
			_, err = export.Run(ctx, w.engine, j, file, progress)
			return err
		})
	})
}

// job is the plane on view as data, with the colours and limits in which it is shown.
func job(sc *viewer.Scene, s viewer.State, source string, replace bool) export.Job {
	j := export.Job{
		Place: export.PlaceOf(sc.Image, 0),
		Array: sc.Shown[0], Region: sc.Plane(s), View: export.View(s.Cut),
		RGB: sc.Image.RGB && !sc.Filtered(), Name: sc.Image.Name, Flat: true, Replace: replace,
		Recipe: loaders.Recipe{Source: source, Chain: sc.Recipe(), Version: cli.Version},
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
	return stem + madeBy(w.view.Session())
}

// madeBy is what was done to make the image on view of another, as a part of a name: "-crop-bin". It is empty for an image of the file.
func madeBy(s *viewer.Session) (name string) {
	if s == nil || !s.IsDerived() {
		return ""
	}
	chain, err := viewer.ParseChain(s.Scene().Image.Made)
	if err != nil { // it was made by this program
		return "-derived"
	}
	for _, step := range chain {
		name += "-" + step.Filter
	}
	return name
}
