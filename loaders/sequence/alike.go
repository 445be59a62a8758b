package sequence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// headersAtOnce is how many files are looked into when the sequence is opened, so that one of another
// size or type is named at once. Of longer ones the first, the middle and the last are, since the first ones may be of another kind
// than most: programs write dark planes in fewer bits. Others are named when their planes are read.
const headersAtOnce = 512

// A kind is what the files of one stack have in common.
type kind struct {
	shape lazy.Shape
	dtype lazy.DType
}

// String is a kind as people write it: 4 z, 20 y, 30 x of uint16.
func (k kind) String() string {
	var parts []string
	for a, n := range k.shape {
		if n > 1 || a >= int(lazy.Y) {
			parts = append(parts, fmt.Sprintf("%d %v", n, lazy.Axis(a)))
		}
	}
	return fmt.Sprintf("%s of %v", strings.Join(parts, ", "), k.dtype)
}

// kindOfSet is that of a file's first image at its finest level.
func kindOfSet(d *lazy.Dataset) kind {
	m := d.Images[0].Levels[0].Array.Meta()
	return kind{m.Shape, m.DType}
}

// A group is the files of one kind, or those that cannot be read.
type group struct {
	kind  kind
	err   error // that of the first one, for files that cannot be read
	first *file
	count int
}

// String says which files these are, and what.
func (g group) String() string {
	name, is := path.Base(g.first.key), "is"
	if g.count > 1 {
		name, is = fmt.Sprintf("%s and %d more", name, g.count-1), "are"
	}
	switch {
	case g.err == nil:
		return fmt.Sprintf("%s %s %v", name, is, g.kind)
	case errors.Is(g.err, loaders.ErrFormat):
		return name + " cannot be read as an image"
	case errors.Is(g.err, loaders.ErrDamaged), errors.Is(g.err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("%s %s damaged", name, is)
	}
	return fmt.Sprintf("%s cannot be opened (%v)", name, g.err)
}

// grouped looks into files and sorts them by what is in them, in the order in which each kind was met.
func (s *stack) grouped(ctx context.Context) ([]group, error) {
	files := s.files
	if len(files) > headersAtOnce {
		files = []*file{files[0], files[len(files)/2], files[len(files)-1]}
	}
	var groups []group
	index := map[kind]int{}
	broken := -1
	for _, f := range files {
		d, err := f.dataset(ctx, s.open)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var n int
		var met bool
		if err != nil {
			n, met = broken, broken >= 0
		} else {
			n, met = index[kindOfSet(d)]
		}
		switch {
		case met:
		case err != nil:
			n, broken = len(groups), len(groups)
			groups = append(groups, group{err: err, first: f})
		default:
			k := kindOfSet(d)
			n, index[k] = len(groups), len(groups)
			groups = append(groups, group{kind: k, first: f})
		}
		groups[n].count++
	}
	return groups, nil
}

// common is the files that make the stack. Half of those that were looked into must be alike, and two at least, if there
// are two: else they make no stack, which the error says. A few others among them are left to be told of.
func common(groups []group) (group, error) {
	var most group
	total, ties := 0, false
	for _, g := range groups {
		total += g.count
		if g.err != nil {
			continue
		}
		if g.count > most.count {
			most, ties = g, false
		} else if g.count == most.count {
			ties = true
		}
	}
	switch {
	case most.count == 0 && total == 1:
		return most, groups[0].err
	case total > 1 && (most.count < 2 || ties || 2*most.count < total):
		return most, unlikeError{groups}
	}
	return most, nil
}

// An unlikeError says why files make no stack.
type unlikeError struct{ groups []group }

func (e unlikeError) Unwrap() error { return loaders.ErrUnsupported }

func (e unlikeError) Error() string {
	why := strings.ToLower(e.Why()[:1]) + e.Why()[1:]
	if len(e.groups) == 1 {
		return why
	}
	return why + ": open each by itself"
}

// Why names the files and what differs between them.
func (e unlikeError) Why() string {
	var shapes, types, broken bool
	var first *kind
	var parts []string
	for i, g := range e.groups {
		switch {
		case g.err != nil:
			broken = true
		case first == nil:
			first = &e.groups[i].kind
		default:
			shapes = shapes || g.kind.shape != first.shape
			types = types || g.kind.dtype != first.dtype
		}
		if i < 4 {
			parts = append(parts, g.String())
		}
	}
	if n := len(e.groups); n > 4 {
		parts = append(parts, "and "+plural(n-4, "more kind"))
	}
	why := "they differ in shape"
	switch {
	case shapes && types:
		why = "they differ in shape and type"
	case types:
		why = "they differ in type"
	case !shapes && first == nil:
		return fmt.Sprintf("None of %d files can be read, such as %s: %v", e.groups[0].count, path.Base(e.groups[0].first.key), e.groups[0].err)
	case !shapes && broken:
		why = "not all can be read"
	}
	return fmt.Sprintf("These files make no stack, since %s: %s", why, strings.Join(parts, "; "))
}

// apart is an image for each image of each file, for a folder whose files make no stack.
func (s *stack) apart(in loaders.Input, why unlikeError) lazy.Dataset {
	out := lazy.Dataset{Source: in.Path, Format: "sequence", Close: s.close}
	out.Warnings = []string{why.Why() + ". Each is an image of its own."}
	for _, f := range s.files {
		d := f.opened.Load()
		if d == nil { // it cannot be read, and is told of
			continue
		}
		if len(out.Images) == 0 {
			out.Lazy = d.Lazy
		}
		for _, image := range d.Images {
			name := path.Base(f.key)
			if stem, _, _ := strings.Cut(name, "."); len(d.Images) > 1 || image.Name != stem {
				name = strings.TrimSpace(name + " " + image.Name)
			}
			image.Name, image.Path = name, path.Join(f.key, image.Path)
			image.Order = lazy.Order{} // words of the user's are on a stack
			out.Images = append(out.Images, image)
		}
		for _, w := range d.Warnings {
			out.Warnings = append(out.Warnings, path.Base(f.key)+": "+w)
		}
	}
	return out
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
