package tiff

import (
	"context"
	"fmt"
	"sync/atomic"

	"lamella/loaders"
	"lamella/loaders/store"
)

// A set is the files that hold one dataset: the one that was named, and the others that its OME-XML
// names. The others are read with their first voxel.
type set struct {
	members []*member
}

type member struct {
	file store.File
	read atomic.Pointer[file]
}

// open reads the directories of member number i.
func (s *set) open(ctx context.Context, i int) (*file, error) {
	m := s.members[i]
	if f := m.read.Load(); f != nil {
		return f, nil
	}
	f, _, err := openFile(ctx, m.file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.file.Name(), err)
	}
	m.read.Store(f)
	return f, nil
}

// names are the paths of the files.
func (s *set) names() []string {
	names := make([]string, len(s.members))
	for i, m := range s.members {
		names[i] = m.file.Name()
	}
	return names
}

func (s *set) close() error {
	var first error
	for _, m := range s.members {
		if err := m.file.Close(); first == nil {
			first = err
		}
	}
	return first
}

// A plane is one page of one file, or the lack of one.
type plane struct {
	page   *page // nil if its file has not been read yet
	file   int32 // in the set; absent if there is no such plane
	number int32 // of the page in its file
}

// absent is the file of a plane that is missing: it reads as zeros.
const absent = -1

// A stack is one resolution of an image: planes that are stored alike, in some order of T, Z and C.
type stack struct {
	set     *set
	layout  *layout
	t, z, c int    // planes along each axis; a plane of several samples counts once
	step    [3]int // distance between neighbours along T, Z and C in the order of planes
	planes  []plane

	// stride is not 0 when all planes follow each other behind the single page in planes.
	stride int64
}

// at is the page of one plane and how far its pixels lie behind those the page points to. The page
// is nil if the plane is missing.
func (s *stack) at(ctx context.Context, t, z, c int) (*file, *page, int64, error) {
	n := t*s.step[0] + z*s.step[1] + c*s.step[2]
	p, skip := &s.planes[0], int64(n)*s.stride
	if s.stride == 0 {
		p = &s.planes[n]
	}
	if p.file == absent {
		return nil, nil, 0, nil
	}
	f, err := s.set.open(ctx, int(p.file))
	if err != nil {
		return nil, nil, 0, err
	}
	if p.page != nil {
		return f, p.page, skip, nil
	}
	if int(p.number) >= len(f.pages) {
		return nil, nil, 0, fmt.Errorf("%s: page %d of %d: %w", f.Name(), p.number, len(f.pages), loaders.ErrDamaged)
	}
	page := f.pages[p.number]
	if page.bad != nil {
		return nil, nil, 0, fmt.Errorf("%s: page %d: %w", f.Name(), p.number, page.bad)
	}
	if a, b := page.layout, s.layout; !a.alike(b) {
		return nil, nil, 0, fmt.Errorf("%s: page %d has %d x %d pixels of %d samples of %v, not %d x %d of %d of %v like the others: %w", f.Name(), p.number,
			a.width, a.height, a.samples, a.dtype(), b.width, b.height, b.samples, b.dtype(), loaders.ErrDamaged)
	}
	return f, page, skip, nil
}

// alike reports whether pages of both layouts may be planes of one image, however they are stored.
func (l *layout) alike(o *layout) bool {
	return l == o || l.width == o.width && l.height == o.height && l.samples == o.samples && l.dtype() == o.dtype()
}
