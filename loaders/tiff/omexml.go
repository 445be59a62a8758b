package tiff

import (
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
)

// An omeDoc is what is read of an OME-XML block (schema 2016-06 and its forerunners).
type omeDoc struct {
	uuid         string
	metadataFile string // of BinaryOnly: the file that holds the metadata in place of this one
	images       []omeImage
}

// An omeImage is one Image with its Pixels.
type omeImage struct {
	name     string
	order    string         // DimensionOrder: XYZCT and the like, fastest first
	size     [lazy.Rank]int // by lazy.Axis
	scale    [lazy.Rank]float64
	origin   [lazy.Rank]float64
	placed   [lazy.Rank]bool // origin is known
	channels []omeChannel
	data     []omeData
	recipe   lazy.Recipe
	problem  error // why the image is not usable
}

type omeChannel struct {
	name, color string
	samples     int
	limits      *[2]float64
}

// An omeData is one TiffData: count planes from (z, c, t) on, in dimension order, are the
// directories from ifd on.
type omeData struct {
	ifd, count int    // count -1: all that follow
	first      [3]int // along T, Z, C
	uuid, file string // "" for the file that holds the XML
}

// omeReader is the state of the walk over the XML.
type omeReader struct {
	doc   omeDoc
	root  string
	depth int
	path  []string
	image *omeImage
	pix   bool // within Pixels
	own   bool // within an annotation that we wrote
	key   string
	text  strings.Builder
}

// parseOME reads an OME-XML block. It walks over the text once and keeps nothing of what it does not
// know, however deep that is.
func parseOME(text string) (*omeDoc, error) {
	r := omeReader{}
	if err := scanXML(readable(text), &r); err != nil {
		return nil, fmt.Errorf("OME-XML: %w", err)
	}
	if r.root != "OME" || r.depth != 0 {
		return nil, fmt.Errorf("OME-XML: the text is cut short or is no OME-XML")
	}
	return &r.doc, nil
}

// maxImages bounds the images of one block, and the TiffData of one image.
const maxImages = 1 << 20

func (r *omeReader) chars(s string) {
	if len(r.path) > 0 && (r.path[len(r.path)-1] == "UUID" || r.own) {
		r.text.WriteString(s)
	}
}

func (r *omeReader) start(e element) {
	name, get := e.name, e.get
	if r.depth++; r.depth == 1 {
		r.root = name
	}
	if len(r.path) < 64 {
		r.path = append(r.path, name)
	}
	switch {
	case name == "OME":
		r.doc.uuid = get("UUID")
	case name == "BinaryOnly":
		r.doc.metadataFile = get("MetadataFile")
	case name == "MapAnnotation" && len(r.path) == 3:
		r.own = e.get("Namespace") == omeNamespace
	case r.own && name == "M":
		r.key = get("K")
		r.text.Reset()
	case name == "Image" && len(r.path) == 2 && len(r.doc.images) < maxImages:
		r.doc.images = append(r.doc.images, omeImage{name: get("Name")})
		r.image = &r.doc.images[len(r.doc.images)-1]
	case r.image == nil:
	case name == "Pixels" && len(r.path) == 3:
		r.pix = true
		r.image.pixels(get)
	case !r.pix || len(r.path) < 4:
	case name == "Channel" && len(r.path) == 4:
		samples, _ := strconv.Atoi(get("SamplesPerPixel"))
		r.image.channels = append(r.image.channels, omeChannel{name: get("Name"), color: omeColor(get("Color")), samples: max(1, samples)})
	case name == "TiffData" && len(r.path) == 4 && len(r.image.data) < 1<<24:
		r.image.tiffData(get)
	case name == "UUID" && len(r.path) == 5 && r.path[3] == "TiffData" && len(r.image.data) > 0:
		r.image.data[len(r.image.data)-1].file = get("FileName")
		r.text.Reset()
	case name == "Plane" && len(r.path) == 4:
		r.image.plane(get)
	}
}

