package hdf5

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
)

// A link is one name in a group: of an object in this file, of another name (soft), or of an object in
// another file (external).
type link struct {
	name     string
	at       uint64
	soft     string
	external string // name of a file
	inside   string // the path there
}

// maxLinks is the most names of one group.
const maxLinks = 1 << 20

// group reports whether an object is a group.
func (o *object) group() bool {
	for _, m := range o.messages {
		if m.kind == msgSymbols || m.kind == msgLinkInfo || m.kind == msgLink {
			return true
		}
	}
	return false
}

// links are the names in a group, in the order in which the file keeps them.
func (o *object) links(ctx context.Context) ([]link, error) {
	var all []link
	for _, m := range o.messages {
		switch m.kind {
		case msgSymbols:
			c := m.cursor(o.f)
			tree, heap := c.offset(), c.offset()
			if c.err != nil {
				return nil, c.err
			}
			return o.f.symbols(ctx, tree, heap)
		case msgLink:
			l, err := m.cursor(o.f).link()
			if err != nil {
				return nil, err
			}
			all = append(all, l)
		case msgLinkInfo:
			dense, err := o.f.denseLinks(ctx, m.cursor(o.f))
			if err != nil {
				return nil, err
			}
			all = append(all, dense...)
		}
	}
	return all, nil
}

// link reads a link message (section IV.A.2.g): version, flags, a type, the order of creation (8) and
// the encoding of the name if the flags say so, the length of the name, the name, and what it leads to.
func (c *cursor) link() (link, error) {
	c.version(1, "a link")
	flags, kind := c.u8(), 0
	if flags&8 != 0 {
		kind = c.u8()
	}
	if flags&4 != 0 {
		c.skip(8)
	}
	if flags&16 != 0 {
		c.skip(1)
	}
	n := c.uint(1 << (flags & 3))
	if n > uint64(c.left()) {
		c.fail("a name of %d bytes", n)
		n = 0
	}
	l := link{name: string(c.bytes(int(n)))}
	switch kind {
	case 0:
		l.at = c.offset()
	case 1:
		l.soft = string(c.bytes(c.u16()))
	default:
		p := c.bytes(c.u16())
		if kind == 64 && len(p) > 1 {
			l.external = cutAtZero(p[1:])
			l.inside = cutAtZero(p[min(len(p), len(l.external)+2):])
		} else {
			l.external = fmt.Sprintf("a link of type %d", kind)
		}
	}
	return l, c.err
}

// denseLinks reads the links that lie in a fractal heap (section IV.A.2.c): version, flags, the largest
// number of creation (8) if the flags say so, addresses of the heap and of the index by name.
func (f *file) denseLinks(ctx context.Context, c *cursor) ([]link, error) {
	c.version(0, "link information")
	if flags := c.u8(); flags&1 != 0 {
		c.skip(8)
	}
	heapAt, index := c.offset(), c.offset()
	if c.err != nil || heapAt == undefined {
		return nil, c.err
	}
	h, err := f.heap(ctx, heapAt)
	if err != nil {
		return nil, err
	}
	var all []link
	// Records of type 5 (section III.A.2): hash of the name (4), heap ID (7).
	err = f.records(ctx, index, 5, func(c *cursor) error {
		c.skip(4)
		id := c.bytes(7)
		if c.err != nil {
			return c.err
		}
		p, err := h.object(ctx, id)
		if err != nil {
			return err
		}
		l, err := (&cursor{p: p, f: f}).link()
		all = append(all, l)
		return err
	})
	return all, err
}

// errNothing is about a path that leads to nothing.
var errNothing = fs.ErrNotExist

// maxSoft is how many soft and external links are followed on the way to one object.
const maxSoft = 16

// resolve finds the object of a path. Soft and external links are followed, and counted, so that a
// circle ends.
func (f *file) resolve(ctx context.Context, from uint64, path string) (*file, uint64, error) {
	links := 0
	return f.follow(ctx, from, path, &links)
}

func (f *file) follow(ctx context.Context, from uint64, path string, links *int) (*file, uint64, error) {
	if strings.HasPrefix(path, "/") {
		from = f.root
	}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." {
			continue
		}
		o, err := f.object(ctx, from)
		if err != nil {
			return nil, 0, err
		}
		l, err := o.named(ctx, name)
		if err != nil {
			return nil, 0, err
		}
		if f, from, err = f.step(ctx, from, l, links); err != nil {
			return nil, 0, err
		}
	}
	return f, from, nil
}

// step goes where a link in a group leads.
func (f *file) step(ctx context.Context, group uint64, l link, links *int) (*file, uint64, error) {
	if l.external == "" && l.soft == "" {
		return f, l.at, nil
	}
	if *links++; *links > maxSoft {
		return nil, 0, damaged("the link %s leads over more than %d others", l.name, maxSoft)
	}
	if l.external == "" {
		return f.follow(ctx, group, l.soft, links)
	}
	if f.family == nil || l.inside == "" {
		return nil, 0, unsupported("%s leads to another file (%s)", l.name, l.external)
	}
	other, err := f.family.file(ctx, l.external)
	if err != nil {
		return nil, 0, err
	}
	return other.follow(ctx, other.root, l.inside, links)
}

// named is the link of a name.
func (o *object) named(ctx context.Context, name string) (link, error) {
	if !o.group() {
		return link{}, fmt.Errorf("%s lies in no group: %w", name, errNothing)
	}
	all, err := o.links(ctx)
	if err != nil {
		return link{}, err
	}
	for _, l := range all {
		if l.name == name {
			return l, nil
		}
	}
	return link{}, fmt.Errorf("there is no %s: %w", name, errNothing)
}
