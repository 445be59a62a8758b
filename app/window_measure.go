//go:build !headless

package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// saveResults asks where the table of measurements is to go, and writes it there.
func (w *window) saveResults() {
	s, rows := w.view.Session(), w.view.Measured()
	if s == nil || len(rows) == 0 {
		w.view.Note(ui.Say("app.results.none"))
		return
	}
	sc, state := s.Scene(), s.State()
	w.saveText(ui.Say("app.results.title"), "_results.csv", func(out io.Writer) error { return viewer.WriteCSV(out, sc, state, rows) })
}

// saveProfile does so with the curves of the plot.
func (w *window) saveProfile() {
	names, profiles := w.view.Plotted()
	if len(profiles) == 0 {
		w.view.Note(ui.Say("app.profile.none"))
		return
	}
	w.saveText(ui.Say("app.profile.title"), "_profile.csv", func(out io.Writer) error { return viewer.WriteProfiles(out, names, profiles) })
}

// saveObjects asks where the table of objects is to go, and writes it there.
func (w *window) saveObjects() {
	all, of, channels, recipe := w.view.Objects()
	if len(all) == 0 {
		w.view.Note(ui.Say("app.objects.none"))
		return
	}
	w.saveText(ui.Say("app.objects.title"), "_objects.csv", func(out io.Writer) error { return of.WriteObjects(out, channels, recipe, all) })
}

// saveText asks for a name and writes a small file, whole or not at all.
func (w *window) saveText(title, ending string, write func(io.Writer) error) {
	w.view.AskFile(title, w.folder(), w.stem()+ending, []string{filepath.Ext(ending)}, func(path string, replace bool) {
		if err := writeWhole(path, replace, write); err != nil {
			w.view.Fail(err)
			return
		}
		w.view.Note(ui.Say("app.exported", "Name", path))
	})
}

func writeWhole(path string, replace bool, write func(io.Writer) error) error {
	file, err := loaders.Create(path, replace)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		file.Abort()
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return file.Commit()
}

// saveROIs asks where the shapes are to go: all of them in a zip, or the chosen one alone.
func (w *window) saveROIs() {
	s := w.view.Session()
	if s == nil || len(s.State().Shapes) == 0 {
		w.view.Note(ui.Say("app.rois.none"))
		return
	}
	state := s.State()
	w.view.AskFile(ui.Say("app.rois.save"), w.folder(), w.stem()+"_RoiSet.zip", []string{".zip", ".roi"}, func(path string, replace bool) {
		left := 0
		err := writeWhole(path, replace, func(out io.Writer) (err error) {
			if strings.EqualFold(filepath.Ext(path), ".roi") {
				b, err := viewer.EncodeROI(state.Shapes[max(0, state.Chosen)])
				if err == nil {
					_, err = out.Write(b)
				}
				return err
			}
			left, err = zipROIs(out, state.Shapes)
			return err
		})
		switch {
		case err != nil:
			w.view.Fail(err)
		case left > 0:
			w.view.Note(ui.Say("app.rois.left", "Name", path, "N", fmt.Sprint(left)))
		default:
			w.view.Note(ui.Say("app.exported", "Name", path))
		}
	})
}

// zipROIs writes a set as ImageJ's ROI Manager reads it, and says how many shapes it cannot hold.
func zipROIs(out io.Writer, shapes []viewer.Shape) (left int, err error) {
	z := zip.NewWriter(out)
	for i, h := range shapes {
		b, refused := viewer.EncodeROI(h)
		if refused != nil {
			left++
			continue
		}
		name := strings.NewReplacer("/", "-", "\\", "-").Replace(h.Name)
		f, err := z.Create(fmt.Sprintf("%04d-%s.roi", i+1, strings.Trim(name+" "+h.Kind.String(), " ")))
		if err != nil {
			return left, err
		}
		if _, err := f.Write(b); err != nil {
			return left, err
		}
	}
	if left == len(shapes) {
		return left, errors.New("ImageJ has regions of interest on XY planes alone, and no shape lies on one")
	}
	return left, z.Close()
}

// askROIs asks for regions of interest of ImageJ and draws them.
func (w *window) askROIs() {
	if w.view.Session() == nil {
		return
	}
	d := dialog.NewFileOpen(func(f fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			w.view.Fail(err)
		case f != nil:
			f.Close()
			w.openROIs(f.URI().Path())
		}
	}, w.win)
	d.SetFilter(storage.NewExtensionFileFilter([]string{".roi", ".zip"}))
	w.ready(d, w.folder(), w.view.Ask)
}

// isROI reports whether a file's name is that of regions of interest.
func isROI(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(name, ".roi") || strings.HasSuffix(name, "roiset.zip")
}

func (w *window) openROIs(path string) {
	s := w.view.Session()
	if s == nil {
		w.view.Fail(fmt.Errorf("%s: open an image first, to draw its regions of interest on", filepath.Base(path)))
		return
	}
	shapes, err := readROIs(path, s.Scene().Meta().Shape, s.State().At)
	if len(shapes) > 0 {
		w.view.AddShapes(shapes)
	}
	if err != nil {
		w.view.Fail(err)
	}
}

// mostROI is the most bytes of one region of interest that are read.
const mostROI = 16 << 20

// readROIs reads one region of interest, or those of a zip. Those that cannot be read are told of with the others.
func readROIs(path string, shape lazy.Shape, on lazy.Index) (shapes []viewer.Shape, err error) {
	if strings.EqualFold(filepath.Ext(path), ".roi") {
		info, err := os.Stat(path)
		if err == nil && info.Size() > mostROI {
			err = fmt.Errorf("%s: %d bytes are too many for a region of interest", filepath.Base(path), info.Size())
		}
		if err != nil {
			return nil, err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		h, err := viewer.DecodeROI(b, shape, on)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", filepath.Base(path), reasonOf(err))
		}
		return named([]viewer.Shape{h}, path), nil
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	all, left := 0, 0
	var such error // of those that are left out, the first
	for _, f := range z.File {
		if !strings.EqualFold(filepath.Ext(f.Name), ".roi") {
			continue
		}
		all++
		b, err := unzipped(f)
		var h viewer.Shape
		if err == nil {
			h, err = viewer.DecodeROI(b, shape, on)
		}
		if err != nil {
			if left++; left == 1 {
				such = fmt.Errorf("%s: %s", f.Name, reasonOf(err))
			}
			continue
		}
		shapes = append(shapes, named([]viewer.Shape{h}, f.Name)...)
	}
	switch {
	case all == 0:
		return nil, fmt.Errorf("%s: there are no regions of interest in it", filepath.Base(path))
	case left > 0:
		return shapes, fmt.Errorf("%s: %d of %d regions are not read, such as %w", filepath.Base(path), left, all, such)
	}
	return shapes, nil
}

func unzipped(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(r, mostROI)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// named gives shapes without a name that of their file.
func named(shapes []viewer.Shape, file string) []viewer.Shape {
	for i := range shapes {
		if shapes[i].Name == "" {
			shapes[i].Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		}
	}
	return shapes
}
