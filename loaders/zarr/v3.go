package zarr

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// A named is an extension point of Zarr v3: a name alone, or a name with its parameters.
type named struct {
	Name   string          `json:"name"`
	Config json.RawMessage `json:"configuration"`
}

func (n *named) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &n.Name)
	}
	type plain named
	return json.Unmarshal(text, (*plain)(n))
}

// parseV3 reads the zarr.json of an array (Zarr core specification, version 3).
func parseV3(text []byte) (*array, error) {
	var m struct {
		Shape      []int64         `json:"shape"`
		Type       json.RawMessage `json:"data_type"`
		Grid       named           `json:"chunk_grid"`
		Keys       named           `json:"chunk_key_encoding"`
		Fill       json.RawMessage `json:"fill_value"`
		Codecs     []named         `json:"codecs"`
		Transform  []named         `json:"storage_transformers"`
		Dimensions []*string       `json:"dimension_names"`
	}
	if err := decode(text, &m); err != nil {
		return nil, err
	}
	if err := understood(text); err != nil {
		return nil, err
	}
	if len(m.Transform) > 0 {
		return nil, unsupported("the storage transformer %q", m.Transform[0].Name)
	}
	var dtype named
	if err := decode(m.Type, &dtype); err != nil {
		return nil, err
	}
	a := &array{shape: m.Shape}
	var err error
	if a.element, a.few, err = element(dtype.Name); err != nil {
		return nil, unsupported("%v", err)
	}
	var grid struct {
		Shape []int64 `json:"chunk_shape"`
	}
	if m.Grid.Name != "regular" {
		return nil, unsupported("the chunk grid %q", m.Grid.Name)
	}
	if err := decode(m.Grid.Config, &grid); err != nil {
		return nil, err
	}
	if err := a.setGrid(grid.Shape); err != nil {
		return nil, err
	}
	if a.key, err = parseKeys(m.Keys); err != nil {
		return nil, err
	}
	if a.fill, err = parseFill(m.Fill, a.element); err != nil {
		return nil, err
	}
	for _, d := range m.Dimensions {
		if d == nil {
			a.names = nil
			break
		}
		a.names = append(a.names, *d)
	}
	names, err := a.parseCodecs(m.Codecs)
	if err != nil {
		return nil, err
	}
	a.steps.name = chainName(names)
	return a, a.checkChunk()
}

// understood refuses members that the specification asks a reader to refuse when it does not know them.
func understood(text []byte) error {
	known := []string{
		"zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding", "fill_value", "codecs",
		"attributes", "storage_transformers", "dimension_names", "consolidated_metadata",
	}
	var all map[string]json.RawMessage
	if err := decode(text, &all); err != nil {
		return err
	}
	for name, value := range all {
		var m struct {
			Must *bool `json:"must_understand"`
		}
		if slices.Contains(known, name) || json.Unmarshal(value, &m) == nil && m.Must != nil && !*m.Must {
			continue
		}
		return unsupported("the extension %q", name)
	}
	return nil
}

func parseKeys(n named) (keys, error) {
	var c struct {
		Separator string `json:"separator"`
	}
	if len(n.Config) > 0 {
		if err := decode(n.Config, &c); err != nil {
			return keys{}, err
		}
	}
	k := keys{prefix: "c", separator: "/"}
	switch n.Name {
	case "default":
	case "v2":
		k = keys{separator: "."}
	default:
		return k, unsupported("the chunk key encoding %q", n.Name)
	}
	switch c.Separator {
	case "":
	case ".", "/":
		k.separator = c.Separator
	default:
		return k, fmt.Errorf("separator %q of chunk keys: %w", c.Separator, loaders.ErrDamaged)
	}
	return k, nil
}

