package dicom

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"lamella/lazy"
	"lamella/loaders"
)

// dictionary has a line for each element: its tag, its VR and its name, as PS3.6 has them (see dictionary.py).
//
//go:embed dictionary.txt
var dictionary string

// named looks an element up; what is not in the dictionary has neither.
func named(t tag) (vr, name string) {
	want := fmt.Sprintf("%08X ", uint32(t))
	for rest := dictionary; rest != ""; { // halve what is left, by whole lines
		begin := strings.LastIndexByte(rest[:len(rest)/2], '\n') + 1
		line, after, _ := strings.Cut(rest[begin:], "\n")
		switch found, ok := strings.CutPrefix(line, want); {
		case ok:
			vr, name, _ = strings.Cut(found, " ")
			return vr, name
		case want > line:
			rest = after
		default:
			rest = rest[:begin]
		}
	}
	return "", ""
}

// Bounds of what is listed of one object.
const (
	maxSaid      = 4096 // bytes of a value
	maxSaidItems = 8    // of a sequence
)

// everything wants all elements that can be listed; of values that are longer only their length is.
func everything(e element) kind {
	vr := e.vr
	if known, _ := named(e.tag); vr == "" {
		vr = known
	}
	switch {
	case vr == "SQ" || e.length == undefined:
		return items
	case e.length > maxSaid:
		return counted
	}
	return blob
}

// said is all elements of an object before its pixels, by tag and name, in the order of their tags. They are read anew:
// opening looks at those alone that voxels depend on. What cannot be read ends the list.
func (o *object) said(ctx context.Context) []lazy.Entry {
	var e loaders.Entries
	e.Add("(0002,0010) Transfer Syntax UID", o.syntax.uid+" ("+o.syntax.name+")")
	p := newParser(ctx, o.file, o.begin)
	p.wants, p.most = everything, maxSaidItems
	p.obey(o.syntax)
	set, _, _ := p.dataSet(p.end, 0)
	set.say(&e, "", letters(set.texts(0x00080005)))
	return e.List()
}

// say notes the elements of a data set below the name of a sequence.
func (d dataSet) say(e *loaders.Entries, below string, in encoding.Encoding) {
	for _, t := range slices.Sorted(maps.Keys(d)) {
		v := d[t]
		vr, name := named(t)
		if v.vr != "" && v.vr != "UN" {
			vr = v.vr
		}
		full := strings.TrimSpace(fmt.Sprintf("%s%v %s", below, t, name))
		switch {
		case v.items != nil:
			for i, item := range v.items {
				item.say(e, fmt.Sprintf("%s[%d].", full, i), in)
			}
		case v.raw == nil && v.length > 0 && v.length != undefined:
			e.Add(full, fmt.Sprintf("%d bytes", v.length))
		default:
			e.Add(full, v.words(vr, in))
		}
	}
}

// words is a value as people read it (PS3.5, table 6.2-1).
func (v value) words(vr string, in encoding.Encoding) string {
	size := map[string]int{"US": 2, "SS": 2, "UL": 4, "SL": 4, "FL": 4, "AT": 4, "FD": 8, "UV": 8, "SV": 8}[vr]
	switch {
	case size > 0:
		var out []string
		for p := v.raw; len(p) >= size; p = p[size:] {
			out = append(out, v.number(vr, p))
		}
		return strings.Join(out, ", ")
	case vr == "OB" || vr == "OW" || vr == "OD" || vr == "OF" || vr == "OL" || vr == "OV" || vr == "UN" || vr == "":
		if len(v.raw) <= 16 {
			return fmt.Sprintf("% x", v.raw)
		}
		return fmt.Sprintf("%d bytes", len(v.raw))
	}
	text := strings.TrimRight(string(v.raw), "\x00 ")
	if inner, err := in.NewDecoder().String(text); err == nil {
		text = inner
	}
	return text
}

func (v value) number(vr string, p []byte) string {
	switch vr {
	case "US":
		return strconv.Itoa(int(v.order.Uint16(p)))
	case "SS":
		return strconv.Itoa(int(int16(v.order.Uint16(p))))
	case "UL":
		return strconv.FormatUint(uint64(v.order.Uint32(p)), 10)
	case "SL":
		return strconv.Itoa(int(int32(v.order.Uint32(p))))
	case "AT":
		return (tag(v.order.Uint16(p))<<16 | tag(v.order.Uint16(p[2:]))).String()
	case "FL":
		return strconv.FormatFloat(float64(math.Float32frombits(v.order.Uint32(p))), 'g', -1, 32)
	case "FD":
		return strconv.FormatFloat(math.Float64frombits(v.order.Uint64(p)), 'g', -1, 64)
	case "SV":
		return strconv.FormatInt(int64(v.order.Uint64(p)), 10)
	}
	return strconv.FormatUint(v.order.Uint64(p), 10)
}

// letters is the encoding of texts by Specific Character Set (PS3.3, C.12.1.1.2): of several, that which texts change
// to. Japanese ones change by ISO 2022; of Korean and others that do, ASCII alone is kept.
func letters(sets []string) encoding.Encoding {
	last := ""
	if len(sets) > 0 {
		last = strings.NewReplacer("ISO 2022 IR ", "ISO_IR ", "ISO-IR ", "ISO_IR ").Replace(sets[len(sets)-1])
	}
	if e, ok := characterSets[last]; ok {
		return e
	}
	return encoding.Nop
}

var characterSets = map[string]encoding.Encoding{
	"ISO_IR 100": charmap.ISO8859_1, "ISO_IR 101": charmap.ISO8859_2, "ISO_IR 109": charmap.ISO8859_3, "ISO_IR 110": charmap.ISO8859_4,
	"ISO_IR 144": charmap.ISO8859_5, "ISO_IR 127": charmap.ISO8859_6, "ISO_IR 126": charmap.ISO8859_7, "ISO_IR 138": charmap.ISO8859_8,
	"ISO_IR 148": charmap.ISO8859_9, "ISO_IR 203": charmap.ISO8859_15, "ISO_IR 166": charmap.Windows874, "ISO_IR 13": japanese.ShiftJIS,
	"ISO_IR 87": japanese.ISO2022JP, "ISO_IR 159": japanese.ISO2022JP, "GB18030": simplifiedchinese.GB18030, "GBK": simplifiedchinese.GBK,
}
