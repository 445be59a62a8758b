package tiff

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// omeTypes are the names of OME's pixel types.
var omeTypes = map[lazy.DType]string{lazy.U8: "uint8", lazy.I8: "int8", lazy.U16: "uint16", lazy.I16: "int16",
	lazy.U32: "uint32", lazy.I32: "int32", lazy.F32: "float", lazy.F64: "double"}

// omeText is the OME-XML of one image whose planes are the pages in the order XYCZT. It holds no time
// and no random name, so that the same image gives the same bytes.
func omeText(d loaders.Description, samples int) (string, error) {
	m := d.Meta
	kind, ok := omeTypes[m.DType]
	if !ok {
		return "", fmt.Errorf("OME-TIFF has no %v: %w; write .tif, .npy or .zarr, or convert it", m.DType, loaders.ErrUnsupported)
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"` +
		` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
		` xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd"`)
	if d.Recipe.Version != "" {
		attribute(&b, "Creator", "lamella "+d.Recipe.Version)
	}
	b.WriteString(`><Image ID="Image:0"`)
	if d.Name != "" {
		attribute(&b, "Name", d.Name)
	}
	b.WriteString(`><Pixels ID="Pixels:0" DimensionOrder="XYCZT"`)
	attribute(&b, "Type", kind)
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z, lazy.C, lazy.T} {
		attribute(&b, "Size"+strings.ToUpper(a.String()), strconv.Itoa(m.Shape[a]))
	}
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		if m.Scale[a] > 0 {
			name := "PhysicalSize" + strings.ToUpper(a.String())
			attribute(&b, name, number(m.Scale[a]))
			attribute(&b, name+"Unit", "µm")
		}
	}
	if m.Scale[lazy.T] > 0 {
		attribute(&b, "TimeIncrement", number(m.Scale[lazy.T]))
		attribute(&b, "TimeIncrementUnit", "s")
	}
	b.WriteString(`>`)
	omeChannels(&b, d, samples)
	fmt.Fprintf(&b, `<TiffData IFD="0" PlaneCount="%d"/>`, m.Shape[lazy.T]*m.Shape[lazy.Z]*m.Shape[lazy.C]/samples)
	omePosition(&b, m)
	b.WriteString(`</Pixels>`)
	if notes := omeNotes(d, samples); len(notes) > 0 {
		b.WriteString(`<AnnotationRef ID="Annotation:0"/></Image><StructuredAnnotations>` +
			`<MapAnnotation ID="Annotation:0" Namespace="` + omeNamespace + `"><Value>`)
		for _, p := range notes {
			b.WriteString(`<M`)
			attribute(&b, "K", p[0])
			b.WriteString(`>`)
			xml.EscapeText(&b, []byte(p[1]))
			b.WriteString(`</M>`)
		}
		b.WriteString(`</Value></MapAnnotation></StructuredAnnotations></OME>`)
	} else {
		b.WriteString(`</Image></OME>`)
	}
	return b.String(), nil
}

// omeNotes is what OME has no place for, by key: how the voxels were made, and the contrast limits of channels.
func omeNotes(d loaders.Description, samples int) (notes [][2]string) {
	for _, p := range [][2]string{{"source", d.Recipe.Source}, {"chain", d.Recipe.Chain}, {"version", d.Recipe.Version}} {
		if p[1] != "" {
			notes = append(notes, p)
		}
	}
	for i, c := range d.Channels {
		if c.Limits != nil && samples == 1 {
			notes = append(notes, [2]string{fmt.Sprintf("limits %d", i), number(c.Limits[0]) + " " + number(c.Limits[1])})
		}
	}
	return notes
}

func attribute(b *strings.Builder, key, value string) {
	fmt.Fprintf(b, ` %s="`, key)
	xml.EscapeText(b, []byte(value))
	b.WriteString(`"`)
}

func omeChannels(b *strings.Builder, d loaders.Description, samples int) {
	for i := range d.Meta.Shape[lazy.C] / samples {
		fmt.Fprintf(b, `<Channel ID="Channel:0:%d" SamplesPerPixel="%d"`, i, samples)
		if samples == 1 && i < len(d.Channels) {
			c := d.Channels[i]
			if c.Name != "" {
				attribute(b, "Name", c.Name)
			}
			if v, err := strconv.ParseUint(strings.TrimPrefix(c.Color, "#"), 16, 32); err == nil && len(c.Color) == 7 {
				attribute(b, "Color", strconv.Itoa(int(int32(uint32(v)<<8|255))))
			}
		}
		b.WriteString(`/>`)
	}
}

// omePosition tells where the first voxel lies, if it is not at 0.
func omePosition(b *strings.Builder, m lazy.Meta) {
	at := ""
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		if m.Scale[a] > 0 && m.Origin[a] != 0 {
			name := "Position" + strings.ToUpper(a.String())
			at += fmt.Sprintf(` %s="%s" %sUnit="µm"`, name, number(m.Origin[a]), name)
		}
	}
	if at != "" {
		b.WriteString(`<Plane TheZ="0" TheT="0" TheC="0"` + at + `/>`)
	}
}
