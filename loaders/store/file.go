package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenFile is random access to the regular file at path, which may be a link to one. Pipes, sockets,
// devices and folders are refused without being opened, so that nothing waits for them.
func OpenFile(path string) (File, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Lstat(real)
	} else if _, no := os.Lstat(abs); no == nil && errors.Is(err, fs.ErrNotExist) {
		err = errNowhere
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, cause(err))
	}
	return newFile(path, abs, real, info)
}

// file is a regular file of the system, opened when it is read and as the pool has room for it.
type file struct {
	name, id string
	size     int64
	lease    lease
}

// newFile is the file at the path real, which has no links in it; abs is the path that names it.
func newFile(name, abs, real string, info fs.FileInfo) (*file, error) {
	if err := regular(info); err != nil {
		return nil, fmt.Errorf("store: %s: %w", name, err)
	}
	f := &file{name: name, id: identity(abs, info), size: info.Size()}
	f.lease.reopen = func() (*os.File, error) {
		h, err := os.OpenFile(real, os.O_RDONLY|openFlags, 0)
		if err != nil {
			return nil, cause(err)
		}
		now, err := h.Stat()
		if err == nil {
			err = regular(now)
		}
		// A file that changed under an open dataset would mix old voxels with new ones.
		if err == nil && (now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime())) {
			err = errors.New("has changed since it was opened; open it again")
		}
		if err != nil {
			h.Close()
			return nil, err
		}
		return h, nil
	}
	return f, nil
}

func (f *file) Name() string { return f.name }
func (f *file) ID() string   { return f.id }
func (f *file) Size() int64  { return f.size }

func (f *file) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := inside(f.name, off, len(p), f.size); err != nil {
		return err
	}
	h, err := handles.acquire(&f.lease)
	if err == nil {
		err = ReadFull(ctx, leased{h, &f.lease}, p, off)
		handles.release(&f.lease)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("store: %s: reading %d bytes at %d: %w", f.name, len(p), off, cause(err))
	}
	return err
}

// Close may be called at any time; reads under way end with ErrClosed.
func (f *file) Close() error {
	handles.close(&f.lease)
	return nil
}

// leased stops a long read at its next step once the file has been closed.
type leased struct {
	*os.File
	lease *lease
}

func (l leased) ReadAt(p []byte, off int64) (int, error) {
	if handles.ended(l.lease) {
		return 0, ErrClosed
	}
	return l.File.ReadAt(p, off)
}

// identity names a file's contents: absolute path, size, modification time in nanoseconds.
func identity(abs string, info fs.FileInfo) string {
	return fmt.Sprintf("%s|%d|%d", abs, info.Size(), info.ModTime().UnixNano())
}

// regular says why what info describes is not opened.
func regular(info fs.FileInfo) error {
	kind := ""
	switch m := info.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case m&fs.ModeSocket != 0:
		kind = "a socket"
	case m&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "something special"
	}
	return fmt.Errorf("is %s, not a file", kind)
}

// cause is err without the system call and path that package os adds: messages name the file already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
