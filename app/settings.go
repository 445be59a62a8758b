//go:build !headless

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
)

// settings are what is remembered from one run to the next: what the user has chosen, sizes, recent images, kept filters
// and keys. They are an object of JSON in a file that is written whole or not at all. The toolkit keeps preferences too, but
// empties their file to write it, also while the program ends: what it was not done with by then was lost, and all the rest.
type settings struct {
	path   string
	values map[string]any
}

// openSettings reads what is kept at path. Where nothing was ever kept, it is taken over from the toolkit's preferences, which
// earlier versions used. A file that cannot be understood is set aside, which the error tells.
func openSettings(path string, earlier fyne.Preferences) (*settings, error) {
	s := &settings{path: path}
	values, err := readSettings(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.values = takenOver(earlier)
		return s, nil
	case err != nil:
		aside := path + ".damaged"
		if os.Rename(path, aside) == nil {
			err = fmt.Errorf("%w; it is kept as %s, and everything is set as at the first start", err, aside)
		}
		s.values = map[string]any{}
		return s, err
	}
	s.values = values
	return s, nil
}

func readSettings(path string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("settings: reading %s: %w", path, err)
	}
	if values == nil {
		return nil, fmt.Errorf("settings: reading %s: it holds nothing", path)
	}
	return values, nil
}

// takenOver are the values that the toolkit kept.
func takenOver(p fyne.Preferences) map[string]any {
	values := map[string]any{}
	for _, key := range []string{"look", "language", "device", "memory", "video", "cache.folder", "cache.size", "chains", "keys", "recent"} {
		if v := p.String(key); v != "" {
			values[key] = v
		}
	}
	for _, key := range []string{"width", "height", "left", "right"} {
		if v := p.Float(key); v != 0 {
			values[key] = v
		}
	}
	for _, key := range []string{"size", "workers"} {
		if v := p.Int(key); v != 0 {
			values[key] = float64(v)
		}
	}
	if p.Bool("folded") {
		values["folded"] = true
	}
	return values
}

// text is a value that is a text, or what it is otherwise.
func (s *settings) text(key, otherwise string) string {
	if v, ok := s.values[key].(string); ok {
		return v
	}
	return otherwise
}

// number is a value that is a number.
func (s *settings) number(key string, otherwise float64) float64 {
	if v, ok := s.values[key].(float64); ok {
		return v
	}
	return otherwise
}

// yes is a value that is true or, unless it was set, false.
func (s *settings) yes(key string) bool {
	v, _ := s.values[key].(bool)
	return v
}

// set remembers values: texts, numbers as float64, and truths. What another running program has set meanwhile stays.
func (s *settings) set(values map[string]any) error {
	if now, err := readSettings(s.path); err == nil {
		maps.Copy(s.values, now)
	}
	maps.Copy(s.values, values)
	text, err := json.MarshalIndent(s.values, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("settings: writing %s: %w", s.path, err)
	}
	return writeWhole(s.path, true, func(out io.Writer) error { _, err := out.Write(text); return err })
}

// ownFile is a file or folder of the program's own.
func (w *window) ownFile(name string) string {
	return filepath.Join(w.app.Storage().RootURI().Path(), name)
}

// remind remembers values for the next run, and tells if that cannot be done.
func (w *window) remind(values map[string]any) {
	if err := w.settings.set(values); err != nil {
		w.view.Fail(err)
	}
}
