package tiff

import (
	"strings"

	"lamella/loaders"
)

// say notes what the first directory says in words: the software, and its descriptions, taken apart where they
// are ImageJ's lines or XML.
func (t *file) say(f front) {
	t.said.Add("Software", f.software)
	for _, d := range f.descriptions {
		_, ours := parseHyperstack([]string{d})
		switch {
		case strings.HasPrefix(strings.TrimLeft(d, "\uFEFF \r\n\t"), "<") && strings.Contains(d, "</"):
			scanXML(d, &xmlSaid{to: &t.said}) // what of it can be read
		case ours:
			for line := range strings.Lines(readable(d)) {
				if key, value, ok := strings.Cut(line, "="); ok {
					t.said.Add(strings.TrimSpace(key), value)
				} else {
					t.said.Add("ImageDescription", line)
				}
			}
		case strings.HasPrefix(d, "{"):
			t.said.AddJSON("", []byte(d))
		default:
			t.said.Add("ImageDescription", readable(d))
		}
	}
}

// xmlSaid notes the attributes and texts of XML by their path: "Image.Pixels.SizeX". What is said of each plane,
// and the lists of where they lie, are left out: there may be 100,000 of them.
type xmlSaid struct {
	to      *loaders.Entries
	path    []string
	skipped int // the depth of an element that is left out, 0 if none is
}

// maxSaidDepth is how deep elements are looked at: names of deeper ones are no names.
const maxSaidDepth = 32

func (x *xmlSaid) start(e element) {
	x.path = append(x.path, e.name)
	if x.skipped == 0 && (e.name == "Plane" || e.name == "TiffData" || e.name == "BinData") {
		x.skipped = len(x.path)
	}
	if x.skipped > 0 || len(x.path) > maxSaidDepth {
		return
	}
	rest := e.attributes
	for {
		name, after, ok := strings.Cut(rest, "=")
		after = strings.TrimLeft(after, " \t\r\n")
		if !ok || after == "" {
			return
		}
		value, next, ok := strings.Cut(after[1:], after[:1])
		if !ok {
			return
		}
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "xmlns") && !strings.HasPrefix(name, "xsi:") {
			x.to.Add(x.name()+"."+local(name), unescaped(value))
		}
		rest = next
	}
}

// name is the path below the document.
func (x *xmlSaid) name() string { return strings.Join(x.path[min(1, len(x.path)-1):], ".") }

func (x *xmlSaid) end(string) {
	if len(x.path) == x.skipped {
		x.skipped = 0
	}
	if len(x.path) > 0 {
		x.path = x.path[:len(x.path)-1]
	}
}

func (x *xmlSaid) chars(text string) {
	if text = strings.TrimSpace(text); text != "" && x.skipped == 0 && len(x.path) > 0 && len(x.path) <= maxSaidDepth {
		x.to.Add(x.name(), unescaped(text))
	}
}
