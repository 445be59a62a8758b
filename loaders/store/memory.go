package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Memory is a store of objects in memory, by key: for tests, and for samples that are built in.
type Memory map[string][]byte

// Name is the same for all of them.
func (m Memory) Name() string { return "memory" }

// ID holds a digest of everything, so that two stores are not taken for one.
func (m Memory) ID() string {
	h := sha256.New()
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(h, "%q %d ", k, len(m[k]))
		h.Write(m[k])
	}
	return fmt.Sprintf("memory|%x", h.Sum(nil))
}

// Close does nothing.
func (m Memory) Close() error { return nil }

// Get is the object itself, not a copy.
func (m Memory) Get(ctx context.Context, key string, max int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := CheckKey(key); err != nil {
		return nil, fmt.Errorf("store: memory: %w", err)
	}
	p, ok := m[key]
	if !ok {
		return nil, fmt.Errorf("store: memory/%s: %w", key, fs.ErrNotExist)
	}
	if int64(len(p)) > max {
		return nil, fmt.Errorf("store: memory/%s: %d bytes, at most %d were expected", key, len(p), max)
	}
	return p, nil
}

// Open is random access to an object.
func (m Memory) Open(ctx context.Context, key string) (File, error) {
	p, err := m.Get(ctx, key, 1<<62)
	if err != nil {
		return nil, err
	}
	return Bytes("memory/"+key, p), nil
}

// List finds what lies below a prefix by the keys.
func (m Memory) List(ctx context.Context, prefix string) ([]Entry, error) {
	return children(maps.Keys(m), prefix)
}

// children is what lies directly below a prefix, in natural order, among objects known by key. A prefix
// with nothing below it does not exist, except the top.
func children(keys iter.Seq[string], prefix string) ([]Entry, error) {
	if prefix != "" {
		if err := CheckKey(prefix); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		prefix += "/"
	}
	found := map[string]Entry{}
	for key := range keys {
		rest, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		if name, _, below := strings.Cut(rest, "/"); below {
			found[name] = Entry{Name: name, Dir: true}
		} else if _, taken := found[name]; !taken {
			found[name] = Entry{Name: name, Regular: true}
		}
	}
	if len(found) == 0 && prefix != "" {
		return nil, fmt.Errorf("store: %s: %w", strings.TrimSuffix(prefix, "/"), fs.ErrNotExist)
	}
	entries := make([]Entry, 0, len(found))
	for _, e := range found {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return NaturalCompare(a.Name, b.Name) })
	return entries, nil
}

// Bytes is random access to p, which must not change any more.
func Bytes(name string, p []byte) File { return bytesFile{name, p} }

type bytesFile struct {
	name string
	data []byte
}

func (b bytesFile) Name() string { return b.name }
func (b bytesFile) Size() int64  { return int64(len(b.data)) }
func (b bytesFile) Close() error { return nil }

// ID holds a digest, since there is no modification time to tell two contents apart.
func (b bytesFile) ID() string { return fmt.Sprintf("%s|%x", b.name, sha256.Sum256(b.data)) }

func (b bytesFile) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := ReadFull(ctx, bytes.NewReader(b.data), p, off); err != nil {
		return fmt.Errorf("store: %s: reading %d bytes at %d: %w", b.name, len(p), off, err)
	}
	return nil
}
