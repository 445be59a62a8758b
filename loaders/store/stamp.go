package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"strconv"
)

// Stamp names the state in which objects and folders of a store are, by their sizes and times of change, so that one that is written
// over in its place has another. It opens none and costs a look at each. "" is a store that does not tell cheaply: another than
// a folder, and none for which the name of the whole does not.
func Stamp(ctx context.Context, s Store, keys iter.Seq[string]) (string, error) {
	prefix := ""
	for part, ok := s.(sub); ok; part, ok = s.(sub) {
		s, prefix = part.of, path.Join(part.prefix, prefix)
	}
	f, ok := s.(*folder)
	if !ok {
		return "", nil
	}
	h, line := sha256.New(), []byte(nil)
	for key := range keys {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		info, err := f.look(path.Join(prefix, key))
		if err == nil { // what is not there, or cannot be read, is found out by reading
			line = append(append(line[:0], key...), ' ')
			line = append(strconv.AppendInt(line, info.Size(), 10), ' ')
			h.Write(append(strconv.AppendInt(line, info.ModTime().UnixNano(), 10), '\n'))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// look is what lies under a key; "" is the folder itself.
func (f *folder) look(key string) (fs.FileInfo, error) {
	if key == "" {
		return os.Lstat(f.top)
	}
	_, info, err := f.resolve(key)
	return info, err
}
