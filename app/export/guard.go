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

// Kept is what holds what is finished of a file that is written in several runs: beside it in a folder, in its place
// in a storage of objects.
func Kept(out string) string {
	if loaders.IsAddress(out) {
		return loaders.Shown(out)
	}
	return out + ".part"
}

// Check says whether the file at path out may be written: not if it exists, unless replace, and
// never if it is source, holds it, is a part of it, or would lie in its folder. A source may be a
// file, a folder, or a glob; one that is no place on this machine cannot be in the way, unless out is an address too: whether
// something is there is then found out by writing. The error wraps loaders.ErrExists where replace would have helped.
//
// Writers check again when they give the file its name; this check comes before the work.
func Check(out, source string, replace bool) error {
	if loaders.IsAddress(out) {
		return apart(out, source)
	}
	at, err := os.Stat(out)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(out); err == nil {
			return fmt.Errorf("export: writing %s: it is a link to nowhere", out)
		}
		at, err = nil, checkFolder(out)
	}
	if err != nil {
		return fmt.Errorf("export: writing %s: %w", out, err)
	}
	for _, place := range places(source) {
		is, err := os.Stat(place)
		if err != nil {
			continue
		}
		switch {
		case at != nil && os.SameFile(at, is):
			return fmt.Errorf("export: writing %s: it is the source itself", out)
		case at != nil && is.IsDir() && Inside(out, place):
			return fmt.Errorf("export: writing %s: it is a part of the source %s", out, source)
		case is.IsDir() && Inside(out, place):
			return fmt.Errorf("export: writing %s: it would lie in the source %s; write it elsewhere", out, source)
		case at != nil && at.IsDir() && Inside(place, out):
			return fmt.Errorf("export: writing %s: it holds the source %s", out, source)
		}
	}
	if at != nil && !replace {
		return fmt.Errorf("export: writing %s: a file of this name %w (--overwrite replaces it)", out, loaders.ErrExists)
	}
	return nil
}

// Spare refuses to write over a file that is read. why says what reads it, as in "a filter reads it".
func Spare(out, why string, read []string) error {
	at, err := os.Stat(out)
	if err != nil {
		return nil // there is nothing that could be lost
	}
	for _, file := range read {
		if is, err := os.Stat(file); err == nil && os.SameFile(at, is) {
			return fmt.Errorf("export: writing %s: %s; write another file", out, why)
		}
	}
	return nil
}

// apart says whether neither of two addresses lies in the other.
func apart(out, source string) error {
	a, b := strings.Trim(out, "/")+"/", strings.Trim(source, "/")+"/"
	switch {
	case a == b:
		return fmt.Errorf("export: writing %s: it is the source itself", loaders.Shown(out))
	case strings.HasPrefix(a, b):
		return fmt.Errorf("export: writing %s: it would lie in the source; write it elsewhere", loaders.Shown(out))
	case strings.HasPrefix(b, a):
		return fmt.Errorf("export: writing %s: it holds the source %s", loaders.Shown(out), loaders.Shown(source))
	}
	return nil
}

func checkFolder(out string) error {
	dir := filepath.Dir(out)
	at, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("its folder: %w", err)
	case !at.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
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

// Inside reports whether a path is folder itself or lies in it, links followed. Neither need exist
// yet, but what a path leads through must.
func Inside(path, folder string) bool {
	a, errA := os.Stat(path)
	b, errB := os.Stat(folder)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return true
	}
	rel, err := filepath.Rel(real(folder), real(path))
	return err == nil && filepath.IsLocal(rel)
}

// real is a path without links in it, as far as it exists.
func real(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if at, err := filepath.EvalSymlinks(abs); err == nil {
		return at
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(real(dir), filepath.Base(abs))
	}
	return abs
}
