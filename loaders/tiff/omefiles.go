package tiff

import (
	"context"
	"fmt"
	"path"
	"strings"

	"lamella/loaders"
)

// isOME reports whether a description is an OME-XML block, also one that was cut short: its axes are lost then, which
// must be said.
func isOME(description string) bool {
	tail := description[max(0, len(description)-10):]
	if strings.HasSuffix(strings.TrimSpace(tail), "OME>") {
		return true
	}
	head := strings.TrimLeft(strings.TrimPrefix(description[:min(len(description), 1000)], "\ufeff"), " \t\r\n")
	return strings.HasPrefix(head, "<OME") || strings.HasPrefix(head, "<?xml") && strings.Contains(head, "<OME")
}

// maxCompanion bounds a companion file, which is nothing but OME-XML.
const maxCompanion = maxValue

// ome reads the images of an OME-XML block. It gives nil if the block is of no use, and says why in
// the file's warnings; the pages are then shown as they come.
func (t *file) ome(ctx context.Context, in loaders.Input, s *set, r *reader, text string) ([]*series, error) {
	doc, err := parseOME(text)
	if err == nil && readable(text) != text {
		t.warnings = append(t.warnings, "the OME-XML is not UTF-8; it is read as Latin-1")
	}
	if err == nil && doc.metadataFile != "" && len(doc.images) == 0 {
		doc, err = metadataFile(ctx, in, doc.metadataFile)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.warnings = append(t.warnings, fmt.Sprintf("the pages are shown as they come: %v", err))
		return nil, nil
	}
	found, warnings, err := omeSeries(ctx, in, s, t, r, doc)
	t.warnings = append(t.warnings, warnings...)
	return found, err
}

// omeSeries makes the images of a block. own is nil if the block came without pixels.
func omeSeries(ctx context.Context, in loaders.Input, s *set, own *file, r *reader, doc *omeDoc) ([]*series, []string, error) {
	dir, name := path.Split(in.Key)
	o := &omeSet{set: s, own: own, ownName: name, docUUID: doc.uuid, numbers: map[string]int32{}}
	o.folder = func(ctx context.Context, name string) (*member, error) {
		f, err := in.Store.Open(ctx, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		return &member{file: f}, nil
	}
	if own != nil && own.renamed(ctx, o, doc) {
		o.warnings = append(o.warnings, fmt.Sprintf("the OME-XML calls this file %q; it seems to have been renamed", doc.images[0].data[0].file))
	}
	var found []*series
	for i, m := range doc.images {
		got, err := o.series(ctx, r, m)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		switch {
		case err != nil:
			o.warnings = append(o.warnings, fmt.Sprintf("image %s of the OME-XML is left out: %v", strings.TrimSpace(fmt.Sprint(i, " ", m.name)), err))
		case got != nil:
			found = append(found, got)
		}
	}
	if n := len(o.missing); n > 0 {
		some := o.missing[:min(n, 5)]
		more := ""
		if n > 5 {
			more = fmt.Sprintf(" and %d more", n-5)
		}
		o.warnings = append(o.warnings, fmt.Sprintf("files of the set are missing or cannot be read: %s%s", strings.Join(some, ", "), more))
	}
	return found, o.warnings, nil
}

// renamed reports whether all of the XML's planes lie in one file of another name that is not there:
// then they lie in this one. ownName is set to that name.
func (t *file) renamed(ctx context.Context, o *omeSet, doc *omeDoc) bool {
	name := ""
	for _, m := range doc.images {
		for _, d := range m.data {
			if d.file == o.ownName || d.uuid != "" && d.uuid == doc.uuid || d.file == "" || name != "" && d.file != name {
				return false
			}
			name = d.file
		}
	}
	if name == "" {
		return false
	}
	if m, err := o.folder(ctx, strings.ReplaceAll(name, `\`, "/")); err == nil {
		m.file.Close()
		return false
	}
	o.ownName = name
	return true
}

// metadataFile reads the block that stands for a file's own: in another OME-TIFF, or in a companion
// file. One that points on to a third is refused, since two may point at each other.
func metadataFile(ctx context.Context, in loaders.Input, name string) (*omeDoc, error) {
	dir, _ := path.Split(in.Key)
	key := path.Join(dir, strings.ReplaceAll(name, `\`, "/"))
	f, err := in.Store.Open(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("the metadata file %q: %w", name, err)
	}
	defer f.Close()
	text := ""
	if t, r, err := openFile(ctx, f); err == nil {
		first, err := r.front(ctx, t.first)
		if err != nil || len(first.descriptions) == 0 {
			return nil, fmt.Errorf("the metadata file %q holds no OME-XML", name)
		}
		text = first.descriptions[0]
	} else {
		raw, err := in.Store.Get(ctx, key, maxCompanion)
		if err != nil {
			return nil, fmt.Errorf("the metadata file %q: %w", name, err)
		}
		text = string(raw)
	}
	doc, err := parseOME(text)
	if err != nil {
		return nil, fmt.Errorf("the metadata file %q: %w", name, err)
	}
	if len(doc.images) == 0 {
		return nil, fmt.Errorf("the metadata file %q describes no image", name)
	}
	return doc, nil
}
