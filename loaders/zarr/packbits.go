package zarr

import (
	"encoding/json"
	"fmt"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// toBytes are the codecs from an array to bytes, of which each chain has one.
var toBytes = map[string]bool{"bytes": true, "sharding_indexed": true, "packbits": true}

// element is the element of a data type of Zarr v3. Integers of 2 and 4 bits become those of 8; few is how many
// bits they have, 0 for all others.
func element(name string) (e codec.Element, few int, err error) {
	switch name {
	case "uint2", "uint4", "int2", "int4":
		few = int(name[len(name)-1] - '0')
		name = name[:len(name)-1] + "8"
	}
	e, err = codec.NewElement(name, native)
	return e, few, err
}

// packedStep reads the parameters of the codec packbits (zarr-extensions), which keeps the bits from first_bit to
// last_bit of each value.
func packedStep(config json.RawMessage, e codec.Element, few int) (step, error) {
	var c struct {
		Padding string `json:"padding_encoding"`
		First   *int   `json:"first_bit"`
		Last    *int   `json:"last_bit"`
	}
	if len(config) > 0 {
		if err := decode(config, &c); err != nil {
			return step{}, err
		}
	}
	all := 8 * e.Size
	switch {
	case e.Bool:
		all = 1
	case few > 0:
		all = few
	}
	first, last := 0, all-1
	if c.First != nil {
		first = *c.First
	}
	if c.Last != nil {
		last = *c.Last
	}
	if first < 0 || last < first || last >= all {
		return step{}, fmt.Errorf("packbits of bits %d to %d of %d: %w", first, last, all, loaders.ErrDamaged)
	}
	before, behind := 0, 0 // bytes that count the bits that are left over
	switch c.Padding {
	case "", "none":
	case "first_byte":
		before = 1
	case "last_byte":
		behind = 1
	default:
		return step{}, unsupported("packbits with padding_encoding %q", c.Padding)
	}
	k, signed := last-first+1, !e.Bool && !e.Half && (e.DType == lazy.I8 || e.DType == lazy.I16 || e.DType == lazy.I32)
	return step{
		name:   "packbits",
		before: func(n int) int { return before + (n/e.Size*k+7)/8 + behind },
		filter: func(dst, src []byte) error {
			return codec.PackedBits(dst, src[before:len(src)-behind], e.Size, k, first, signed)
		},
	}, nil
}
