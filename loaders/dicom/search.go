package dicom

import (
	"context"
	"fmt"
	"path"
	"strings"

	"lamella/loaders/store"
)

// Bounds of a search for files.
const (
	maxSniffed = 64
	maxFiles   = 200_000
	maxFolders = 4096
	maxDeep    = 6
)

// pictures are endings of files that are no DICOM, whatever lies beside them.
var pictures = map[string]bool{".png": true, ".tif": true, ".tiff": true, ".jpg": true, ".jpeg": true, ".bmp": true, ".gif": true, ".webp": true}

// search finds the DICOM files of a folder, in natural order. Below it is looked only when the folder
// itself holds none, or an index of what lies below (DICOMDIR). A folder that holds more pictures is
// left to others. At most most files are looked into.
func search(ctx context.Context, s store.Store, most int) (keys, warnings []string, err error) {
	looked, folders, other := 0, 0, 0
	var walk func(at string, depth int) error
	walk = func(at string, depth int) error {
		entries, err := s.List(ctx, at)
		if err != nil {
			return err
		}
		if folders++; folders > min(most, maxFolders) || depth > maxDeep {
			return nil
		}
		index, before := false, len(keys)
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !e.Regular || strings.HasPrefix(e.Name, ".") {
				continue
			}
			if strings.EqualFold(e.Name, "DICOMDIR") {
				index = true
				continue
			}
			if looked++; looked > most {
				return nil
			}
			if key := path.Join(at, e.Name); !pictures[strings.ToLower(path.Ext(e.Name))] && knownFile(ctx, s, key) {
				keys = append(keys, key)
			} else {
				other++
			}
		}
		if len(keys) > before && !index {
			return nil
		}
		for _, e := range entries {
			if e.Dir && looked <= most && !strings.HasPrefix(e.Name, ".") {
				if err := walk(path.Join(at, e.Name), depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := walk("", 0); err != nil {
		return nil, nil, err
	}
	if len(keys) < other && len(keys) < looked/4 {
		return nil, nil, nil
	}
	switch {
	case len(keys) == 0:
	case other == 1:
		warnings = append(warnings, "one file was left out: it is no DICOM.")
	case other > 1:
		warnings = append(warnings, fmt.Sprintf("%d files were left out: they are no DICOM.", other))
	}
	if looked > most {
		warnings = append(warnings, fmt.Sprintf("only %d files were looked into.", most))
	}
	return keys, warnings, nil
}

// knownFile looks at the first bytes of a file.
func knownFile(ctx context.Context, s store.Store, key string) bool {
	f, err := s.Open(ctx, key)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, min(1024, f.Size()))
	return f.ReadAt(ctx, head, 0) == nil && known(head)
}
