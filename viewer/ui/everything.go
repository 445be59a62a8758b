package ui

import (
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/viewer"
)

// everything is all that is known of the image on view, a name and a value a line: what the program made of the file, and
// then what the file says by its own names. What is not known is said to be so.
func everything(sc *viewer.Scene, s viewer.State) []lazy.Entry {
	var list []lazy.Entry
	add := func(key, value string) {
		if value != "" {
			list = append(list, lazy.Entry{Name: Say(key), Value: value})
		}
	}
	set, img, m := sc.Set, sc.Image, sc.Raw[0].Meta()
	add("prop.path", set.Source)
	add("prop.format", set.Format)
	if set.Lazy.By != "" {
		add("prop.readby", strings.TrimSuffix(Say("prop.by."+set.Lazy.By)+": "+Remark(set.Lazy.Note), ": "))
	}
	add("prop.image", img.Name)
	add("prop.place", img.Path)
	add("prop.axes", axesOf(img))
	add("prop.shape", named(m.Shape))
	add("prop.dtype", m.DType.String())
	add("prop.bytes", bytes(int64(m.Shape.Whole().Voxels())*int64(m.DType.Size())))
	add("prop.voxel", sizesOf(sc, s))
	if m.Shape[lazy.T] > 1 || m.Scale[lazy.T] > 0 {
		add("prop.timestep", marked(s, lazy.T, sizeText(lazy.T, m.Scale[lazy.T])))
	}
	if m.Scale[lazy.X] > 0 && m.Scale[lazy.Y] > 0 {
		add("prop.extent", extent(float64(m.Shape[lazy.X])*m.Scale[lazy.X], float64(m.Shape[lazy.Y])*m.Scale[lazy.Y]))
	}
	if m.Origin != ([lazy.Rank]float64{}) {
		var at []string
		for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
			at = append(at, a.String()+" "+strconv.FormatFloat(m.Origin[a], 'g', 6, 64))
		}
		add("prop.origin", strings.Join(at, ", ")+" µm")
	}
	if m.Labels {
		add("prop.kind", Say("prop.kind.labels"))
	}
	if img.RGB {
		add("prop.kind", Say("prop.kind.rgb"))
	}
	for i, l := range img.Levels {
		lm := l.Array.Meta()
		parts := []string{Say("prop.level.is", "Shape", named(lm.Shape), "Chunk", named(lm.Chunk))}
		for _, more := range []string{sayOr("codec."+l.Codec, l.Codec), l.Path} {
			if more != "" {
				parts = append(parts, more)
			}
		}
		list = append(list, lazy.Entry{Name: Say("prop.level", "N", strconv.Itoa(i)), Value: strings.Join(parts, ", ")})
	}
	for i, c := range s.Channels {
		parts := []string{c.Name}
		if was := sc.FileName(i); was != c.Name {
			parts[0] = c.Name + " (" + Say("prop.edited", "Value", was) + ")"
		}
		if i < len(img.Channels) {
			if told := img.Channels[i]; told.Color != "" {
				parts = append(parts, told.Color)
			}
			if told := img.Channels[i].Limits; told != nil {
				parts = append(parts, number(told[0])+" … "+number(told[1]))
			}
		}
		list = append(list, lazy.Entry{Name: Say("prop.channel", "N", strconv.Itoa(i+1)), Value: strings.Join(parts, ", ")})
	}
	add("prop.madefrom", img.Recipe.Source)
	add("prop.madeby", img.Recipe.Chain)
	add("prop.madever", img.Recipe.Version)
	for _, w := range set.Warnings {
		add("prop.note", Remark(w))
	}
	return append(list, img.Metadata...)
}

// axesOf is how the dimensions lie in the file, and which of them nobody named.
func axesOf(img lazy.Image) string {
	axes, assumed := strings.ToUpper(img.Order.Axes), strings.ToUpper(img.Assumed)
	if axes == "" {
		axes = assumed
	}
	if assumed != "" {
		return Say("prop.axes.assumed", "Axes", axes, "Assumed", assumed)
	}
	return axes
}

// named is a shape with the names of its axes, without those of length 1; rows and columns always.
func named(shape lazy.Shape) string {
	var parts []string
	for a, n := range shape {
		if n > 1 || a >= int(lazy.Y) {
			parts = append(parts, fmt.Sprintf("%v %d", lazy.Axis(a), n))
		}
	}
	return strings.ToUpper(strings.Join(parts, " × "))
}

// sizesOf is how large a voxel is.
func sizesOf(sc *viewer.Scene, s viewer.State) string {
	m := sc.Raw[0].Meta()
	var parts []string
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		if a == lazy.Z && m.Shape[a] == 1 && m.Scale[a] <= 0 {
			continue
		}
		parts = append(parts, strings.ToUpper(a.String())+" "+marked(s, a, sizeText(a, m.Scale[a])))
	}
	return strings.Join(parts, ", ")
}

// marked is a text with the word that a person said it.
func marked(s viewer.State, a lazy.Axis, text string) string {
	if s.Sizes[a].Edited {
		return Say("prop.voxel.edited", "Value", text)
	}
	return text
}

// sizeText writes the distance between voxels, or that it is not known.
func sizeText(a lazy.Axis, v float64) string {
	if v <= 0 {
		return Say("prop.voxel.unknown")
	}
	return sizeIn(a, v)
}

// sizeIn is a distance between voxels as it can be written into a field; "" if it is not known.
func sizeIn(a lazy.Axis, v float64) string {
	switch {
	case v <= 0:
		return ""
	case a == lazy.T:
		return strconv.FormatFloat(v, 'g', 6, 64) + " s"
	}
	return strconv.FormatFloat(v, 'g', 6, 64) + " µm"
}
