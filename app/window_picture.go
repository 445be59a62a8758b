//go:build !headless

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/image/tiff"

	"lamella/app/cli"
	"lamella/app/formats"
	"lamella/app/movie"
	"lamella/loaders"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// pictures are the endings of pictures.
var pictures = []string{".png", ".svg", ".pdf", ".tif"}

// askPicture asks how a picture of the plane on view is made and where it goes, and writes it there.
func (w *window) askPicture() {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	w.view.AskPicture(w.folder(), w.suggest(".png"), pictures, func(f viewer.Figure, path string, replace bool) {
		sc, state := s.Seen()
		recipe := loaders.Recipe{Source: s.Set().Source, Chain: sc.Recipe(), Version: cli.Version}
		w.write(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			picture, layout, err := f.Draw(ctx, w.engine, sc, state, progress)
			if err != nil {
				return err
			}
			return writeWhole(path, replace, func(out io.Writer) error { return encodePicture(out, filepath.Ext(path), picture, layout, recipe) })
		})
	})
}

// encodePicture writes a picture with what lies on it: as lines and letters where the kind of file has them.
func encodePicture(out io.Writer, ending string, picture *image.RGBA, layout viewer.Layout, r loaders.Recipe) error {
	switch strings.ToLower(ending) {
	case ".svg":
		return layout.WriteSVG(out, picture)
	case ".pdf":
		return layout.WritePDF(out, picture)
	}
	if err := layout.On(picture); err != nil {
		return err
	}
	if strings.EqualFold(ending, ".png") {
		return formats.EncodePNG(out, picture, r)
	}
	return tiff.Encode(out, picture, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
}

// askMovie asks how a movie is made and where it goes, and writes it there. A name that ends with .png makes a
// picture a frame, with numbers.
func (w *window) askMovie() {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	name := w.stem() + "_movie" + movie.Endings()[0]
	about := ""
	if !movie.HasFFmpeg() {
		about = ui.Say("app.movie.noffmpeg")
	}
	w.view.AskMovie(w.folder(), name, about, append(movie.Endings(), ".png"), func(m viewer.Movie, path string, replace bool) {
		sc, state := s.Seen()
		if strings.EqualFold(filepath.Ext(path), ".png") {
			w.askFrames(m, sc, state, frameNames(path, len(m.Frames())))
			return
		}
		w.write(path, replace, func(ctx context.Context, progress func(done, total int)) error {
			return w.writeMovie(ctx, m, sc, state, path, replace, progress)
		})
	})
}

// frameNames are the names of so many pictures of a movie that is called path, numbered from 1: a_0001.png of a.png.
func frameNames(path string, n int) []string {
	stem, digits := strings.TrimSuffix(path, filepath.Ext(path)), max(4, len(fmt.Sprint(n)))
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s_%0*d.png", stem, digits, i+1)
	}
	return names
}

// askFrames writes a movie as a picture a frame. It asks whether those that are there may be replaced, and writes none where
// one of them may not be written.
func (w *window) askFrames(m viewer.Movie, sc *viewer.Scene, state viewer.State, names []string) {
	write := func(replace bool) {
		for i, name := range names {
			if _, err := os.Lstat(name); err != nil && i > 0 { // in the folder of the first, and none that is read
				continue
			}
			if err := w.mayWrite(name, replace); err != nil {
				w.view.Fail(err)
				return
			}
		}
		w.writeThen(names[0], replace, func(ctx context.Context, progress func(done, total int)) error {
			return w.writeFrames(ctx, m, sc, state, names, replace, progress)
		}, func() {
			w.view.Note(ui.Say("app.exported.frames", "N", fmt.Sprint(len(names)), "Name", names[0]))
		}, "app.notwritten")
	}
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil {
			w.view.AskReplace(ui.Say("movie.title"), filepath.Base(name), func() { write(true) })
			return
		}
	}
	write(false)
}

