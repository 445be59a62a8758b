package n5

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"lamella/loaders"
	"lamella/loaders/store"
)

// maxMeta is the most bytes of one attributes.json.
const maxMeta = 16 << 20

// A node is a group or an array: its attributes by name.
type node struct {
	path       string
	attributes map[string]json.RawMessage
	array      *array // nil for a group, and for an array that cannot be shown
	why        error  // why an array cannot be shown
}

// get decodes an attribute, and reports whether it is there and of that kind. Attributes are free, so
// one of another kind is somebody else's.
func (n node) get(name string, v any) bool {
	text, ok := n.attributes[name]
	return ok && !bytes.Equal(text, []byte("null")) && json.Unmarshal(text, v) == nil
}

// load gives the node at a path ("" for the top). A folder without attributes is a group.
func load(ctx context.Context, s store.Store, at string) (node, error) {
	n := node{path: at}
	key := path.Join(at, metadata)
	f, err := s.Open(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	defer f.Close()
	if f.Size() > maxMeta {
		return n, fmt.Errorf("%s of %d bytes: %w", metadata, f.Size(), loaders.ErrDamaged)
	}
	text := make([]byte, f.Size())
	if err := f.ReadAt(ctx, text, 0); err != nil {
		return n, err
	}
	if why := loaders.Unreadable(text); why != "" && len(text) > 0 {
		return n, fmt.Errorf("%s %s: %w", metadata, why, loaders.ErrFormat)
	}
	text = loaders.PlainJSON(text)
	if err := json.Unmarshal(text, &n.attributes); err != nil {
		return n, fmt.Errorf("%s: %s: %w", metadata, loaders.ReasonJSON(err), loaders.ErrDamaged)
	}
	_, shaped := n.attributes["dimensions"]
	_, typed := n.attributes["dataType"]
	if shaped && typed {
		if n.array, n.why = parseArray(n); n.why == nil {
			d := sha256.Sum256(text)
			n.array.path, n.array.key, n.array.file = at, key, f.ID()
			n.array.id = fmt.Sprintf("%s|%x", f.ID(), d[:8])
		} else {
			n.array = nil
		}
	}
	return n, nil
}
