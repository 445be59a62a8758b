package store

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

// CheckKey refuses keys that are not slash-separated names below the store: empty ones, those with
// ".", ".." or empty parts, and what the system takes for an absolute path or a device. Names are
// never read as web addresses: "100%25.tif" and "t 12:30.tif" are names like any other.
func CheckKey(key string) error {
	if !fs.ValidPath(key) || key == "." || !filepath.IsLocal(filepath.FromSlash(key)) {
		return fmt.Errorf("key %q %w", key, ErrOutside)
	}
	return nil
}
