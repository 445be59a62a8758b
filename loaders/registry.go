package loaders

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders/store"
)

// headSize is how much of a file drivers see when they are asked whether they know it.
const headSize = 4096

// maxDepth is how many times a place may open another: a sequence its planes, and no further.
const maxDepth = 3

// A Registry is the drivers that are asked, in this order, whether they know a source. The first that
// does opens it.
type Registry []Driver

// A Schemer is a Driver for addresses that are no files: it opens what begins with its scheme and a
// colon. It is given Input.Path and the options alone.
type Schemer interface{ Scheme() string }

// Open opens what a user names: a file, a folder, a glob (whose files are one stack, in natural
// order), an address of the web, or one of a driver's scheme. Whatever exists under the very name is that file, so
// names may hold %, #, :, * and brackets. The errors name the source and what was tried.
//
// Options.Axes may split a dimension in several, as "(zc3)yx" does: planes of which each three in a row are the channels of one z.
func (r Registry) Open(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	return splitting(name, o, func(o Options) (lazy.Dataset, error) { return r.open(ctx, name, o) })
}

// splitting opens a source by the plain order of the axes, and splits what is to be split.
func splitting(name string, o Options, open func(Options) (lazy.Dataset, error)) (lazy.Dataset, error) {
	plain, s, err := parseSplit(o.Axes)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: %w", name, err)
	}
	words := o.Axes
	o.Axes = plain
	set, err := open(o)
	if err != nil || len(s.parts) == 0 {
		return set, err
	}
	if err := s.apply(&set, words); err != nil {
		set.Close()
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: %w", name, err)
	}
	return set, nil
}

func (r Registry) open(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return r.openFolder(ctx, name, o)
	case err == nil:
		return r.openFile(ctx, name, o)
	}
	scheme, _, _ := strings.Cut(name, ":")
	for _, d := range r {
		if s, ok := d.(Schemer); ok && s.Scheme() == scheme && len(scheme) < len(name) {
			return r.finish(name, nil)(d.Open(ctx, Input{Path: name, Options: o}))
		}
	}
	if store.IsAddress(name) {
		return r.openRemote(ctx, name, o)
	}
	if !strings.ContainsAny(name, "*?[") {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: %w", name, plain(err))
	}
	found, err := filepath.Glob(name)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: the glob cannot be read: %w", name, err)
	}
	if len(found) == 0 {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: no file matches: %w", name, fs.ErrNotExist)
	}
	if len(found) == 1 {
		if info, err := os.Stat(found[0]); err == nil && info.IsDir() {
			set, err := r.openFolder(ctx, found[0], o)
			set.Source = name
			return set, err
		}
	}
	return r.openStack(ctx, name, found, o)
}

// OpenMany opens several files as one stack, in natural order; one alone is opened as by Open.
func (r Registry) OpenMany(ctx context.Context, names []string, o Options) (lazy.Dataset, error) {
	switch len(names) {
	case 0:
		return lazy.Dataset{}, errors.New("loaders: no file was named")
	case 1:
		return r.Open(ctx, names[0], o)
	}
	name := fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	return splitting(name, o, func(o Options) (lazy.Dataset, error) { return r.openStack(ctx, name, names, o) })
}

func (r Registry) openFolder(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	s, err := store.Folder(name)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %w", err)
	}
	in := Input{Path: name, Store: s, Options: o}
	return r.finish(name, s)(r.ask(ctx, in, 0))
}

func (r Registry) openFile(ctx context.Context, name string, o Options) (lazy.Dataset, error) {
	// A link is followed by hand: the file may lie in another folder, and what belongs to it lies there.
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: %w", name, plain(err))
	}
	s, err := store.Folder(filepath.Dir(real))
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %w", err)
	}
	in := Input{Path: name, Store: s, Key: filepath.Base(real), Options: o}
	return r.finish(name, s)(r.ask(ctx, in, 0))
}

