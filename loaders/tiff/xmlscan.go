package tiff

import (
	"errors"
	"strconv"
	"strings"
)

// An element is a start tag: its name without a prefix, and its attributes as they stand.
type element struct{ name, attributes string }

// A listener hears what stands in an XML text, in order. An element without content is a start and an
// end.
type listener interface {
	start(element)
	end(name string)
	chars(string)
}

var errXML = errors.New("the XML breaks off")

// scanXML walks over a text and tells what it meets. It knows as much of XML as the metadata of
// images use, and is several times as fast as a parser that knows all: a block of OME-XML may describe
// 100,000 planes. Nothing is expanded, nested or fetched.
func scanXML(text string, to listener) error {
	for text != "" {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			return nil
		}
		if at > 0 {
			to.chars(text[:at])
			text = text[at:]
		}
		var err error
		switch {
		case strings.HasPrefix(text, "<!--"):
			_, text, err = upTo(text[4:], "-->")
		case strings.HasPrefix(text, "<![CDATA["):
			var raw string
			raw, text, err = upTo(text[9:], "]]>")
			to.chars(raw)
		case strings.HasPrefix(text, "<?"):
			_, text, err = upTo(text, "?>")
		case strings.HasPrefix(text, "<!"):
			_, text, err = upTo(text, ">")
		case strings.HasPrefix(text, "</"):
			var name string
			name, text, err = upTo(text[2:], ">")
			to.end(local(strings.TrimRight(name, " \t\r\n")))
		default:
			text, err = startTag(text[1:], to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func upTo(text, mark string) (before, after string, err error) {
	before, after, ok := strings.Cut(text, mark)
	if !ok {
		return "", "", errXML
	}
	return before, after, nil
}

// startTag tells of the tag that text begins with, and gives what follows it. A > within quotes does
// not end it.
func startTag(text string, to listener) (string, error) {
	end := 0
	for {
		i := strings.IndexAny(text[end:], `>"'`)
		if i < 0 {
			return "", errXML
		}
		if end += i; text[end] == '>' {
			break
		}
		close := strings.IndexByte(text[end+1:], text[end])
		if close < 0 {
			return "", errXML
		}
		end += close + 2
	}
	tag, rest := text[:end], text[end+1:]
	tag, empty := strings.CutSuffix(tag, "/")
	name, attributes := tag, ""
	if i := strings.IndexAny(tag, " \t\r\n"); i >= 0 {
		name, attributes = tag[:i], tag[i:]
	}
	name = local(name)
	to.start(element{name, attributes})
	if empty {
		to.end(name)
	}
	return rest, nil
}

// local is a name without its prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// get is the value of an attribute, "" if there is none.
func (e element) get(key string) string {
	for rest := e.attributes; ; {
		eq := strings.IndexByte(rest, '=')
		if eq < 0 {
			return ""
		}
		name := strings.TrimSpace(rest[:eq])
		rest = strings.TrimLeft(rest[eq+1:], " \t\r\n")
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		close := strings.IndexByte(rest[1:], rest[0])
		if close < 0 {
			return ""
		}
		if local(name) == key {
			return unescaped(rest[1 : 1+close])
		}
		rest = rest[close+2:]
	}
}

// unescaped replaces the five entities of XML and numbers of letters.
func unescaped(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "&")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, rest, closed := strings.Cut(after, ";")
		switch r, known := entity(name); {
		case closed && known:
			b.WriteRune(r)
			s = rest
		default:
			b.WriteByte('&')
			s = after
		}
	}
}

func entity(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	number, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(number, "x"); ok {
		number, base = hex, 16
	}
	v, err := strconv.ParseUint(number, base, 21)
	return rune(v), err == nil
}
