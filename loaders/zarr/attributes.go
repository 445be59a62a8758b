package zarr

import (
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// attributes is the .zattrs object of an image (NGFF 0.4), and how its voxels were made.
type attributes struct {
	Multiscales []written `json:"multiscales"`
	Omero       *display  `json:"omero,omitempty"`
	Labels      *struct {
		Version string `json:"version"`
	} `json:"image-label,omitempty"`
	Recipe *recipe `json:"lamella,omitempty"`
}

type written struct {
	Version  string    `json:"version"`
	Name     string    `json:"name"`
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
	Version  string    `json:"version"`
	Name     string    `json:"name"`
	Channels []channel `json:"channels"`
}

type channel struct {
	Active bool    `json:"active"`
	Label  string  `json:"label"`
	Color  string  `json:"color,omitempty"`
	Window *window `json:"window,omitempty"`
}

type window struct {
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// recipe is what NGFF has no place for.
type recipe struct {
	Source  string `json:"source,omitempty"`
	Chain   string `json:"chain,omitempty"`
	Version string `json:"version,omitempty"`
	RGB     bool   `json:"rgb,omitempty"`
}

// attributesFor states what is known. A length that is not known is 1 without a unit, since NGFF
// leaves none out.
func attributesFor(d loaders.Description) attributes {
	const version = "0.4"
	m := d.Meta
	var axes []axis
	var scale, translation []float64
	shifted := false
	for _, a := range stored {
		x := axis{Name: a.String(), Type: "space"}
		switch a {
		case lazy.T:
			x.Type = "time"
		case lazy.C:
			x.Type = "channel"
		}
		step, origin := m.Scale[a], m.Origin[a]
		if step <= 0 || a == lazy.C {
			step, origin = 1, 0
		} else {
			x.Unit = map[string]string{"um": "micrometer", "s": "second"}[m.Unit[a]]
		}
		axes = append(axes, x)
		scale, translation = append(scale, step), append(translation, origin)
		shifted = shifted || origin != 0
	}
	transform := []map[string]any{{"type": "scale", "scale": scale}}
	if shifted {
		transform = append(transform, map[string]any{"type": "translation", "translation": translation})
	}
	out := attributes{
		Multiscales: []written{{Version: version, Name: d.Name, Axes: axes, Datasets: []dataset{{"0", transform}}}},
		Omero:       displayFor(d, version),
	}
	if m.Labels {
		out.Labels = &struct {
			Version string `json:"version"`
		}{version}
	}
	if r := (recipe{d.Recipe.Source, d.Recipe.Chain, d.Recipe.Version, d.RGB}); r != (recipe{}) {
		out.Recipe = &r
	}
	return out
}

// displayFor says how the channels are named and shown; the samples of a colour picture are red,
// green and blue.
func displayFor(d loaders.Description, version string) *display {
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
	out := &display{Version: version, Name: d.Name}
	for _, c := range channels {
		w := channel{Active: true, Label: c.Name, Color: strings.ToUpper(strings.TrimPrefix(c.Color, "#"))}
		if l := c.Limits; l != nil && finite(l[0]) && finite(l[1]) {
			w.Window = &window{Min: l[0], Max: l[1], Start: l[0], End: l[1]}
			if !d.Meta.DType.Float() {
				w.Window.Min, w.Window.Max = d.Meta.DType.Range()
			}
		}
		out.Channels = append(out.Channels, w)
	}
	return out
}
