package zarr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lamella/loaders"
	"lamella/loaders/codec"
)

// parseV2 reads a .zarray object (Zarr storage specification, version 2). attributes may name the
// dimensions, as xarray does.
func parseV2(text, attributes []byte) (*array, error) {
	var m struct {
		Format     int               `json:"zarr_format"`
		Shape      []int64           `json:"shape"`
		Chunks     []int64           `json:"chunks"`
		DType      json.RawMessage   `json:"dtype"`
		Compressor json.RawMessage   `json:"compressor"`
		Fill       json.RawMessage   `json:"fill_value"`
		Order      string            `json:"order"`
		Filters    []json.RawMessage `json:"filters"`
		Separator  string            `json:"dimension_separator"`
	}
	if err := decode(text, &m); err != nil {
		return nil, err
	}
	if m.Format != 2 {
		return nil, unsupported("zarr_format %d in .zarray", m.Format)
	}
	var dtype string
	if json.Unmarshal(m.DType, &dtype) != nil {
		return nil, unsupported("it holds records")
	}
	a := &array{shape: m.Shape, key: keys{separator: "."}}
	var err error
	if a.element, err = codec.ParseTypestr(dtype); err != nil {
		return nil, unsupported("%v", err)
	}
	if err := a.setGrid(m.Chunks); err != nil {
		return nil, err
	}
	switch m.Order {
	case "C", "":
	case "F":
		slices.Reverse(a.order)
	default:
		return nil, fmt.Errorf("order %q: %w", m.Order, loaders.ErrDamaged)
	}
	switch m.Separator {
	case "":
	case ".", "/":
		a.key.separator = m.Separator
	default:
		return nil, fmt.Errorf("dimension_separator %q: %w", m.Separator, loaders.ErrDamaged)
	}
	if a.fill, err = parseFill(m.Fill, a.element); err != nil {
		return nil, err
	}
	chain := m.Filters
	if c := bytes.TrimSpace(m.Compressor); len(c) > 0 && string(c) != "null" {
		chain = append(chain, c)
	}
	var names []string
	for _, c := range chain {
		var id struct{ ID string }
		if err := decode(c, &id); err != nil {
			return nil, err
		}
		s, err := stepFor(id.ID, c)
		if err != nil {
			return nil, err
		}
		a.steps.steps = append(a.steps.steps, s)
		names = append(names, s.name)
	}
	slices.Reverse(a.steps.steps)
	a.steps.name = chainName(names)
	var extra struct {
		Dimensions []string `json:"_ARRAY_DIMENSIONS"`
	}
	if len(attributes) > 0 && json.Unmarshal(attributes, &extra) == nil {
		a.names = extra.Dimensions
	}
	return a, a.checkChunk()
}

func chainName(names []string) string {
	if len(names) == 0 {
		return "raw"
	}
	return strings.Join(names, "+")
}

// decode reads JSON and says in one line what is wrong with it.
func decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("the metadata cannot be read: %s: %w", loaders.ReasonJSON(err), loaders.ErrDamaged)
	}
	return nil
}
