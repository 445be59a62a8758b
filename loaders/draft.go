package loaders

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Draft is a file being written. It grows beside its place and takes its name only when it is
// whole, so that a reader never sees half of it.
type Draft struct {
	*os.File
	path      string
	overwrite bool
	ended     bool
}

// pieceBytes is how much is written between two looks at the context.
const pieceBytes = 4 << 20

// WriteContext writes p to a file or a stream in pieces, until ctx is cancelled: a disk that has fallen
// behind takes long for a large one. It gives how much was written.
func WriteContext(ctx context.Context, to io.Writer, p []byte) (int, error) {
	done := 0
	for {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		n, err := to.Write(p[done:min(done+pieceBytes, len(p))])
		if done += n; err != nil || done >= len(p) {
			return done, err
		}
	}
}

// Create begins the file at path. An existing file is refused with ErrExists unless overwrite is set,
// a folder always.
func Create(path string, overwrite bool) (*Draft, error) {
	if err := vacant(path, overwrite); err != nil {
		return nil, fmt.Errorf("loaders: writing %s: %w", path, err)
	}
	dir, base := filepath.Split(path)
	for n := range 1000 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.part", base, os.Getpid(), n))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("loaders: writing %s: %w", path, plain(err))
		}
		return &Draft{File: f, path: path, overwrite: overwrite}, nil
	}
	return nil, fmt.Errorf("loaders: writing %s: its folder is full of unfinished files", path)
}

// Commit gives the file its name. When that fails, nothing is left.
func (d *Draft) Commit() error {
	d.ended = true
	err := d.Sync()
	if e := d.Close(); err == nil {
		err = e
	}
	if err == nil {
		if err = vacant(d.path, d.overwrite); err != nil {
			err = fmt.Errorf("while it was being written, something else took its place: %w", err)
		}
	}
	if err == nil {
		err = os.Rename(d.Name(), d.path)
	}
	if err != nil {
		os.Remove(d.Name())
		return fmt.Errorf("loaders: writing %s: %w", d.path, plain(err))
	}
	return nil
}

// Abort removes what was written. After Commit it does nothing.
func (d *Draft) Abort() {
	if d.ended {
		return
	}
	d.ended = true
	// The name goes first, where the system lets an open file go: giving the space back may take long,
	// and whoever does not wait for it is to find nothing.
	gone := os.Remove(d.Name()) == nil
	d.Close()
	if !gone {
		os.Remove(d.Name())
	}
}

// vacant says why a file cannot be put at path.
func vacant(path string, overwrite bool) error {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil // what is wrong with the path shows when it is written
	case info.IsDir():
		return fmt.Errorf("a folder of that name %w", ErrExists)
	case !info.Mode().IsRegular():
		return fmt.Errorf("something that is no file %w", ErrExists)
	case !overwrite:
		return fmt.Errorf("it %w", ErrExists)
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
