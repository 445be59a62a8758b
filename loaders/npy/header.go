package npy

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"lamella/loaders"
	"lamella/loaders/store"
)

const (
	magic = "\x93NUMPY"

	// maxHeader is far more than a header of numbers takes; NumPy itself stops at 10,000 bytes.
	maxHeader = 64 << 10
)

// A header is the dictionary in front of the voxels.
type header struct {
	descr   string
	fortran bool
	shape   []int64
	end     int64 // where the voxels begin
}

// readHeader reads versions 1 to 3: magic, version (2 bytes), length of the text (2 bytes in version
// 1, else 4, low byte first), text.
func readHeader(ctx context.Context, f store.File) (header, error) {
	pre := make([]byte, 12)
	pre = pre[:min(int64(len(pre)), f.Size())]
	if err := f.ReadAt(ctx, pre, 0); err != nil {
		return header{}, err
	}
	if len(pre) < 10 || string(pre[:len(magic)]) != magic {
		return header{}, fmt.Errorf("%w: it is not a NumPy file: %w", errHeader, loaders.ErrDamaged)
	}
	start, length := int64(10), int64(binary.LittleEndian.Uint16(pre[8:]))
	switch major := pre[6]; {
	case major == 2 || major == 3:
		if len(pre) < 12 {
			return header{}, fmt.Errorf("%w: it ends early: %w", errHeader, loaders.ErrDamaged)
		}
		start, length = 12, int64(binary.LittleEndian.Uint32(pre[8:]))
	case major != 1:
		return header{}, fmt.Errorf("NumPy format version %d is not 1, 2 or 3: %w", major, loaders.ErrUnsupported)
	}
	if length > maxHeader || length > f.Size()-start {
		return header{}, fmt.Errorf("%w: it states a length of %d bytes: %w", errHeader, length, loaders.ErrDamaged)
	}
	text := make([]byte, length)
	if err := f.ReadAt(ctx, text, start); err != nil {
		return header{}, err
	}
	h, err := parseHeader(string(text))
	h.end = start + length
	return h, err
}

// parseHeader reads {'descr': '<u2', 'fortran_order': False, 'shape': (3, 4, 5), }.
func parseHeader(text string) (header, error) {
	p := parser{rest: text}
	var h header
	seen := map[string]bool{}
	p.want("{")
	for p.err == nil && !p.take("}") {
		key := p.quoted()
		p.want(":")
		if seen[key] {
			p.fail("a second %q", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			if p.peek() == '[' || p.peek() == '(' {
				return h, fmt.Errorf("it holds records or arrays in each voxel: %w", loaders.ErrUnsupported)
			}
			h.descr = p.quoted()
		case "fortran_order":
			if h.fortran = p.take("True"); !h.fortran {
				p.want("False")
			}
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail("the key %q", key)
		}
		if !p.take(",") {
			p.want("}")
			break
		}
	}
	if p.err == nil && (len(seen) != 3 || strings.Trim(p.rest, " \n\x00") != "") {
		p.fail("%d of 3 keys, and %q at the end", len(seen), p.rest[:min(20, len(p.rest))])
	}
	return h, p.err
}

// A parser reads the small part of Python that headers are written in. After an error it stands still.
type parser struct {
	rest string
	err  error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: %s: %w", errHeader, fmt.Sprintf(format, args...), loaders.ErrDamaged)
	}
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *parser) peek() byte {
	if p.space(); p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) take(word string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, word)
	if ok && p.err == nil {
		p.rest = rest
	}
	return ok && p.err == nil
}

func (p *parser) want(word string) {
	if !p.take(word) {
		p.fail("expected %q at %q", word, p.rest[:min(20, len(p.rest))])
	}
}

func (p *parser) quoted() string {
	quote := p.peek()
	if quote != '\'' && quote != '"' {
		p.fail("expected a name at %q", p.rest[:min(20, len(p.rest))])
		return ""
	}
	text, rest, ok := strings.Cut(p.rest[1:], string(quote))
	if !ok || strings.ContainsAny(text, "\\\n") {
		p.fail("a name without an end")
	}
	p.rest = rest
	return text
}

// tuple reads (), (3,) or (3, 4); Python 2 wrote long integers with an L.
func (p *parser) tuple() []int64 {
	var out []int64
	p.want("(")
	for p.err == nil && !p.take(")") {
		p.space()
		digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
		n, err := strconv.ParseInt(p.rest[:digits], 10, 64)
		if err != nil {
			p.fail("expected a length at %q", p.rest[:min(20, len(p.rest))])
			break
		}
		p.rest = p.rest[digits:]
		p.take("L")
		if out = append(out, n); len(out) > 64 {
			p.fail("more than 64 dimensions")
		}
		if !p.take(",") {
			p.want(")")
			break
		}
	}
	return out
}
