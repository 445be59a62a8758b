package zarr

import (
	"fmt"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// image is the metadata of an image: in version 0.4 the attributes of its group, from 0.5 on what is under "ome"
// in them.
type image struct {
	Version     string    `json:"version,omitempty"` // from 0.5 on
	Multiscales []written `json:"multiscales"`
	Omero       *display  `json:"omero,omitempty"`
	Labels      any       `json:"image-label,omitempty"`
}

type written struct {
	Version  string    `json:"version,omitempty"` // before 0.5
	Name     string    `json:"name"`
	Type     string    `json:"type,omitempty"` // how coarser levels were made
	Axes     []axis    `json:"axes"`
	Datasets []dataset `json:"datasets"`
}

type axis struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
}

type dataset struct {
	Path      string           `json:"path"`
	Transform []map[string]any `json:"coordinateTransformations"`
}

type display struct {
	Version  string    `json:"version,omitempty"` // before 0.5
	Name     string    `json:"name"`
	Channels []channel `json:"channels"`
}

type channel struct {
	Active bool   `json:"active"`
	Label  string `json:"label"`
	Color  string `json:"color"`
	Window window `json:"window"`
}

type window struct {
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// own is what NGFF has no place for, under "lamella" in the attributes of the group: how the voxels were made,
// and what NGFF demands though it is not known.
type own struct {
	Source  string   `json:"source,omitempty"`
	Part    string   `json:"part,omitempty"` // of the source
	Chain   string   `json:"chain,omitempty"`
	Version string   `json:"version,omitempty"`
	RGB     bool     `json:"rgb,omitempty"`
	Unknown []string `json:"unknown,omitempty"` // axes, and "color N" and "window N" of channel N
}

func (o own) recipe() lazy.Recipe {
	return lazy.Recipe{Source: o.Source, Chain: o.Chain, Version: o.Version}
}

func (o own) unknown(format string, args ...any) bool {
	return slices.Contains(o.Unknown, fmt.Sprintf(format, args...))
}

// attributesV2 is the .zattrs object of an image (NGFF 0.4).
func attributesV2(d loaders.Description, levels []level) any {
	const version = "0.4"
	o := own{Source: d.Recipe.Source, Part: d.Run.Part, Chain: d.Recipe.Chain, Version: d.Recipe.Version, RGB: d.RGB}
	m := o.image(d, levels)
	m.Multiscales[0].Version = version
	if m.Omero != nil {
		m.Omero.Version = version
	}
	if d.Meta.Labels {
		m.Labels = map[string]string{"version": version}
	}
	return struct {
		image
		Own *own `json:"lamella,omitempty"`
	}{m, o.stated()}
}

// attributesV3 is the attributes of the group of an image (NGFF 0.5).
func attributesV3(d loaders.Description, levels []level) any {
	o := own{Source: d.Recipe.Source, Part: d.Run.Part, Chain: d.Recipe.Chain, Version: d.Recipe.Version, RGB: d.RGB}
	m := o.image(d, levels)
	m.Version = "0.5"
	if d.Meta.Labels {
		m.Labels = struct{}{}
	}
	return struct {
		OME image `json:"ome"`
		Own *own  `json:"lamella,omitempty"`
	}{m, o.stated()}
}

// stated is what there is to be stated, nil if there is nothing.
func (o own) stated() *own {
	if o.recipe() == (lazy.Recipe{}) && !o.RGB && o.Unknown == nil {
		return nil
	}
	return &o
}

// image states what is known, and keeps what is not. A length that is not known is 1 without a unit, since
// NGFF leaves none out.
func (o *own) image(d loaders.Description, levels []level) image {
	m := written{Name: d.Name}
	for _, a := range stored {
		x := axis{Name: a.String(), Type: "space"}
		switch a {
		case lazy.T:
			x.Type = "time"
		case lazy.C:
			x.Type = "channel"
		}
		if a != lazy.C {
			if measured(d.Meta.Scale[a]) {
				x.Unit = map[string]string{"um": "micrometer", "s": "second"}[d.Meta.Unit[a]]
			} else {
				o.Unknown = append(o.Unknown, a.String())
			}
		}
		m.Axes = append(m.Axes, x)
	}
	for _, l := range levels {
		m.Datasets = append(m.Datasets, dataset{l.path, transformFor(d.Meta, l)})
	}
	if len(levels) > 1 {
		m.Type = "mean"
		if d.Meta.Labels {
			m.Type = "mode"
		}
	}
	return image{Multiscales: []written{m}, Omero: o.display(d)}
}

// measured reports whether a voxel has a size along an axis.
func measured(step float64) bool { return step > 0 && finite(step) }

// transformFor is the scale of a level, and where its first voxel lies if that is not at 0.
func transformFor(m lazy.Meta, l level) []map[string]any {
	var scale, translation []float64
	shifted := false
	for _, a := range stored {
		step, origin := m.Scale[a], m.Origin[a]
		if !measured(step) || a == lazy.C {
			step, origin = 1, 0
		}
		if !finite(origin) {
			origin = 0
		}
		f := float64(l.Factor[a])
		origin += (f - 1) / 2 * step
		scale, translation = append(scale, f*step), append(translation, origin)
		shifted = shifted || origin != 0
	}
	transform := []map[string]any{{"type": "scale", "scale": scale}}
	if shifted {
		transform = append(transform, map[string]any{"type": "translation", "translation": translation})
	}
	return transform
}

// display says how the channels are named and shown; the samples of a colour picture are red, green and blue.
// The schema demands a colour and a window of every channel: those that are not known are white, and the range
// of the type.
func (o *own) display(d loaders.Description) *display {
	channels := d.Channels
	if d.RGB && len(channels) == 0 {
		for i := range d.Meta.Shape[lazy.C] {
			c := [...]lazy.Channel{{Name: "red", Color: "#ff0000"}, {Name: "green", Color: "#00ff00"}, {Name: "blue", Color: "#0000ff"}, {Name: "alpha"}}[i%4]
			channels = append(channels, c)
		}
	}
	if len(channels) == 0 {
		return nil
	}
	out := &display{Name: d.Name}
	for i, c := range channels {
		w := channel{Active: true, Label: c.Name, Color: strings.ToUpper(strings.TrimPrefix(c.Color, "#")), Window: window{0, 1, 0, 1}}
		if !hexColor.MatchString(w.Color) {
			w.Color = "FFFFFF"
			o.Unknown = append(o.Unknown, fmt.Sprintf("color %d", i))
		}
		l := c.Limits
		known := l != nil && finite(l[0]) && finite(l[1]) && l[0] < l[1]
		if !d.Meta.DType.Float() {
			w.Window.Min, w.Window.Max = d.Meta.DType.Range()
			w.Window.Start, w.Window.End = w.Window.Min, w.Window.Max
		} else if known {
			w.Window.Min, w.Window.Max = l[0], l[1]
		}
		if known {
			w.Window.Start, w.Window.End = l[0], l[1]
		} else {
			o.Unknown = append(o.Unknown, fmt.Sprintf("window %d", i))
		}
		out.Channels = append(out.Channels, w)
	}
	return out
}
