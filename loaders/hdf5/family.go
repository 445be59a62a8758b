package hdf5

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync/atomic"

	"lamella/loaders/store"
)

// A family is a file with those beside it that its external links lead to. They are opened when they are
// first needed, by whichever goroutine needs them, and closed together.
type family struct {
	store store.Store
	dir   string
	head  atomic.Pointer[member]
}

type member struct {
	name string
	f    *file
	next *member
}

// maxMembers is the most files that external links of one may lead to.
const maxMembers = 1 << 12

// closed stands at the head of a family that has been closed.
var closed = &member{}

// file is the file of a name as external links give it. Links lead to the folder of the first file and
// what lies below it, nowhere else; of an absolute path the last part counts, since data are moved.
func (m *family) file(ctx context.Context, name string) (*file, error) {
	if strings.ContainsAny(name, "\x00\n") {
		return nil, damaged("a link to a file with the name %q", name)
	}
	key := strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(key, "/") || len(key) > 1 && key[1] == ':' {
		key = path.Base(key)
	}
	key = path.Join(m.dir, key)
	for {
		head := m.head.Load()
		n := 0
		for x := head; x != nil; x = x.next {
			if x == closed {
				return nil, store.ErrClosed
			}
			if x.name == key {
				return x.f, nil
			}
			n++
		}
		if n >= maxMembers {
			return nil, unsupported("links to more than %d files", maxMembers)
		}
		s, err := m.store.Open(ctx, key)
		if err != nil {
			return nil, fmt.Errorf("the file %s, which it links to: %w", name, err)
		}
		f, err := m.open(ctx, s, key)
		if err != nil {
			s.Close()
			return nil, err
		}
		if m.head.CompareAndSwap(head, &member{key, f, head}) {
			return f, nil
		}
		s.Close() // another goroutine was first, perhaps with this very file
	}
}

func (m *family) open(ctx context.Context, s store.File, key string) (*file, error) {
	at := findSignature(ctx, s, nil)
	if at < 0 {
		return nil, damaged("%s, which it links to, is no HDF5 file", key)
	}
	f, err := open(ctx, s, at)
	if err == nil {
		f.family = m
	}
	return f, err
}

// close closes all files but the first.
func (m *family) close() {
	for x := m.head.Swap(closed); x != nil && x != closed; x = x.next {
		x.f.File.Close()
	}
}

// Close closes a file and what its links led to.
func (f *file) Close() error {
	if f.family != nil {
		f.family.close()
	}
	return f.File.Close()
}
