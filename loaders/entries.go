package loaders

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"lamella/lazy"
)

// Bounds of what is kept of the metadata of one image: more than a person reads, little enough to forget about.
const (
	maxEntries    = 2000
	maxEntryBytes = 4096
	maxJSONDepth  = 32
)

// Entries collects what a file says, as lazy.Image keeps it. Long values are cut, and of very many things the
// first are kept; both is said. The zero value is empty.
type Entries struct {
	list []lazy.Entry
	left int
}

// Add notes one thing. Control characters other than line ends, and what is no UTF-8, are left out; nothing is
// noted without a value.
func (e *Entries) Add(name, value string) {
	value = printable(value)
	switch {
	case value == "":
		return
	case len(e.list) >= maxEntries:
		e.left++
		return
	case len(value) > maxEntryBytes:
		value = fmt.Sprintf("%s… (the first %d of %d bytes)", strings.ToValidUTF8(value[:maxEntryBytes], ""), maxEntryBytes, len(value))
	}
	e.list = append(e.list, lazy.Entry{Name: printable(name), Value: value})
}

// AddJSON notes each value of a JSON text below a name: members as name.member, elements as name[0]. Short
// lists of plain values are one entry. What cannot be read ends it.
func (e *Entries) AddJSON(name string, text json.RawMessage) {
	e.json(name, text, 0)
}

func (e *Entries) json(name string, text json.RawMessage, depth int) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || depth > maxJSONDepth || e.left > 0 {
		return
	}
	d := json.NewDecoder(bytes.NewReader(text))
	switch text[0] {
	case '{':
		d.Token()
		for d.More() {
			key, err := d.Token()
			var value json.RawMessage
			if err != nil || d.Decode(&value) != nil {
				return
			}
			e.json(strings.TrimPrefix(fmt.Sprint(name, ".", key), "."), value, depth+1)
		}
	case '[':
		if short := bytes.NewBuffer(nil); len(text) <= 200 && !bytes.ContainsAny(text[1:], "{[") && json.Compact(short, text) == nil {
			e.Add(name, strings.ReplaceAll(strings.Trim(short.String(), "[]"), ",", ", "))
			return
		}
		d.Token()
		for i := 0; d.More(); i++ {
			var value json.RawMessage
			if d.Decode(&value) != nil || e.left > 0 {
				return
			}
			e.json(fmt.Sprintf("%s[%d]", name, i), value, depth+1)
		}
	case '"':
		var s string
		if json.Unmarshal(text, &s) == nil {
			e.Add(name, s)
		}
	default:
		e.Add(name, string(text))
	}
}

// List is what was noted, with a last entry that says how much was not.
func (e *Entries) List() []lazy.Entry {
	if e.left > 0 {
		return append(e.list[:len(e.list):len(e.list)], lazy.Entry{Name: "…", Value: fmt.Sprintf("the first %d entries; more were left out", len(e.list))})
	}
	return e.list
}

func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\uFFFD' || r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s))
}
