// Package store gives bytes by key and range, from a file, a folder, a zip archive or a web address.
//
//	dir, err := store.Folder("embryo.zarr")
//	meta, err := dir.Get(ctx, ".zattrs", 1<<20) // a whole object of at most 1 MiB
//	file, err := dir.Open(ctx, "0/0/3/0/5/2")
//	err = file.ReadAt(ctx, head, 0)
//
//	far, key, err := store.Remote("https://example.org/stack.tif", store.Web{}) // no request yet
//	file, err = far.Open(ctx, key)
//
// Keys are relative and separated by slashes. A key that would leave the store is refused with ErrOutside. Errors of
// missing objects satisfy errors.Is(err, fs.ErrNotExist).
//
// It is the only package below loaders with locks. It pools file handles, so a stack of thousands of files needs few
// of them open at a time. It also holds the requests in flight, their retries, and the cache of downloads.
package store

import (
	"context"
	"errors"
)

// ErrOutside is the refusal of a key that leads out of the store.
var ErrOutside = errors.New("leads out of the folder")

// A File is random access to one object. Its methods may be called from many goroutines.
type File interface {
	// Name is the path for messages.
	Name() string

	// ID names the contents: path, size and modification time.
	ID() string

	// Size is the length in bytes when the file was opened.
	Size() int64

	// ReadAt fills p from off on, or fails: a file that ends early gives io.ErrUnexpectedEOF.
	// Large reads look at ctx every megabyte.
	ReadAt(ctx context.Context, p []byte, off int64) error

	Close() error
}

// A Store is a set of objects by key.
type Store interface {
	// Name is the path for messages.
	Name() string

	// ID names the store itself, such as the folder's absolute path.
	ID() string

	// Get is a whole object. It refuses objects larger than max bytes before it allocates.
	Get(ctx context.Context, key string, max int64) ([]byte, error)

	// Open is random access to an object.
	Open(ctx context.Context, key string) (File, error)

	// List is what lies directly below a prefix ("" for the top), in natural order ("z2" before
	// "z10"). A store that cannot list, such as a web address, gives errors.ErrUnsupported.
	List(ctx context.Context, prefix string) ([]Entry, error)

	Close() error
}

// An Entry is one name below a prefix.
type Entry struct {
	Name    string // the last part of the key
	Dir     bool
	Regular bool // a plain file: not a pipe, device, socket or dangling link
}
