package store

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
)

// Sub is the part of a store below a prefix; "." is all of it. Closing it does nothing: the store
// belongs to someone else.
func Sub(s Store, prefix string) Store {
	if prefix == "" || prefix == "." {
		return sub{s, ""}
	}
	return sub{s, prefix}
}

// NameOf is the name, for messages, of what lies under a key in a store of the name.
func NameOf(name, key string) string {
	if IsAddress(name) { // whose double slash path.Join would take for one
		return below(name, key)
	}
	return path.Join(name, key)
}

// Title is the last part of the name of a store or file, as people read it.
func Title(name string) string {
	base := path.Base(filepath.ToSlash(name))
	if IsAddress(name) {
		if plain, err := url.PathUnescape(base); err == nil {
			return plain
		}
	}
	return base
}

type sub struct {
	of     Store
	prefix string
}

func (s sub) Name() string { return NameOf(s.of.Name(), s.prefix) }
func (s sub) ID() string   { return s.of.ID() + "|" + s.prefix }
func (s sub) Close() error { return nil }

func (s sub) key(key string) (string, error) {
	// Joining would clean "../x" into a key of the whole store.
	if err := CheckKey(key); err != nil {
		return "", fmt.Errorf("store: %s: %w", s.Name(), err)
	}
	return path.Join(s.prefix, key), nil
}

func (s sub) Get(ctx context.Context, key string, max int64) ([]byte, error) {
	key, err := s.key(key)
	if err != nil {
		return nil, err
	}
	return s.of.Get(ctx, key, max)
}

func (s sub) Open(ctx context.Context, key string) (File, error) {
	key, err := s.key(key)
	if err != nil {
		return nil, err
	}
	return s.of.Open(ctx, key)
}

func (s sub) List(ctx context.Context, prefix string) ([]Entry, error) {
	if prefix == "" {
		return s.of.List(ctx, s.prefix)
	}
	key, err := s.key(prefix)
	if err != nil {
		return nil, err
	}
	return s.of.List(ctx, key)
}