// parseCodecs reads one chain of codecs: some from array to array, one from array to bytes, some from
// bytes to bytes. A chunk of the array has the shape inner and its dimensions the order order, which
// transpositions and sharding change. It gives the names of what packs the voxels.
func (a *array) parseCodecs(chain []named) (names []string, err error) {
	// orders[i] is the order of the dimensions before the filter i; the last is that of the bytes.
	var filters []named
	var orders [][]int
	i := 0
	for ; i < len(chain) && !toBytes[chain[i].Name]; i++ {
		if chain[i].Name == "transpose" {
			if a.order, err = transposed(a.order, chain[i].Config); err != nil {
				return nil, err
			}
			continue
		}
		filters = append(filters, chain[i])
		orders = append(orders, a.order)
	}
	if i == len(chain) {
		for _, c := range chain {
			if _, err := stepFor(c.Name, c.Config); err != nil {
				return nil, err
			}
		}
		return nil, unsupported("a chain of codecs without bytes or sharding_indexed")
	}
	if chain[i].Name == "sharding_indexed" {
		if len(filters) > 0 {
			return nil, unsupported("the codec %q before sharding", filters[0].Name)
		}
		if i+1 < len(chain) {
			return nil, unsupported("the codec %q over whole shards", chain[i+1].Name)
		}
		return a.parseSharding(chain[i].Config)
	}
	stored := a.element
	for _, f := range filters {
		if stored, err = storedBy(f, stored); err != nil {
			return nil, err
		}
		names = append(names, f.Name)
	}
	endian := native
	if chain[i].Name != "packbits" {
		if endian, err = parseEndian(chain[i].Config, stored.Size); err != nil {
			return nil, err
		}
	}
	var steps []step
	for _, c := range slices.Backward(chain[i+1:]) {
		s, err := stepFor(c.Name, c.Config)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	for _, s := range slices.Backward(steps) {
		names = append(names, s.name)
	}
	if chain[i].Name == "packbits" {
		s, err := packedStep(chain[i].Config, stored, a.few)
		if err != nil {
			return nil, err
		}
		steps, names = append(steps, s), append(names, s.name)
	} else if a.few > 0 && a.element.DType == lazy.I8 {
		return nil, unsupported("signed values of %d bits in the codec bytes", a.few)
	}
	if len(filters) == 0 {
		a.element.Order = endian
		a.steps.steps = steps
		return names, nil
	}
	// Filters work on values, so these are brought into the machine's order and that of the filter.
	if endian != native && stored.Size > 1 {
		size := stored.Size
		steps = append(steps, step{name: "bytes", before: func(n int) int { return n }, filter: func(dst, src []byte) error {
			copy(dst, src)
			codec.Swap(dst, size)
			return nil
		}})
	}
	for k := len(filters) - 1; k >= 0; k-- {
		if !slices.Equal(orders[k], a.order) {
			if stored.Half {
				return nil, unsupported("transposed float16 behind the codec %q", filters[k].Name)
			}
			shape, order := make([]int, len(a.order)), make([]int, len(a.order))
			for i, d := range orders[k] {
				shape[i] = a.inner[d]
				order[slices.Index(a.order, d)] = i
			}
			steps = append(steps, reorder(shape, order, stored.DType))
			a.order = orders[k]
		}
		s, err := stepFor(filters[k].Name, filters[k].Config)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	a.steps.steps = steps
	return names, nil
}

// transposed is the order of dimensions after the codec transpose: dimension order[i] becomes
// dimension i. Older writers state "C" or "F".
func transposed(dims []int, config json.RawMessage) ([]int, error) {
	var c struct{ Order json.RawMessage }
	if err := decode(config, &c); err != nil {
		return nil, err
	}
	var word string
	if json.Unmarshal(c.Order, &word) == nil {
		out := slices.Clone(dims)
		switch word {
		case "F":
			slices.Reverse(out)
		case "C":
		default:
			return nil, fmt.Errorf("transpose by %q: %w", word, loaders.ErrDamaged)
		}
		return out, nil
	}
	var order []int
	if err := decode(c.Order, &order); err != nil {
		return nil, err
	}
	sorted := slices.Sorted(slices.Values(order))
	out := make([]int, len(order))
	for i, o := range order {
		if len(order) != len(dims) || sorted[i] != i {
			return nil, fmt.Errorf("transpose by %v: %w", order, loaders.ErrDamaged)
		}
		out[i] = dims[o]
	}
	return out, nil
}

// storedBy is the type of the values that a filter made of values of type e.
func storedBy(f named, e codec.Element) (codec.Element, error) {
	var s settings
	if len(f.Config) > 0 {
		if err := decode(f.Config, &s); err != nil {
			return e, err
		}
	}
	if s.DType == "" && s.AsType == "" {
		return e, nil
	}
	_, from, err := s.elements()
	if err != nil {
		return e, unsupported("the codec %q: %v", f.Name, err)
	}
	return from, nil
}

func parseEndian(config json.RawMessage, size int) (binary.ByteOrder, error) {
	var c struct{ Endian string }
	if len(config) > 0 {
		if err := decode(config, &c); err != nil {
			return nil, err
		}
	}
	switch {
	case c.Endian == "big":
		return binary.BigEndian, nil
	case c.Endian == "little" || c.Endian == "" && size == 1:
		return binary.LittleEndian, nil
	}
	return nil, fmt.Errorf("the codec bytes with endian %q for values of %d bytes: %w", c.Endian, size, loaders.ErrDamaged)
}

// parseSharding reads the parameters of sharding_indexed and the chain of codecs within.
func (a *array) parseSharding(config json.RawMessage) ([]string, error) {
	var c struct {
		Shape    []int   `json:"chunk_shape"`
		Codecs   []named `json:"codecs"`
		Index    []named `json:"index_codecs"`
		Location string  `json:"index_location"`
	}
	if err := decode(config, &c); err != nil {
		return nil, err
	}
	s := shard{cells: make([]int, len(a.inner)), order: a.order}
	switch c.Location {
	case "", "end":
	case "start":
		s.atStart = true
	default:
		return nil, fmt.Errorf("index_location %q: %w", c.Location, loaders.ErrDamaged)
	}
	if len(a.shards) > 3 || len(c.Shape) != len(a.inner) {
		return nil, fmt.Errorf("shards of shape %v at depth %d: %w", c.Shape, len(a.shards), loaders.ErrDamaged)
	}
	inner := make([]int, len(a.inner))
	for i, n := range c.Shape {
		d := a.order[i]
		if n < 1 || a.inner[d]%n != 0 {
			return nil, fmt.Errorf("inner chunks of shape %v do not divide %v: %w", c.Shape, a.inner, loaders.ErrDamaged)
		}
		inner[d], s.cells[d] = n, a.inner[d]/n
	}
	for i, x := range c.Index {
		switch {
		case i == 0 && x.Name == "bytes":
			var err error
			if s.endian, err = parseEndian(x.Config, 8); err != nil {
				return nil, err
			}
		case i == 1 && x.Name == "crc32c":
			s.crc = true
		default:
			return nil, unsupported("the codec %q of a shard index", x.Name)
		}
	}
	if s.endian == nil {
		return nil, unsupported("a shard index without the codec bytes")
	}
	for bytes, d := int64(16), 0; d < len(s.cells); d++ {
		if bytes *= int64(s.cells[d]); bytes > maxIndex {
			return nil, unsupported("a shard of more than %d inner chunks", maxIndex/16)
		}
	}
	a.inner, a.shards = inner, append(a.shards, s)
	names, err := a.parseCodecs(c.Codecs)
	return append([]string{"sharded"}, names...), err
}