func (r *omeReader) end(name string) {
	r.depth--
	if n := len(r.path); n > 0 && r.path[n-1] == name {
		r.path = r.path[:n-1]
	}
	switch name {
	case "UUID":
		if r.pix && r.image != nil && len(r.image.data) > 0 {
			r.image.data[len(r.image.data)-1].uuid = strings.TrimSpace(r.text.String())
		}
	case "MapAnnotation":
		r.own = false
	case "M":
		if r.own && len(r.doc.images) == 1 {
			r.doc.images[0].note(r.key, unescaped(r.text.String()))
		}
	case "Pixels":
		r.pix = false
	case "Image":
		r.image = nil
	}
}

func (m *omeImage) pixels(get func(string) string) {
	m.order = get("DimensionOrder")
	for a, key := range [lazy.Rank]string{"SizeT", "SizeZ", "SizeC", "SizeY", "SizeX"} {
		n, err := strconv.Atoi(get(key))
		if err != nil || n < 1 {
			m.problem = fmt.Errorf("%s is %q", key, get(key))
		}
		m.size[a] = n
	}
	for a, key := range map[lazy.Axis]string{lazy.Z: "PhysicalSizeZ", lazy.Y: "PhysicalSizeY", lazy.X: "PhysicalSizeX"} {
		m.scale[a] = length(measure(get(key), get(key+"Unit"), "µm", micrometres))
	}
	m.scale[lazy.T] = length(measure(get("TimeIncrement"), get("TimeIncrementUnit"), "s", seconds))
}

// measure is a number in a unit, NaN-free: 0 if one of them is not known.
func measure(value, unit, byDefault string, factor func(string) (float64, bool)) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if unit == "" {
		unit = byDefault
	}
	f, ok := factor(unit)
	if err != nil || !ok || v != v {
		return 0
	}
	return v * f
}

func (m *omeImage) tiffData(get func(string) string) {
	number := func(key string, missing int) int {
		if v, err := strconv.Atoi(get(key)); err == nil && v >= 0 {
			return v
		}
		return missing
	}
	d := omeData{ifd: number("IFD", 0), count: -1}
	if get("IFD") != "" {
		d.count = 1
	}
	d.count = number("PlaneCount", number("NumPlanes", d.count))
	d.first = [3]int{number("FirstT", 0), number("FirstZ", 0), number("FirstC", 0)}
	m.data = append(m.data, d)
}

// plane keeps the position of the first plane of all.
func (m *omeImage) plane(get func(string) string) {
	if get("TheZ") != "0" || get("TheC") != "0" || get("TheT") != "0" {
		return
	}
	for a, key := range map[lazy.Axis]string{lazy.Z: "PositionZ", lazy.Y: "PositionY", lazy.X: "PositionX"} {
		// Without a unit the position is in some "reference frame" that means nothing to others.
		if unit := get(key + "Unit"); unit != "" && get(key) != "" {
			if _, ok := micrometres(unit); ok {
				m.origin[a], m.placed[a] = measure(get(key), unit, "", micrometres), true
			}
		}
	}
}

// omeNamespace is that of the annotation with what OME has no place for; it is of the only image.
const omeNamespace = "lamella/recipe"

// note takes an entry of that annotation: of the recipe, or "limits N" of channel N.
func (m *omeImage) note(key, value string) {
	switch key {
	case "source":
		m.recipe.Source = value
	case "chain":
		m.recipe.Chain = value
	case "version":
		m.recipe.Version = value
	}
	number, ok := strings.CutPrefix(key, "limits ")
	c, err := strconv.Atoi(number)
	low, high, two := strings.Cut(value, " ")
	a, err2 := strconv.ParseFloat(low, 64)
	b, err3 := strconv.ParseFloat(high, 64)
	if ok && two && err == nil && err2 == nil && err3 == nil && c >= 0 && c < len(m.channels) {
		m.channels[c].limits = limits(a, b)
	}
}

// omeColor turns OME's signed 32-bit RGBA into "#rrggbb".
func omeColor(s string) string {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("#%06x", uint32(v)>>8)
}
