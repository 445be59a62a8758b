package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Folder is the store of all files below a folder. Links are followed as long as they stay in it.
func Folder(name string) (Store, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", name, err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", name, cause(err))
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("store: %s: is not a folder", name)
	}
	top, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", name, cause(err))
	}
	return &folder{name: name, abs: abs, top: top, dirs: map[string]string{}}, nil
}

type folder struct {
	name string // as the user wrote it
	abs  string // the same from the root on
	top  string // abs with all links followed: what leads out of it is refused

	closed atomic.Bool
	mu     sync.Mutex
	dirs   map[string]string // real paths of folders by key, each known to lie within top
}

func (f *folder) Name() string { return f.name }
func (f *folder) ID() string   { return f.abs }

// Close ends the store; files opened from it are closed by themselves.
func (f *folder) Close() error {
	f.closed.Store(true)
	return nil
}

func (f *folder) Get(ctx context.Context, key string, max int64) ([]byte, error) {
	file, err := f.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Size() > max {
		return nil, fmt.Errorf("store: %s: %d bytes, at most %d were expected", file.Name(), file.Size(), max)
	}
	p := make([]byte, file.Size())
	if err := file.ReadAt(ctx, p, 0); err != nil {
		return nil, err
	}
	return p, nil
}

func (f *folder) Open(ctx context.Context, key string) (File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := CheckKey(key); err != nil {
		return nil, fmt.Errorf("store: %s: %w", f.name, err)
	}
	local := filepath.FromSlash(key)
	real, info, err := f.resolve(key)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", filepath.Join(f.name, local), cause(err))
	}
	return newFile(filepath.Join(f.name, local), filepath.Join(f.abs, local), real, info)
}

func (f *folder) List(ctx context.Context, prefix string) ([]Entry, error) {
	name := filepath.Join(f.name, filepath.FromSlash(prefix))
	real, err := f.dir(prefix)
	var found []fs.DirEntry
	if err == nil {
		found, err = os.ReadDir(real)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s: listing: %w", name, cause(err))
	}
	entries := make([]Entry, 0, len(found))
	for _, d := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind := d.Type() // of each file by itself, nothing is asked: a folder on a network drive may hold many
		if kind&fs.ModeSymlink != 0 {
			if info := f.behind(ctx, path.Join(prefix, d.Name())); info != nil {
				kind = info.Mode()
			}
		}
		entries = append(entries, Entry{Name: d.Name(), Dir: kind.IsDir(), Regular: kind.IsRegular()})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return NaturalCompare(a.Name, b.Name) })
	return entries, nil
}

// resolve is the path of an object without links in it, and what lies there.
func (f *folder) resolve(key string) (string, fs.FileInfo, error) {
	if err := CheckKey(key); err != nil {
		return "", nil, err
	}
	parent, base := path.Split(key)
	dir, err := f.dir(path.Clean(parent))
	if err != nil {
		return "", nil, err
	}
	return f.follow(filepath.Join(dir, base))
}

// maxDirs is how many folders are remembered; a store with more starts anew.
const maxDirs = 1 << 14

// dir is the path of a folder without links in it. It is remembered, so that the many objects of
// one folder cost one look each.
func (f *folder) dir(key string) (string, error) {
	if f.closed.Load() {
		return "", ErrClosed
	}
	if key == "" || key == "." {
		return f.top, nil
	}
	if err := CheckKey(key); err != nil {
		return "", err
	}
	f.mu.Lock()
	real, known := f.dirs[key]
	f.mu.Unlock()
	if known {
		return real, nil
	}
	parent, base := path.Split(key)
	above, err := f.dir(path.Clean(parent))
	if err != nil {
		return "", err
	}
	real, info, err := f.follow(filepath.Join(above, base))
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%q is not a folder", key)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.dirs) >= maxDirs {
		clear(f.dirs)
	}
	f.dirs[key] = real
	return real, nil
}

// errNowhere is about a name that is there, and so no fs.ErrNotExist: a caller may take what is missing
// for empty.
var errNowhere = errors.New("is a link to nowhere; what it stands for was moved, or not fetched (git annex get)")

// follow is where a path leads whose folder is known to lie inside, if that is inside too.
func (f *folder) follow(path string) (string, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, info, err
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, errNowhere
	}
	if err != nil {
		return "", nil, err
	}
	if inside, err := filepath.Rel(f.top, target); err != nil || !filepath.IsLocal(inside) {
		return "", nil, fmt.Errorf("is a link and %w", ErrOutside)
	}
	info, err = os.Lstat(target)
	return target, info, err
}

// patience is how long a link may take to say what is behind it. One into a network drive that
// went away would otherwise hold up the whole folder.
const patience = time.Second

// behind is what a link leads to, nil if it leads nowhere, out of the folder, or does not answer.
func (f *folder) behind(ctx context.Context, key string) fs.FileInfo {
	answer := make(chan fs.FileInfo, 1)
	go func() {
		_, info, err := f.resolve(key)
		if err != nil {
			info = nil
		}
		answer <- info
	}()
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case info := <-answer:
		return info
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil
}
