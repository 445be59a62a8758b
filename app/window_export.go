//go:build !headless

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lamella/app/cli"
	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/viewer"
)

// askData asks which voxels are written as data and where they go, and writes them there.
func (w *window) askData() {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	endings := formats.Endings()
	endings = append([]string{".tif"}, slices.DeleteFunc(endings, func(e string) bool { return e == ".tif" })...)
	w.view.AskData(w.folder(), w.suggestOf, endings, func(x viewer.Excerpt, path string, replace bool) {
		j, err := job(x, s.Scene(), s.State(), s.Set().Source, replace)
		w.write(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			if err != nil {
				return err
			}
			file, err := formats.Create(ctx, path, j.For(w.engine))
			if err != nil {
				return err
			}
			_, err = export.Run(ctx, w.engine, j, file, progress)
			return err
		})
	})
}

// job is an excerpt of what is on view, with the colours and limits in which it is shown. A single plane is written as one.
func job(x viewer.Excerpt, sc *viewer.Scene, s viewer.State, source string, replace bool) (export.Job, error) {
	a, r, err := x.Of(sc, s)
	if err != nil {
		return export.Job{}, err
	}
	cut := s.Pane(0).Cut
	_, _, normal := cut.Axes()
	return export.Job{
		Place: export.PlaceOf(sc.Image, 0),
		Array: a, Region: r, View: export.View(cut),
		RGB: sc.Image.RGB && !sc.Filtered(), Name: sc.Image.Name, Channels: channelsAs(a, s),
		Flat: r.Len(normal) == 1 && r.Len(lazy.T) == 1, Replace: replace,
		Recipe: loaders.Recipe{Source: source, Chain: x.Recipe(sc, s), Version: cli.Version},
	}, nil
}

// channelsAs are the channels of an array in the colours and limits in which they are shown; nil if it has others.
func channelsAs(a lazy.Array, s viewer.State) (all []lazy.Channel) {
	if a.Meta().Shape[lazy.C] != len(s.Channels) {
		return nil
	}
	for _, c := range s.Channels {
		all = append(all, lazy.Channel{
			Name: c.Name, Color: fmt.Sprintf("#%02x%02x%02x", c.Color[0], c.Color[1], c.Color[2]), Limits: &[2]float64{c.Limits.Low, c.Limits.High},
		})
	}
	return all
}

// suggestOf is a name for an excerpt without an ending: where it lies along each axis of which it is a part, counted from 1,
// and the filters.
func (w *window) suggestOf(x viewer.Excerpt) string {
	s := w.view.Session()
	sc, state := s.Scene(), s.State()
	_, r, err := x.Of(sc, state)
	if err != nil {
		return w.suggest("")
	}
	return w.stem() + placeIn(r, sc.Meta().Shape) + filtersIn(sc, state)
}

// placeIn is where a region lies, as a part of a name: "_z012-015_x101-300". It is empty for all of the image.
func placeIn(r lazy.Region, of lazy.Shape) (name string) {
	for a, n := range of {
		if r.Len(lazy.Axis(a)) == n {
			continue
		}
		digits := len(fmt.Sprint(n))
		name += fmt.Sprintf("_%v%0*d", lazy.Axis(a), digits, r.Min[a]+1)
		if r.Len(lazy.Axis(a)) > 1 {
			name += fmt.Sprintf("-%0*d", digits, r.Max[a])
		}
	}
	return name
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
	return stem + filtersIn(sc, state) + ending
}

// filtersIn names the filters that take part, as a part of a name.
func filtersIn(sc *viewer.Scene, s viewer.State) (name string) {
	for i, step := range s.Chain {
		if !step.Off && sc.Rows[i].Err == nil {
			name += "_" + step.Filter
		}
	}
	return name
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
