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
	"strings"
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
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", name, cause(err))
	}
	return &folder{name: name, abs: abs, root: root}, nil
}

// folder keeps every access below its root by os.Root, which checks each part of a path as it goes.
type folder struct {
	name, abs string
	root      *os.Root
	closed    atomic.Bool
}

func (f *folder) Name() string { return f.name }
func (f *folder) ID() string   { return f.abs }

// Close ends the store; files opened from it are closed by themselves.
func (f *folder) Close() error {
	f.closed.Store(true)
	return f.root.Close()
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
	stat := func() (fs.FileInfo, error) {
		info, err := f.root.Stat(local)
		if inside, ok := f.absoluteLink(local, err); ok {
			local = inside
			info, err = f.root.Stat(local)
		}
		return info, f.outside(err)
	}
	open := func() (*os.File, error) {
		h, err := f.root.OpenFile(local, os.O_RDONLY|nonblock, 0)
		return h, f.outside(err)
	}
	return newFile(filepath.Join(f.name, local), filepath.Join(f.abs, local), stat, open)
}

func (f *folder) List(ctx context.Context, prefix string) ([]Entry, error) {
	local := "."
	if prefix != "" {
		if err := CheckKey(prefix); err != nil {
			return nil, fmt.Errorf("store: %s: %w", f.name, err)
		}
		local = filepath.FromSlash(prefix)
	}
	dir, err := f.root.OpenFile(local, os.O_RDONLY|nonblock, 0)
	if inside, ok := f.absoluteLink(local, err); ok {
		local = inside
		dir, err = f.root.OpenFile(local, os.O_RDONLY|nonblock, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", filepath.Join(f.name, local), cause(f.outside(err)))
	}
	defer dir.Close()
	found, err := dir.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("store: %s: listing: %w", filepath.Join(f.name, local), cause(err))
	}
	entries := make([]Entry, 0, len(found))
	for _, d := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := Entry{Name: d.Name()}
		var info fs.FileInfo
		if d.Type()&fs.ModeSymlink != 0 {
			info = f.behind(ctx, path.Join(prefix, d.Name()))
		} else {
			info, _ = d.Info()
		}
		if info != nil {
			e.Dir, e.Regular, e.Size = info.IsDir(), info.Mode().IsRegular(), info.Size()
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return NaturalCompare(a.Name, b.Name) })
	return entries, nil
}

// patience is how long a link may take to say what is behind it. One into a network drive that
// went away would otherwise hold up the whole folder.
const patience = time.Second

// behind is what a link leads to, nil if it leads nowhere, out of the folder, or does not answer.
func (f *folder) behind(ctx context.Context, key string) fs.FileInfo {
	answer := make(chan fs.FileInfo, 1)
	go func() {
		local := filepath.FromSlash(key)
		info, err := f.root.Stat(local)
		if inside, ok := f.absoluteLink(local, err); ok {
			info, err = f.root.Stat(inside)
		}
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

// absoluteLink finds the path within the folder that a link with an absolute target means, which
// os.Root refuses even when it stays inside. It applies when err is that refusal.
func (f *folder) absoluteLink(local string, err error) (string, bool) {
	if !errors.Is(f.outside(err), ErrOutside) {
		return "", false
	}
	top, err := filepath.EvalSymlinks(f.abs)
	if err != nil {
		return "", false
	}
	target, err := filepath.EvalSymlinks(filepath.Join(top, local))
	if err != nil {
		return "", false
	}
	inside, err := filepath.Rel(top, target)
	return inside, err == nil && filepath.IsLocal(inside)
}

// outside turns os.Root's refusal, which has no name to ask for, and its answer after Close into ours.
func (f *folder) outside(err error) error {
	switch {
	case err == nil:
		return nil
	case f.closed.Load():
		return ErrClosed
	case strings.Contains(err.Error(), "path escapes from parent"):
		return ErrOutside
	}
	return err
}