// frames draws the frames of a movie, one after another.
func (w *window) frames(ctx context.Context, m viewer.Movie, sc *viewer.Scene, s viewer.State, progress func(done, total int), take func(n int, frame *image.RGBA) error) error {
	all := m.Frames()
	for n, i := range all {
		progress(n, len(all))
		s.At[m.Axis] = i
		frame, layout, err := m.Draw(ctx, w.engine, sc, s, nil)
		if err == nil {
			err = layout.On(frame)
		}
		if err == nil {
			err = take(n, frame)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *window) writeMovie(ctx context.Context, m viewer.Movie, sc *viewer.Scene, s viewer.State, path string, replace bool, progress func(done, total int)) error {
	sized, err := m.Sized(sc, s)
	if err != nil {
		return err
	}
	file, err := loaders.Create(path, replace)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out, err := movie.New(ctx, strings.ToLower(filepath.Ext(path)), file, sized.Size, m.Rate)
	if err == nil {
		if err = w.frames(ctx, m, sc, s, progress, func(_ int, frame *image.RGBA) error { return out.Add(frame) }); err != nil {
			stop()
		}
		if failed := out.Close(); err == nil {
			err = failed
		}
	}
	if err != nil {
		file.Abort()
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return file.Commit()
}

func (w *window) writeFrames(ctx context.Context, m viewer.Movie, sc *viewer.Scene, s viewer.State, names []string, replace bool, progress func(done, total int)) error {
	return w.frames(ctx, m, sc, s, progress, func(n int, frame *image.RGBA) error {
		return writeWhole(names[n], replace, func(out io.Writer) error {
			return formats.EncodePNG(out, frame, loaders.Recipe{Source: sc.Set.Source, Chain: sc.Recipe(), Version: cli.Version})
		})
	})
}

// clipboards are programs that put a picture from their standard input on the clipboard, which the toolkit cannot.
var clipboards = [][]string{{"wl-copy", "--type", "image/png"}, {"xclip", "-selection", "clipboard", "-t", "image/png"}}

// copyPlane puts the whole plane on the clipboard, a pixel a voxel and nothing on it.
func (w *window) copyPlane() {
	w.copyFigure(func(viewer.State) viewer.Figure { return viewer.Figure{Pixels: 1} }, "app.copied.plane")
}

// copyPicture puts what is on view on the clipboard, as large as it is on the screen, with what lies on it.
func (w *window) copyPicture() {
	w.copyFigure(func(s viewer.State) viewer.Figure {
		return viewer.Figure{View: true, Pixels: s.Zoom, Bar: s.ScaleBar, Stamp: s.Stamp, Legend: s.Legend, Shapes: len(s.Shapes) > 0}
	}, "app.copied")
}

// copyFigure puts a picture of what is on view on the clipboard, and says so by the text of a key.
func (w *window) copyFigure(figure func(viewer.State) viewer.Figure, copied string) {
	s := w.view.Session()
	if s == nil || w.view.Refuses() {
		return
	}
	var copier []string
	for _, c := range clipboards {
		if _, err := exec.LookPath(c[0]); err == nil {
			copier = c
			break
		}
	}
	if copier == nil {
		w.view.Fail(errors.New(ui.Say("app.copy.none")))
		return
	}
	sc, state := s.Seen()
	f := figure(state)
	w.jobs.Go(func() {
		err := copyTo(w.ctx, copier, func(out io.Writer) error {
			picture, layout, err := f.Draw(w.ctx, w.engine, sc, state, nil)
			if err == nil {
				err = layout.On(picture)
			}
			if err == nil {
				err = png.Encode(out, picture)
			}
			return err
		})
		w.view.Do(func() {
			if err != nil {
				w.view.Fail(err)
				return
			}
			w.view.Note(ui.Say(copied))
		})
	})
}

func copyTo(ctx context.Context, program []string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, program[0], program[1:]...)
	c.Stdin = &text
	if err := c.Run(); err != nil {
		return fmt.Errorf("copying the picture with %s: %w", program[0], err)
	}
	return nil
}
