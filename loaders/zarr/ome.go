package zarr

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// ome is what OME-Zarr writes into the attributes of a group: under "ome" from version 0.5 on, beside
// the other attributes before.
type ome struct {
	Version     any                     `json:"version"`
	Multiscales []multiscale            `json:"multiscales"`
	Own         own                     `json:"lamella"` // beside "ome"
	Omero       *omero                  `json:"omero"`
	Labels      []string                `json:"labels"`
	ImageLabel  json.RawMessage         `json:"image-label"`
	Plate       *struct{ Wells []ref }  `json:"plate"`
	Well        *struct{ Images []ref } `json:"well"`
	Layout      json.RawMessage         `json:"bioformats2raw.layout"`
	Series      []string                `json:"series"`
}

// A ref names a place by its path below the group.
type ref struct{ Path string }

// A multiscale is one image: its resolutions, and what its dimensions are.
type multiscale struct {
	Name    string            `json:"name"`
	Axes    []json.RawMessage `json:"axes"` // names (0.3), or objects (0.4 and later)
	Systems []struct {
		Axes []json.RawMessage `json:"axes"`
	} `json:"coordinateSystems"` // 0.6
	Datasets []struct {
		Path      string      `json:"path"`
		Transform []transform `json:"coordinateTransformations"`
	} `json:"datasets"`
	Transform []transform `json:"coordinateTransformations"`
	Metadata  struct {
		Omero *omero `json:"omero"`
	} `json:"metadata"`

	axes  loaders.Axes // filled in by resolve
	units []string
	own   own // of the group
}

// omero is how the channels are named and shown.
type omero struct {
	Channels []struct {
		Label  any    `json:"label"`
		Color  string `json:"color"`
		Window *struct {
			Start *float64 `json:"start"`
			End   *float64 `json:"end"`
		} `json:"window"`
	} `json:"channels"`
}

// parseOME reads the attributes of a group. Attributes that are not OME's, or not as they should be,
// give nothing: the arrays below are shown without them.
func parseOME(attributes json.RawMessage) (ome, error) {
	var o ome
	if attributes == nil {
		return o, nil
	}
	var wrapped struct {
		OME     json.RawMessage
		Lamella own
	}
	inside := json.Unmarshal(attributes, &wrapped) == nil && len(wrapped.OME) > 0
	if inside {
		attributes = wrapped.OME
	}
	err := json.Unmarshal(attributes, &o)
	if inside {
		o.Own = wrapped.Lamella
	}
	return o, err
}

// resolve finds out which axis each of n dimensions is. user is the user's word, "" for the file's.
func (m *multiscale) resolve(n int, user string) (assumed string, err error) {
	list := m.Axes
	if len(list) == 0 && len(m.Systems) > 0 {
		list = m.Systems[0].Axes
	}
	m.units = make([]string, n)
	var names []string
	for i, text := range list {
		var a struct{ Name, Type, Unit string }
		if json.Unmarshal(text, &a.Name) != nil {
			if err := decode(text, &a); err != nil {
				return "", err
			}
		}
		if i < n {
			m.units[i] = a.Unit
		}
		names = append(names, axisName(a.Name, a.Type))
	}
	switch {
	case user != "":
		m.axes, err = loaders.ParseAxes(user, n)
	case len(names) == 0 && n == 5:
		m.axes, err = loaders.ParseAxes("tczyx", n) // what versions 0.1 and 0.2 prescribe
	case len(names) == 0:
		if m.axes, err = loaders.AssumeAxes(n); err == nil {
			assumed = m.axes.String()
		}
	case len(names) == n:
		m.axes, assumed, err = loaders.NamedAxes(names)
		for i, x := range m.axes {
			if strings.Contains(assumed, x.String()) { // micrometres are no time
				m.units[i] = ""
			}
		}
	default:
		return "", fmt.Errorf("%d axes are named, the array has %d: %w", len(names), n, loaders.ErrUnsupported)
	}
	return assumed, err
}

// axisName is the letter of an axis: by its name, or by its type when the name is another word.
func axisName(name, kind string) string {
	name = strings.ToLower(name)
	if len(name) == 1 && strings.Contains("tzcyx", name) {
		return name
	}
	switch kind {
	case "time":
		return "t"
	case "channel":
		return "c"
	}
	return name
}

var hexColor = regexp.MustCompile(`^#?([0-9a-fA-F]{6})([0-9a-fA-F]{2})?$`)

// channels gives one channel for each of n voxels along C, or none when the file says nothing of them.
func (o *omero) channels(n int, about own) []lazy.Channel {
	if o == nil || len(o.Channels) == 0 {
		return nil
	}
	out := make([]lazy.Channel, n)
	for i := range min(n, len(o.Channels)) {
		c := o.Channels[i]
		if c.Label != nil {
			out[i].Name = fmt.Sprint(c.Label)
		}
		if m := hexColor.FindStringSubmatch(c.Color); m != nil && !about.unknown("color %d", i) {
			out[i].Color = "#" + strings.ToLower(m[1])
		}
		if w := c.Window; w != nil && w.Start != nil && w.End != nil && *w.Start < *w.End && !about.unknown("window %d", i) {
			out[i].Limits = &[2]float64{*w.Start, *w.End}
		}
	}
	return out
}
