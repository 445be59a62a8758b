package zarr

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"lamella/loaders"
	"lamella/loaders/store"
)

// Most bytes of one metadata object, and of one that holds those of a whole hierarchy.
const (
	maxMeta         = 16 << 20
	maxConsolidated = 128 << 20
)

// A node is an array or a group, with its attributes.
type node struct {
	path       string
	array      *array // nil for a group, and for an array that cannot be shown
	why        error  // why an array cannot be shown
	attributes json.RawMessage
}

func (n node) group() bool { return n.array == nil && n.why == nil }

// A tree is the metadata of a hierarchy. Those that a consolidated object holds are not read again.
type tree struct {
	store store.Store
	name  string // of the store, for messages

	known map[string]json.RawMessage // consolidated objects by key: "a/.zarray", "a/zarr.json"
	from  map[string]object          // the consolidated object that holds a key
	roots []string                   // groups whose metadata, with all below them, are known
}

// An object is one that metadata were read from: its key and its identity then, as the store says it.
type object struct{ key, id string }

// identity names the object and the metadata that were found in it.
func (o object) identity(text []byte) string {
	d := sha256.Sum256(text)
	return fmt.Sprintf("%s|%x", o.id, d[:8])
}

// read gives metadata and the object they came from. Those that do not exist satisfy fs.ErrNotExist.
func (t *tree) read(ctx context.Context, key string, max int64) ([]byte, object, error) {
	if text, ok := t.known[key]; ok {
		return text, t.from[key], nil
	}
	var none object
	f, err := t.store.Open(ctx, key)
	if err != nil {
		return nil, none, err
	}
	defer f.Close()
	if f.Size() > max {
		return nil, none, fmt.Errorf("%s: metadata of %d bytes: %w", key, f.Size(), loaders.ErrDamaged)
	}
	text := make([]byte, f.Size())
	if err := f.ReadAt(ctx, text, 0); err != nil {
		return nil, none, err
	}
	if why := loaders.Unreadable(text); why != "" && len(text) > 0 {
		return nil, none, fmt.Errorf("%s %s: %w", key, why, loaders.ErrFormat)
	}
	if path.Base(key) == ".zarray" { // its fill value may be one of them
		return loaders.QuotedJSON(text), object{key, f.ID()}, nil
	}
	return loaders.PlainJSON(text), object{key, f.ID()}, nil
}

// load gives the node at a path ("" for the root). What is neither array nor group satisfies
// fs.ErrNotExist.
func (t *tree) load(ctx context.Context, at string) (node, error) {
	n := node{path: at}
	text, from, err := t.read(ctx, path.Join(at, "zarr.json"), maxConsolidated)
	if err == nil {
		return n, t.loadV3(ctx, &n, text, from)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return n, err
	}
	if at == "" {
		if err := t.consolidateV2(ctx); err != nil {
			return n, err
		}
	}
	n.attributes, _, err = t.read(ctx, path.Join(at, ".zattrs"), maxMeta)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, err
	}
	text, from, err = t.read(ctx, path.Join(at, ".zarray"), maxMeta)
	if err == nil {
		n.array, n.why = parseV2(text, n.attributes)
		t.found(ctx, &n, ".zarray", text, from)
		return n, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		text, _, err = t.read(ctx, path.Join(at, ".zgroup"), maxMeta)
		var m struct {
			Format int `json:"zarr_format"`
		}
		if err == nil {
			err = decode(text, &m)
		}
		if err == nil && m.Format != 2 {
			err = unsupported("zarr_format %d in .zgroup", m.Format)
		}
	}
	return n, err
}

// found completes an array that was parsed from the text that an object holds; name is what the
// object is called that belongs to the array alone.
func (t *tree) found(ctx context.Context, n *node, name string, text []byte, from object) {
	if n.why != nil {
		n.array = nil
		return
	}
	n.array.path, n.array.id, n.array.from = n.path, from.identity(text), []object{from}
	if own := path.Join(n.path, name); own != from.key {
		// Consolidated metadata outlive their arrays; the object of the array itself does not.
		f, err := t.store.Open(ctx, own)
		switch {
		case err == nil:
			n.array.from = append(n.array.from, object{own, f.ID()})
			f.Close()
		case errors.Is(err, fs.ErrNotExist) && t.empty(ctx, n.path):
			n.array, n.why = nil, fmt.Errorf("the array is gone, the metadata of its group still tell of it: %w", loaders.ErrDamaged)
		}
	}
}

// empty reports whether it is known that nothing lies below a path.
func (t *tree) empty(ctx context.Context, at string) bool {
	below, err := t.store.List(ctx, at)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(below) == 0
}

func (t *tree) loadV3(ctx context.Context, n *node, text []byte, from object) error {
	var m struct {
		Format       int             `json:"zarr_format"`
		Type         string          `json:"node_type"`
		Attributes   json.RawMessage `json:"attributes"`
		Consolidated *struct {
			Metadata map[string]json.RawMessage `json:"metadata"`
		} `json:"consolidated_metadata"`
	}
	if err := decode(text, &m); err != nil {
		return err
	}
	if m.Format != 3 {
		return unsupported("zarr_format %d in zarr.json", m.Format)
	}
	n.attributes = m.Attributes
	switch m.Type {
	case "array":
		n.array, n.why = parseV3(text)
		t.found(ctx, n, "zarr.json", text, from)
		return nil
	case "group":
		if m.Consolidated != nil {
			for key, text := range m.Consolidated.Metadata {
				t.know(path.Join(n.path, key, "zarr.json"), text, from)
			}
			t.roots = append(t.roots, n.path)
		}
		return nil
	}
	return fmt.Errorf("node_type %q: %w", m.Type, loaders.ErrDamaged)
}

// consolidateV2 takes over a .zmetadata object, if there is one.
func (t *tree) consolidateV2(ctx context.Context) error {
	text, from, err := t.read(ctx, ".zmetadata", maxConsolidated)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var m struct{ Metadata map[string]json.RawMessage }
	if err := decode(text, &m); err != nil {
		return fmt.Errorf(".zmetadata: %w", err)
	}
	for key, text := range m.Metadata {
		t.know(path.Clean(key), text, from)
	}
	t.roots = append(t.roots, "")
	return nil
}

func (t *tree) know(key string, text json.RawMessage, from object) {
	if store.CheckKey(key) != nil {
		return
	}
	if t.known == nil {
		t.known, t.from = map[string]json.RawMessage{}, map[string]object{}
	}
	t.known[key], t.from[key] = text, from
}

// children are the names of what may be nodes below a group, in natural order. errors.ErrUnsupported
// comes from stores that cannot list.
func (t *tree) children(ctx context.Context, at string) ([]string, error) {
	var names []string
	if slices.ContainsFunc(t.roots, func(r string) bool { return r == "" || at == r || strings.HasPrefix(at, r+"/") }) {
		seen := map[string]bool{}
		for key := range t.known {
			rest := key
			if at != "" {
				var below bool
				if rest, below = strings.CutPrefix(key, at+"/"); !below {
					continue
				}
			}
			if name, _, deeper := strings.Cut(rest, "/"); deeper && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		slices.SortFunc(names, store.NaturalCompare)
		return names, nil
	}
	entries, err := t.store.List(ctx, at)
	for _, e := range entries {
		if e.Dir {
			names = append(names, e.Name)
		}
	}
	return names, err
}