// openStack opens files as the planes of one stack. Entries that are no files are left out and named.
func (r Registry) openStack(ctx context.Context, name string, paths []string, o Options) (lazy.Dataset, error) {
	paths = slices.Clone(paths)
	slices.SortFunc(paths, store.NaturalCompare)
	var left []string
	var real []string
	for _, p := range paths {
		at, err := filepath.EvalSymlinks(p)
		if err == nil {
			at, err = filepath.Abs(at)
		}
		info, err2 := os.Stat(p)
		if err != nil || err2 != nil || !info.Mode().IsRegular() {
			left = append(left, fmt.Sprintf("%s was left out: it is not a file.", filepath.Base(p)))
			continue
		}
		real = append(real, at)
	}
	if len(real) == 0 {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: none of these is a file: %w", name, ErrUnsupported)
	}
	top := filepath.Dir(real[0])
	for _, p := range real {
		for !below(top, p) {
			up := filepath.Dir(top)
			if up == top {
				return lazy.Dataset{}, fmt.Errorf("loaders: %s: the files lie on different drives: %w", name, ErrUnsupported)
			}
			top = up
		}
	}
	s, err := store.Folder(top)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("loaders: %w", err)
	}
	in := Input{Path: name, Store: s, Options: o}
	for _, p := range real {
		rel, _ := filepath.Rel(top, p)
		in.Keys = append(in.Keys, filepath.ToSlash(rel))
	}
	set, err := r.finish(name, s)(r.ask(ctx, in, 0))
	set.Warnings = append(set.Warnings, left...)
	return set, err
}

func below(top, p string) bool {
	rel, err := filepath.Rel(top, p)
	return err == nil && filepath.IsLocal(rel)
}

// ask finds the driver that knows in, and opens it.
func (r Registry) ask(ctx context.Context, in Input, depth int) (lazy.Dataset, error) {
	if depth > maxDepth {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: places that open each other more than %d deep: %w", in.Path, maxDepth, ErrDamaged)
	}
	if in.Key != "" {
		head, err := readHead(ctx, in.Store, in.Key)
		if err != nil {
			return lazy.Dataset{}, err
		}
		in.Head = head
	}
	in.Open = func(ctx context.Context, key string) (lazy.Dataset, error) {
		inner := Input{Path: store.NameOf(in.Store.Name(), key), Store: in.Store, Key: key, Options: Options{Stored: in.Stored}}
		return r.ask(ctx, inner, depth+1)
	}
	for _, d := range r {
		if _, ok := d.(Schemer); ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return lazy.Dataset{}, err
		}
		if d.Sniff(ctx, in) {
			return d.Open(ctx, in)
		}
	}
	if why := Unreadable(in.Head); in.Key != "" && why != "" {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: %s: %w", in.Path, why, ErrFormat)
	}
	if in.Key == "" && len(in.Keys) == 0 {
		return lazy.Dataset{}, fmt.Errorf("loaders: %s: %s: %w", in.Path, nothingIn(ctx, in.Store), ErrFormat)
	}
	return lazy.Dataset{}, fmt.Errorf("loaders: %s: its content is of no kind that is known here; convert it with bioformats2raw (to OME-Zarr) or bfconvert (to OME-TIFF), or give its layout if it is raw: %w", in.Path, ErrFormat)
}

func readHead(ctx context.Context, s store.Store, key string) ([]byte, error) {
	f, err := s.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, min(headSize, f.Size()))
	return head, f.ReadAt(ctx, head, 0)
}

// finish completes what a driver gave: the name the user used, and the closing of the store.
func (r Registry) finish(name string, s store.Store) func(lazy.Dataset, error) (lazy.Dataset, error) {
	return func(set lazy.Dataset, err error) (lazy.Dataset, error) {
		if err == nil && len(set.Images) == 0 {
			err = fmt.Errorf("loaders: %s: holds no image: %w", name, ErrFormat)
			if set.Close != nil {
				set.Close()
			}
		}
		if err != nil {
			if s != nil {
				s.Close()
			}
			return lazy.Dataset{}, err
		}
		set.Source = name
		inner := set.Close
		set.Close = func() error {
			var err error
			if inner != nil {
				err = inner()
			}
			if s != nil {
				err = errors.Join(err, s.Close())
			}
			return err
		}
		return set, nil
	}
}
