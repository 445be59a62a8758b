package hdf5

import (
	"context"
	"fmt"
	"sync/atomic"

	"lamella/loaders"
	"lamella/loaders/store"
)

// A file is an HDF5 file as its superblock describes it.
type file struct {
	store.File
	base    int64  // where address 0 lies: behind a user block
	offsets int    // bytes of an address
	lengths int    // bytes of a length
	root    uint64 // address of the root group's header
	stated  uint64 // where the file ends by its superblock, counted from base
	nodes   nodes
	family  *family
}

// undefined is the address of what is not there (section I.A): all bits set, at any width.
const undefined = ^uint64(0)

// maxPiece is the most metadata that are read at a time. Nothing real comes near.
const maxPiece = 64 << 20

// fetch reads n bytes of metadata at an address.
func (f *file) fetch(ctx context.Context, at uint64, n int) ([]byte, error) {
	off, err := f.place(at, uint64(max(n, 0)))
	if err != nil {
		return nil, err
	}
	if n < 0 || n > maxPiece {
		return nil, damaged("%d bytes of metadata at %d", n, at)
	}
	p := make([]byte, n)
	return p, f.ReadAt(ctx, p, off)
}

// place is where n bytes at an address begin in the file, if all of them lie in it.
func (f *file) place(at, n uint64) (int64, error) {
	if size := uint64(f.Size() - f.base); at > size || n > size-at {
		if at == undefined {
			return 0, damaged("an address is undefined where one is needed")
		}
		return 0, damaged("%d bytes at address %d lie behind the end of the file at %d; it was cut off, or is still being written", n, at, size)
	}
	return f.base + int64(at), nil
}

// body reads n bytes that begin with a signature and, where sum is set, end with a checksum.
func (f *file) body(ctx context.Context, at uint64, n int, signature string, sum bool) (*cursor, error) {
	if n < len(signature)+4 {
		return nil, damaged("%s of %d bytes at %d", signature, n, at)
	}
	p, err := f.fetch(ctx, at, n)
	if err != nil {
		return nil, err
	}
	return f.verified(p, at, signature, sum)
}

func (f *file) verified(p []byte, at uint64, signature string, sum bool) (*cursor, error) {
	if len(p) < len(signature) || string(p[:len(signature)]) != signature {
		return nil, damaged("%s is not where it should be, at %d", signature, at)
	}
	c := &cursor{p: p, at: len(signature), f: f}
	if sum {
		body := p[:len(p)-4]
		if c.p = body; lookup3(body) != little.Uint32(p[len(body):]) {
			return nil, damaged("the checksum of %s at %d is wrong", signature, at)
		}
	}
	return c, nil
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrDamaged)
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrUnsupported)
}

// nodes keeps pieces of chunk indexes by their addresses: each address has one slot, which the newest
// takes. Together they are at most 16 MiB.
type nodes [256]atomic.Pointer[piece]

type piece struct {
	at uint64
	p  []byte
}

const maxKept = 64 << 10 // no block of a fractal heap is larger by default

func (n *nodes) slot(at uint64) *atomic.Pointer[piece] {
	return &n[(at*0x9e3779b97f4a7c15)>>56]
}

func (n *nodes) get(at uint64) []byte {
	if k := n.slot(at).Load(); k != nil && k.at == at {
		return k.p
	}
	return nil
}

func (n *nodes) put(at uint64, p []byte) {
	if len(p) <= maxKept {
		n.slot(at).Store(&piece{at, p})
	}
}

// kept reads a piece of an index, or finds it among those that were kept. load reads it and verifies it.
func (f *file) kept(at uint64, load func() (*cursor, error)) (*cursor, error) {
	if p := f.nodes.get(at); p != nil {
		return &cursor{p: p, f: f}, nil
	}
	c, err := load()
	if err != nil {
		return nil, err
	}
	f.nodes.put(at, c.p)
	return &cursor{p: c.p, f: f}, nil
}
