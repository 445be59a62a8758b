package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lamella/loaders"
)

// Check says whether the file at path out may be written: not if it exists, unless replace, and
// never if it is source, holds it, or is a part of it. A source may be a file, a folder, or a glob;
// one that is no place on this machine cannot be in the way. The error wraps
// loaders.ErrExists where replace would have helped.
//
// Writers check again when they give the file its name; this check comes before the work.
func Check(out, source string, replace bool) error {
	at, err := os.Stat(out)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(out); err != nil {
			return checkFolder(out)
		}
		return fmt.Errorf("export: writing %s: it is a link to nowhere", out)
	}
	if err != nil {
		return fmt.Errorf("export: writing %s: %w", out, err)
	}
	for _, place := range places(source) {
		is, err := os.Stat(place)
		if err != nil {
			continue
		}
		if os.SameFile(at, is) {
			return fmt.Errorf("export: writing %s: it is the source itself", out)
		}
		if is.IsDir() && within(out, place) {
			return fmt.Errorf("export: writing %s: it is a part of the source %s", out, source)
		}
		if at.IsDir() && within(place, out) {
			return fmt.Errorf("export: writing %s: it holds the source %s", out, source)
		}
	}
	if !replace {
		return fmt.Errorf("export: writing %s: a file of this name %w (--overwrite replaces it)", out, loaders.ErrExists)
	}
	return nil
}

func checkFolder(out string) error {
	dir := filepath.Dir(out)
	at, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("export: writing %s: its folder: %w", out, err)
	case !at.IsDir():
		return fmt.Errorf("export: writing %s: %s is not a folder", out, dir)
	}
	return nil
}

// places are the files and folders that a source names.
func places(source string) []string {
	if _, err := os.Lstat(source); err == nil {
		return []string{source}
	}
	found, _ := filepath.Glob(source) // a bad pattern names nothing
	return found
}

// within reports whether path lies below folder, links followed.
func within(path, folder string) bool {
	real := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			p = r
		}
		if a, err := filepath.Abs(p); err == nil {
			p = a
		}
		return p
	}
	rel, err := filepath.Rel(real(folder), real(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
