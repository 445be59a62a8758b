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
	ids   map[string]string          // identity of the consolidated object that holds a key
	roots []string                   // groups whose metadata, with all below them, are known
}

// read gives a metadata object and an identity of it. One that does not exist satisfies fs.ErrNotExist.
func (t *tree) read(ctx context.Context, key string, max int64) ([]byte, string, error) {
	if text, ok := t.known[key]; ok {
		return text, fmt.Sprintf("%s|%x", t.ids[key], digest(text)), nil
	}
	f, err := t.store.Open(ctx, key)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if f.Size() > max {
		return nil, "", fmt.Errorf("%s: metadata of %d bytes: %w", key, f.Size(), loaders.ErrDamaged)
	}
	text := make([]byte, f.Size())
	if err := f.ReadAt(ctx, text, 0); err != nil {
		return nil, "", err
	}
	if strings.HasPrefix(string(text), "version https://git-lfs") {
		return nil, "", fmt.Errorf("%s %s: %w", key, loaders.Unreadable(text), loaders.ErrFormat)
	}
	return text, fmt.Sprintf("%s|%x", f.ID(), digest(text)), nil
}

func digest(p []byte) []byte {
	d := sha256.Sum256(p)
	return d[:8]
}

// load gives the node at a path ("" for the root). What is neither array nor group satisfies
// fs.ErrNotExist.
func (t *tree) load(ctx context.Context, at string) (node, error) {
	n := node{path: at}
	text, id, err := t.read(ctx, path.Join(at, "zarr.json"), maxConsolidated)
	if err == nil {
		return n, t.loadV3(&n, text, id)
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
	text, id, err = t.read(ctx, path.Join(at, ".zarray"), maxMeta)
	if err == nil {
		n.array, n.why = parseV2(text, n.attributes)
		n.found(id)
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

// found completes an array that was parsed.
func (n *node) found(id string) {
	if n.why != nil {
		n.array = nil
	} else {
		n.array.path, n.array.id = n.path, id
	}
}

func (t *tree) loadV3(n *node, text []byte, id string) error {
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
		n.found(id)
		return nil
	case "group":
		if m.Consolidated != nil {
			for key, text := range m.Consolidated.Metadata {
				t.know(path.Join(n.path, key, "zarr.json"), text, id)
			}
			t.roots = append(t.roots, n.path)
		}
		return nil
	}
	return fmt.Errorf("node_type %q: %w", m.Type, loaders.ErrDamaged)
}

// consolidateV2 takes over a .zmetadata object, if there is one.
func (t *tree) consolidateV2(ctx context.Context) error {
	text, id, err := t.read(ctx, ".zmetadata", maxConsolidated)
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
		t.know(path.Clean(key), text, id)
	}
	t.roots = append(t.roots, "")
	return nil
}

func (t *tree) know(key string, text json.RawMessage, id string) {
	if store.CheckKey(key) != nil {
		return
	}
	if t.known == nil {
		t.known, t.ids = map[string]json.RawMessage{}, map[string]string{}
	}
	t.known[key], t.ids[key] = text, id
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
