package n5

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// An array is the attributes of one array, as far as its voxels need them. Lengths are by dimension,
// slowest first: the reverse of how N5 lists them.
type array struct {
	path    string // place in the store
	key     string // of its attributes
	file    string // identity of the object that holds them
	id      string // that identity, and the attributes
	shape   []int64
	block   []int
	element codec.Element
	codec   string
	unpack  func(dst, src []byte) (int, error) // nil if blocks are stored as they are
}

// unpackers are the compressions of N5 and of its extensions (n5-blosc, n5-zstandard) by type.
var unpackers = map[string]func(dst, src []byte) (int, error){
	"gzip": codec.Gzip, "bzip2": codec.Bz2, "lz4": lz4, "xz": codec.XZ,
	"blosc": codec.Blosc, "zstd": codec.Zstd, "zstandard": codec.Zstd,
}

// lz4 reads the blocks of lz4-java, as N5 has them, and what zarr-python writes into an N5 of this type instead.
func lz4(dst, src []byte) (int, error) {
	if len(src) > 0 && !bytes.HasPrefix(src, []byte("LZ4Block")) {
		return codec.LZ4(dst, src)
	}
	return codec.LZ4Java(dst, src)
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrUnsupported)
}

// Most bytes of a block, which is decoded whole; and more than large ones have that lie mostly in
// the array.
const (
	maxBlock = 1<<31 - 1
	largeOne = 64 << 20
)

// parseArray reads the attributes dimensions, blockSize, dataType and compression.
func parseArray(n node) (*array, error) {
	a := &array{}
	var block []int64
	var kind string
	if !n.get("dimensions", &a.shape) || !n.get("blockSize", &block) || !n.get("dataType", &kind) {
		word := func(name string) string { return strings.Join(strings.Fields(string(n.attributes[name])), " ") }
		return nil, fmt.Errorf("dimensions %.80s, blockSize %.80s, dataType %.80s: %w", word("dimensions"), word("blockSize"), word("dataType"), loaders.ErrDamaged)
	}
	slices.Reverse(a.shape)
	slices.Reverse(block)
	if len(a.shape) == 0 || len(block) != len(a.shape) {
		return nil, fmt.Errorf("blocks of %d dimensions for an array of %d: %w", len(block), len(a.shape), loaders.ErrDamaged)
	}
	d, err := lazy.ParseDType(kind)
	if err != nil {
		return nil, unsupported("voxels of type %q", kind)
	}
	a.element = codec.Element{DType: d, Size: d.Size(), Order: binary.BigEndian}
	whole, inside := int64(a.element.Size), int64(a.element.Size)
	for d, b := range block {
		if b < 1 || a.shape[d] < 0 {
			return nil, fmt.Errorf("blocks of %v in an array of %v: %w", block, a.shape, loaders.ErrDamaged)
		}
		if b > math.MaxInt32 || whole > maxBlock/b {
			return nil, unsupported("one block holds more than 2 GiB (shape %v)", block)
		}
		whole *= b
		inside *= min(b, max(1, a.shape[d]))
		a.block = append(a.block, int(b))
	}
	if whole > largeOne && inside < whole/16 {
		return nil, unsupported("blocks of shape %v for an array of shape %v", block, a.shape)
	}
	return a, a.compression(n)
}

// compression finds the codec. Versions before 2 of N5 name it by "compressionType".
func (a *array) compression(n node) error {
	var c struct {
		Type    string
		UseZlib bool   `json:"useZlib"`
		CName   string `json:"cname"`
	}
	if !n.get("compressionType", &c.Type) || n.attributes["compression"] != nil {
		text := n.attributes["compression"]
		if json.Unmarshal(text, &c) != nil && json.Unmarshal(text, &c.Type) != nil {
			return fmt.Errorf("compression %.80q: %w", text, loaders.ErrDamaged)
		}
	}
	a.codec = c.Type
	switch {
	case c.Type == "raw" || c.Type == "":
		a.codec = "raw"
	case c.Type == "gzip" && c.UseZlib:
		a.unpack, a.codec = codec.Zlib, "zlib"
	case unpackers[c.Type] != nil:
		a.unpack = unpackers[c.Type]
		if c.CName != "" {
			a.codec += "-" + c.CName
		}
	default:
		return unsupported("the compression %q", c.Type)
	}
	return nil
}

// level makes the level of an image that an array is.
func (o *opening) level(a *array, axes loaders.Axes, place placement) (lazy.Level, error) {
	shape, err := axes.Shape(a.shape)
	if err != nil {
		return lazy.Level{}, err
	}
	chunk := lazy.Shape{1, 1, 1, 1, 1}
	for d, n := range a.block {
		chunk[axes[d]] = n
	}
	m := lazy.Meta{
		Shape: shape, Chunk: chunk, DType: a.element.DType,
		Scale: place.scale, Unit: place.unit, Origin: place.origin,
	}
	s := &source{array: a, store: o.store, axes: axes, meta: m}
	return lazy.Level{Array: lazy.FromSource(s), Path: a.path, Codec: a.codec}, nil
}
