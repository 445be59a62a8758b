package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sort"
)

// Section is a range of a file as a file of its own, which closes f with itself. It fails when the range
// reaches beyond the end of f.
func Section(f File, start, size int64) (File, error) {
	if start < 0 || size < 0 || start > f.Size() || size > f.Size()-start {
		return nil, fmt.Errorf("store: %s: %d bytes from byte %d on, it has %d: %w", f.Name(), size, start, f.Size(), io.ErrUnexpectedEOF)
	}
	return section{part{f, f.Name(), start, size}}, nil
}

type section struct{ part }

func (s section) ID() string   { return fmt.Sprintf("%s|%d+%d", s.file.ID(), s.start, s.size) }
func (s section) Close() error { return s.file.Close() }

// Concat is files one after the other, as one file of the name, which closes them all with itself. A read
// touches those alone that it reaches into.
func Concat(name string, parts []File) File {
	j := &joined{name: name, parts: parts, ends: make([]int64, len(parts))}
	ids := sha256.New()
	for i, p := range parts {
		j.size += p.Size()
		j.ends[i] = j.size
		fmt.Fprintf(ids, "%q ", p.ID())
	}
	j.id = fmt.Sprintf("%s|%d|%x", name, len(parts), ids.Sum(nil))
	return j
}

type joined struct {
	name  string
	id    string // a digest, since there may be many thousands
	parts []File
	ends  []int64 // where each part ends
	size  int64
}

func (j *joined) Name() string { return j.name }
func (j *joined) ID() string   { return j.id }
func (j *joined) Size() int64  { return j.size }

func (j *joined) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := inside(j.name, off, len(p), j.size); err != nil {
		return err
	}
	for i := sort.Search(len(j.ends), func(i int) bool { return j.ends[i] > off }); len(p) > 0; i++ {
		n := min(int64(len(p)), j.ends[i]-off)
		if n == 0 {
			continue // an empty part
		}
		if err := j.parts[i].ReadAt(ctx, p[:n], off-(j.ends[i]-j.parts[i].Size())); err != nil {
			return err
		}
		p, off = p[n:], off+n
	}
	return ctx.Err()
}

func (j *joined) Close() error {
	var all []error
	for _, p := range j.parts {
		all = append(all, p.Close())
	}
	return errors.Join(all...)
}
