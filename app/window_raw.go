//go:build !headless

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/loaders/raw"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// askRaw asks for a file, and then for what it holds.
func (w *window) askRaw() {
	d := dialog.NewFileOpen(func(f fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			w.view.Fail(err)
		case f != nil:
			f.Close()
			w.view.Do(func() { w.importRaw(f.URI().Path()) }) // once this dialog has closed
		}
	}, w.win)
	w.ready(d, w.folder(), w.view.Ask)
}

// importRaw asks what a file holds, beginning with a guess.
func (w *window) importRaw(path string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		w.view.Fail(fmt.Errorf("%s: not a file", path))
		return
	}
	g := raw.GuessOf(title([]string{path}), info.Size())
	w.view.ImportRaw(ui.RawFile{
		Path: path, Bytes: info.Size(), Width: g.Lengths[2], Height: g.Lengths[1], Depth: g.Lengths[0], Channels: 1, Times: 1,
		DType: g.DType, Big: g.Big, Offset: g.Offset,
	})
}

// rawFile reports whether what could not be opened is a file that a person may say more of: one whose content no
// driver knows.
func (w *window) rawFile(sources []string, err error) bool {
	info, missing := os.Stat(sources[0])
	return len(sources) == 1 && missing == nil && info.Mode().IsRegular() && info.Size() > 0 && errors.Is(err, loaders.ErrFormat)
}

// rawOptions are the words for the driver.
func rawOptions(f ui.RawFile) loaders.Options {
	words, axes := f.Words()
	return loaders.Options{Raw: words, Axes: axes}
}

func (w *window) openRaw(f ui.RawFile) { w.openAs([]string{f.Path}, rawOptions(f)) }

// previewRaw reads the middle plane of a file as it is said to be, beside the window.
func (w *window) previewRaw(f ui.RawFile, give func(image.Image, error)) {
	if w.previewing != nil {
		w.previewing()
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.previewing = cancel
	go func() {
		img, err := middle(ctx, w.engine, f)
		w.view.Do(func() {
			if ctx.Err() == nil {
				give(img, err)
			}
			cancel()
		})
	}()
}

// previewSide is the most pixels of a preview along a side.
const previewSide = 640

// middle is the middle plane of the first channel and time, from its darkest to its brightest but for the outermost
// thousandth.
func middle(ctx context.Context, e *engine.Engine, f ui.RawFile) (image.Image, error) {
	set, err := formats.Open(ctx, f.Path, rawOptions(f))
	if err != nil {
		return nil, err
	}
	defer closeSet(&set)
	a := set.Images[0].Levels[0].Array
	for _, ax := range []lazy.Axis{lazy.Y, lazy.X} {
		if a, err = lazy.Every(a, ax, (a.Meta().Shape[ax]-1)/previewSide+1); err != nil {
			return nil, err
		}
	}
	m := a.Meta()
	r := lazy.At(lazy.Index{0, m.Shape[lazy.Z] / 2, 0, 0, 0}, lazy.Shape{1, 1, 1, m.Shape[lazy.Y], m.Shape[lazy.X]})
	b, _, err := e.Get(ctx, a, r, engine.Priority{Tier: engine.Visible})
	if err != nil {
		return nil, err
	}
	l, ok := viewer.Find(b, viewer.Rule{Kind: viewer.Robust})
	if !ok || l.High <= l.Low {
		l.High = l.Low + 1
	}
	img := image.NewGray(image.Rect(0, 0, m.Shape[lazy.X], m.Shape[lazy.Y]))
	for at := range r.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		v := (b.Value(at.Min) - l.Low) / (l.High - l.Low)
		if math.IsNaN(v) {
			v = 0
		}
		img.SetGray(at.Min[lazy.X], at.Min[lazy.Y], color.Gray{uint8(255 * max(0, min(1, v)))})
	}
	return img, nil
}
