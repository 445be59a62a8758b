package tiff

import (
	"context"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// Driver reads TIFF in all the forms that the package comment lists.
type Driver struct{}

// Name is "tiff".
func (Driver) Name() string { return "tiff" }

// Sniff knows a TIFF by its first bytes, and a companion file of an OME-TIFF set by its XML.
func (Driver) Sniff(_ context.Context, in loaders.Input) bool {
	if len(in.Keys) > 0 {
		return false
	}
	_, ok := parseHeader(in.Head)
	return ok || isCompanion(in.Head)
}

// isCompanion reports whether a file begins as OME-XML does.
func isCompanion(head []byte) bool {
	s := strings.TrimPrefix(string(head), "\uFEFF")
	return (strings.HasPrefix(s, "<?xml") || strings.HasPrefix(s, "<OME")) && strings.Contains(s, "<OME") &&
		strings.Contains(s, "openmicroscopy.org/Schemas/OME/")
}

// Open reads the directories and what they say of the images. Pixels, and the places of the strips
// of long stacks, are read later.
func (d Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set, err := d.open(ctx, in)
	if err != nil {
		if ctx.Err() != nil {
			return lazy.Dataset{}, ctx.Err()
		}
		return lazy.Dataset{}, fmt.Errorf("tiff: opening %s: %w", in.Path, err)
	}
	return set, nil
}

func (d Driver) open(ctx context.Context, in loaders.Input) (_ lazy.Dataset, err error) {
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return lazy.Dataset{}, err
	}
	s := &set{members: []*member{{file: f}}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if _, ok := parseHeader(in.Head); !ok {
		return openCompanion(ctx, in, s)
	}
	t, r, err := openFile(ctx, f)
	if err != nil {
		return lazy.Dataset{}, err
	}
	s.members[0].read.Store(t)
	found, err := t.images(ctx, in, s, r)
	if err != nil {
		return lazy.Dataset{}, err
	}
	return assemble(ctx, in, s, t, r, found)
}

// images finds the series of a file by what it says of itself. The order of the questions, and so
// the numbers of the series, are tifffile's.
func (t *file) images(ctx context.Context, in loaders.Input, s *set, r *reader) ([]*series, error) {
	f, err := r.front(ctx, t.first)
	if err != nil {
		return nil, err
	}
	if f.lost != nil {
		t.warnings = append(t.warnings, fmt.Sprintf("the description cannot be read, and what it says of axes and sizes is not known: %v", f.lost))
	}
	t.say(f)
	found, err := t.special(ctx, in, s, r, f)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		if found, err = t.generic(ctx, r); err != nil {
			return nil, err
		}
		found[0].meta = f.meta()
	}
	return found, nil
}

// special reads the files that describe themselves; nil if this one does not, or not to any use.
func (t *file) special(ctx context.Context, in loaders.Input, s *set, r *reader, f front) ([]*series, error) {
	if _, ok := parseShape(f.descriptions); ok {
		found, err := t.shaped(ctx, r)
		if err == nil || ctx.Err() != nil {
			return found, err
		}
		t.warnings = append(t.warnings, fmt.Sprintf("the shape that the file states does not fit, so the pages are shown as they come: %v", err))
		return nil, nil
	}
	if e, ok := find(f.entries, tagLSM); ok {
		return t.lsm(ctx, r, e)
	}
	if len(f.descriptions) > 0 && isOME(f.descriptions[0]) {
		if found, err := t.ome(ctx, in, s, r, f.descriptions[0]); len(found) > 0 || err != nil {
			return found, err
		}
	}
	if h, ok := parseHyperstack(f.descriptions); ok {
		one, err := t.imageJ(ctx, r, f, h)
		if one == nil {
			return nil, err
		}
		return []*series{one}, err
	}
	if e, ok := find(f.entries, tagUIC2); ok {
		one, err := t.stk(ctx, r, f, e)
		if one == nil {
			return nil, err
		}
		return []*series{one}, err
	}
	if len(f.descriptions) > 0 && isSVS(f.descriptions[0]) {
		return t.svs(f), nil
	}
	return nil, nil
}

// meta is the pixel size by the resolution tags.
func (f front) meta() lazy.Meta {
	var m lazy.Meta
	y, x := f.pixelSize()
	for a, size := range map[lazy.Axis]float64{lazy.Y: y, lazy.X: x} {
		if size != 0 {
			m.Scale[a], m.Unit[a] = size, "um"
		}
	}
	return m
}

// openCompanion opens an OME-TIFF set by the file that holds nothing but its XML.
func openCompanion(ctx context.Context, in loaders.Input, s *set) (lazy.Dataset, error) {
	text, err := in.Store.Get(ctx, in.Key, maxCompanion)
	if err != nil {
		return lazy.Dataset{}, err
	}
	doc, err := parseOME(string(text))
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("%w: %w", loaders.ErrDamaged, err)
	}
	found, warnings, err := omeSeries(ctx, in, s, nil, nil, doc)
	if err != nil {
		return lazy.Dataset{}, err
	}
	if len(found) == 0 {
		return lazy.Dataset{}, fmt.Errorf("none of its images can be shown: %s: %w", strings.Join(warnings, "; "), loaders.ErrDamaged)
	}
	t := &file{File: s.members[0].file, warnings: warnings}
	scanXML(string(text), &xmlSaid{to: &t.said}) // what of it can be read
	return assemble(ctx, in, s, t, nil, found)
}
