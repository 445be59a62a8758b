package zarr

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lamella/loaders"
)

// growing is a folder that is being written: a part, which takes its name when it is whole.
type growing struct {
	path, part string
	overwrite  bool

	held *os.File // the part, open, so that another folder in its place can be told from it
	last string   // made last
}

// begin makes the part.
func (g *growing) begin() error {
	if err := g.vacant(g.path); err != nil {
		return err
	}
	err := g.vacant(g.part)
	if err == nil {
		err = plain(os.RemoveAll(g.part))
	}
	if err == nil {
		err = os.Mkdir(g.part, 0o777)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, loaders.ErrExists) && !g.overwrite {
		return fmt.Errorf("%s %w: an earlier export left it, or another is writing it now; remove it, or use --overwrite", filepath.Base(g.part), loaders.ErrExists)
	}
	if err == nil {
		g.held, err = os.Open(g.part)
	}
	return plain(err)
}

// mine says whether the part is still the folder that begin made: another export that was told to
// overwrite may have put its own there, and voxels of the two must not mix.
func (g *growing) mine() error {
	now, err := os.Lstat(g.part)
	if err == nil {
		made, e := g.held.Stat()
		if err = e; err == nil && os.SameFile(now, made) {
			return nil
		}
	}
	return fmt.Errorf("%s was removed or replaced by another program while it was being written", filepath.Base(g.part))
}

// file is the place of a key, in a folder that exists.
func (g *growing) file(key string) (string, error) {
	if err := g.mine(); err != nil {
		return "", err
	}
	file := filepath.Join(g.part, filepath.FromSlash(key))
	if folder := filepath.Dir(file); folder != g.last {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
		g.last = folder
	}
	return file, nil
}

// put writes one object.
func (g *growing) put(key string, p []byte) error {
	file, err := g.file(key)
	if err != nil {
		return err
	}
	return os.WriteFile(file, p, 0o666)
}

// add writes more of one object.
func (g *growing) add(key string, p []byte) error {
	file, err := g.file(key)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(p)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// spare is a file for what waits, which is gone before the folder has its name.
func (g *growing) spare() (*os.File, error) {
	file, err := g.file(".waiting")
	if err != nil {
		return nil, err
	}
	return os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// end gives the folder its name. An old one in its place is removed only then.
func (g *growing) end() error {
	if err := g.vacant(g.path); err != nil {
		return err
	}
	if err := g.mine(); err != nil {
		return err
	}
	old, replaced := g.path+".old", false
	if _, err := os.Lstat(g.path); err == nil {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
		if err := os.Rename(g.path, old); err != nil {
			return err
		}
		replaced = true
	}
	g.held.Close() // some systems do not rename an open folder
	if err := os.Rename(g.part, g.path); err != nil {
		os.RemoveAll(g.part) // it was ours a moment ago, and can no longer be told from another
		if replaced {
			os.Rename(old, g.path)
		}
		return err
	}
	return os.RemoveAll(old)
}

// remove takes the part away, if it is still ours.
func (g *growing) remove() {
	if g.mine() == nil {
		g.held.Close()
		os.RemoveAll(g.part)
		return
	}
	g.held.Close()
}

// vacant refuses a place that is taken. Even when it may be replaced, a folder has to be Zarr: a
// mistyped name must not cost anyone a folder of other things.
func (g *growing) vacant(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return plain(err)
	case !g.overwrite:
		return fmt.Errorf("%s %w", filepath.Base(path), loaders.ErrExists)
	case info.IsDir():
		for _, name := range metadata {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
				return nil
			}
		}
		return fmt.Errorf("%s is a folder of other things: it %w", filepath.Base(path), loaders.ErrExists)
	}
	return nil
}

// plain is err without the system call and the path that package os adds: messages name the file.
func plain(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
