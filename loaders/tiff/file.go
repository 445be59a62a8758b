package tiff

import (
	"context"
	"fmt"

	"lamella/loaders"
	"lamella/loaders/store"
)

// A file is one TIFF and its main chain of directories.
type file struct {
	store.File
	header
	pages    []*page
	warnings []string
	said     loaders.Entries
}

// maxPages bounds the directory chain: more pages than any acquisition makes.
const maxPages = 4 << 20

// patientPages is how many pages may each cost a read for the index of their strips when the file is
// opened. In longer stacks it comes with the first voxel.
const patientPages = 64

// openFile reads all directories, and no pixels.
func openFile(ctx context.Context, f store.File) (*file, *reader, error) {
	head := make([]byte, min(16, f.Size()))
	if err := f.ReadAt(ctx, head, 0); err != nil {
		return nil, nil, err
	}
	h, ok := parseHeader(head)
	if !ok {
		return nil, nil, fmt.Errorf("no TIFF header: %w", loaders.ErrFormat)
	}
	t := &file{File: f, header: h}
	r := newReader(f, h)
	return t, r, t.walk(ctx, r)
}

// walk follows the chain of directories to its end, or no further than the first where that says all.
// A chain that breaks off, or comes back to itself, ends there with a warning; without one sound page
// it is an error.
func (t *file) walk(ctx context.Context, r *reader) error {
	seen := map[int64]bool{}
	var broken error
	for at := t.first; at != 0; {
		if seen[at] {
			broken = fmt.Errorf("directory chain is cyclic: directory %d leads back to offset %d: %w", len(t.pages)-1, at, loaders.ErrDamaged)
			break
		}
		if len(t.pages) == maxPages {
			broken = fmt.Errorf("more than %d pages: %w", maxPages, loaders.ErrUnsupported)
			break
		}
		seen[at] = true
		entries, next, err := r.directory(ctx, at)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			broken = err
			break
		}
		p := r.page(ctx, at, entries)
		r.preload(ctx, p, len(t.pages) < patientPages)
		t.pages = append(t.pages, p)
		if at = next; len(t.pages) == 1 && t.saysAll(ctx, r, next) {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.judge(broken)
}

// judge turns what was wrong with the chain into an error if nothing is left, else into warnings.
func (t *file) judge(broken error) error {
	var first error
	sound, skipped := 0, 0
	for i, p := range t.pages {
		switch {
		case p.bad == nil:
			sound++
		default:
			if skipped++; first == nil {
				first = fmt.Errorf("page %d: %w", i, p.bad)
			}
		}
	}
	switch {
	case sound == 0 && broken != nil:
		return broken
	case sound == 0 && first != nil:
		return first
	case sound == 0:
		return fmt.Errorf("no page: %w", loaders.ErrDamaged)
	}
	if broken != nil {
		t.warnings = append(t.warnings, fmt.Sprintf("%v; the %d pages before it are shown", broken, len(t.pages)))
	}
	if skipped > 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("%d of %d pages are left out: %v", skipped, len(t.pages), first))
	}
	return nil
}

// subPages reads the directories that a page's SubIFDs tag leads to. What is wrong with one of them,
// a loop included, is kept in it. seen holds the directories that were read already.
func (t *file) subPages(ctx context.Context, r *reader, p *page, seen map[int64]bool) ([]*page, error) {
	var subs []*page
	for _, at := range p.subs {
		if seen[at] {
			subs = append(subs, &page{at: at, bad: fmt.Errorf("SubIFD leads back to the directory at %d: %w", at, loaders.ErrDamaged)})
			continue
		}
		seen[at] = true
		entries, _, err := r.directory(ctx, at)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			subs = append(subs, &page{at: at, bad: err})
			continue
		}
		s := r.page(ctx, at, entries)
		r.preload(ctx, s, len(t.pages) < patientPages)
		subs = append(subs, s)
	}
	return subs, nil
}
