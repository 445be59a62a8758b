package zarr

import (
	"encoding/json"
	"fmt"
	"maps"
	"unicode/utf16"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// A form is how one version of OME-Zarr is written.
type form struct {
	version string
	pack    func(dst, src []byte) ([]byte, error)
	cname   string                   // of blosc, "" if chunks are stored as they are
	key     func(index []int) string // of a chunk
}

// formFor is the form that a layout asks for, of voxels of one type.
func formFor(l loaders.Layout, d lazy.DType) (form, error) {
	f := form{version: l.Version, cname: l.Compression}
	switch f.version {
	case "", "0.4":
		f.version = "0.4"
		f.key = keys{separator: "/"}.name
		if l.Shard != (lazy.Shape{}) {
			return f, unsupported("shards in OME-Zarr 0.4; version 0.5 has them")
		}
	case "0.5":
		f.key = keys{prefix: "c", separator: "/"}.name
	default:
		return f, unsupported("OME-Zarr %q; 0.4 and 0.5 can be written", f.version)
	}
	switch f.cname {
	case "":
		f.cname = "zstd"
	case "none":
		f.cname = ""
		f.pack = func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }
		return f, nil
	case "zstd", "lz4":
	default:
		return f, unsupported("the compression %q in OME-Zarr; zstd, lz4 and none can be written", f.cname)
	}
	f.pack = codec.BloscPacker{Codec: f.cname, TypeSize: d.Size()}.Pack
	return f, nil
}

// objects are the metadata of an image, by name.
func (f form) objects(d loaders.Description, levels []level) (map[string][]byte, error) {
	all := map[string]any{}
	if f.version == "0.5" {
		all["zarr.json"] = map[string]any{"zarr_format": 3, "node_type": "group", "attributes": attributesV3(d, levels)}
		for _, l := range levels {
			all[l.path+"/zarr.json"] = arrayV3(l, d.Meta.DType, f)
		}
	} else {
		objects := map[string]any{".zgroup": map[string]int{"zarr_format": 2}, ".zattrs": attributesV2(d, levels)}
		for _, l := range levels {
			objects[l.path+"/.zarray"] = arrayV2(l, d.Meta.DType, f)
		}
		maps.Copy(all, objects)
		// Readers over a network take everything from one object.
		all[".zmetadata"] = map[string]any{"zarr_consolidated_format": 1, "metadata": objects}
	}
	out := map[string][]byte{}
	for key, o := range all {
		text, err := json.MarshalIndent(o, "", "  ")
		if err != nil {
			return nil, err
		}
		out[key] = append(ascii(text), '\n')
	}
	return out, nil
}

// ascii writes letters outside ASCII as escapes: zarr-python takes consolidated metadata for ASCII.
func ascii(text []byte) []byte {
	var out []byte
	for _, r := range string(text) {
		if r < 0x80 {
			out = append(out, byte(r))
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, "\\u%04x", u)
		}
	}
	return out
}

// lengths puts those of axes into the order in which they are stored.
func lengths(s lazy.Shape) []int {
	var out []int
	for _, a := range stored {
		out = append(out, s[a])
	}
	return out
}

// A blosc is the parameters of blosc as both versions of Zarr write them, but for the shuffle.
type blosc struct {
	ID       string `json:"id,omitempty"`
	CName    string `json:"cname"`
	Level    int    `json:"clevel"`
	Shuffle  any    `json:"shuffle"`
	TypeSize int    `json:"typesize,omitempty"`
	Block    int    `json:"blocksize"`
}

// arrayV2 is the .zarray object of a level (Zarr storage specification, version 2).
func arrayV2(l level, d lazy.DType, f form) any {
	kind := "u"
	switch {
	case d.Float():
		kind = "f"
	case d == lazy.I8 || d == lazy.I16 || d == lazy.I32 || d == lazy.I64:
		kind = "i"
	}
	order := "<"
	if d.Size() == 1 {
		order = "|"
	}
	var compressor any
	if f.cname != "" {
		compressor = blosc{ID: "blosc", CName: f.cname, Level: 1, Shuffle: 1}
	}
	return struct {
		Format     int    `json:"zarr_format"`
		Shape      []int  `json:"shape"`
		Chunks     []int  `json:"chunks"`
		DType      string `json:"dtype"`
		Compressor any    `json:"compressor"`
		Fill       int    `json:"fill_value"`
		Order      string `json:"order"`
		Filters    []int  `json:"filters"`
		Separator  string `json:"dimension_separator"`
	}{2, lengths(l.Meta.Shape), lengths(l.chunk), fmt.Sprintf("%s%s%d", order, kind, d.Size()), compressor, 0, "C", nil, "/"}
}

// extension is a named part of Zarr v3 and its parameters.
type extension struct {
	Name   string `json:"name"`
	Config any    `json:"configuration,omitempty"`
}

// arrayV3 is the zarr.json object of a level (Zarr core specification, version 3).
func arrayV3(l level, d lazy.DType, f form) any {
	codecs := []extension{{"bytes", map[string]string{"endian": "little"}}}
	if d.Size() == 1 {
		codecs[0].Config = nil
	}
	if f.cname != "" {
		b := blosc{CName: f.cname, Level: 1, Shuffle: "noshuffle", TypeSize: d.Size()}
		if d.Size() > 1 {
			b.Shuffle = "shuffle"
		}
		codecs = append(codecs, extension{"blosc", b})
	}
	if l.sharded() {
		codecs = []extension{{"sharding_indexed", struct {
			Chunk    []int       `json:"chunk_shape"`
			Codecs   []extension `json:"codecs"`
			Index    []extension `json:"index_codecs"`
			Location string      `json:"index_location"`
		}{lengths(l.chunk), codecs, []extension{{"bytes", map[string]string{"endian": "little"}}, {Name: "crc32c"}}, "end"}}}
	}
	var names []string
	for _, a := range stored {
		names = append(names, a.String())
	}
	return struct {
		Format     int         `json:"zarr_format"`
		Node       string      `json:"node_type"`
		Shape      []int       `json:"shape"`
		Type       string      `json:"data_type"`
		Grid       extension   `json:"chunk_grid"`
		Keys       extension   `json:"chunk_key_encoding"`
		Fill       int         `json:"fill_value"`
		Codecs     []extension `json:"codecs"`
		Dimensions []string    `json:"dimension_names"`
		Attributes struct{}    `json:"attributes"`
	}{
		3, "array", lengths(l.Meta.Shape), d.String(), extension{"regular", map[string][]int{"chunk_shape": lengths(l.shard())}},
		extension{"default", map[string]string{"separator": "/"}}, 0, codecs, names, struct{}{},
	}
}
