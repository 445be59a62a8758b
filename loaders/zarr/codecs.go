package zarr

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// unpackers are the codecs from bytes to bytes, by the name that Zarr v2 and numcodecs give them.
var unpackers = map[string]func(dst, src []byte) (int, error){
	"blosc": codec.Blosc, "zstd": codec.Zstd, "gzip": codec.Gzip, "zlib": codec.Zlib,
	"lz4": codec.LZ4, "bz2": codec.Bz2,
}

// trailing and leading are checksums behind and in front of the bytes.
var (
	trailing = map[string]func([]byte) uint32{"crc32c": codec.CRC32C, "fletcher32": codec.Fletcher32}
	leading  = map[string]func([]byte) uint32{"crc32": codec.CRC32, "adler32": codec.Adler32}
)

// settings are the parameters of all codecs that have some.
type settings struct {
	CName       string  `json:"cname"`
	ElementSize int     `json:"elementsize"`
	DType       string  `json:"dtype"`
	AsType      string  `json:"astype"`
	Encoded     string  `json:"encode_dtype"`
	Decoded     string  `json:"decode_dtype"`
	Scale       float64 `json:"scale"`
	Offset      float64 `json:"offset"`
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrUnsupported)
}

// stepFor is the step that undoes a codec of this name. Names of Zarr v3 may have "numcodecs." in
// front.
func stepFor(name string, config json.RawMessage) (step, error) {
	name = strings.TrimPrefix(name, "numcodecs.")
	var s settings
	if len(config) > 0 {
		if err := json.Unmarshal(config, &s); err != nil {
			return step{}, fmt.Errorf("parameters of codec %s: %w: %w", name, err, loaders.ErrDamaged)
		}
	}
	if f := unpackers[name]; f != nil {
		blocks := name == "blosc"
		if blocks && s.CName != "" {
			name += "-" + s.CName
		}
		return step{name: name, unpack: f, blocks: blocks}, nil
	}
	four := func(n int) int { return n + 4 }
	if sum := trailing[name]; sum != nil {
		return step{name: name, before: four, strip: func(p []byte) ([]byte, error) { return codec.TrailingSum(p, sum) }}, nil
	}
	if sum := leading[name]; sum != nil {
		return step{name: name, before: four, strip: func(p []byte) ([]byte, error) { return codec.LeadingSum(p, sum) }}, nil
	}
	same := func(n int) int { return n }
	switch name {
	case "shuffle":
		size := s.ElementSize
		if size < 1 || size > 1<<16 {
			return step{}, unsupported("shuffle of elements of %d bytes", size)
		}
		return step{name: name, before: same, filter: func(dst, src []byte) error {
			codec.Unshuffle(dst, src, size)
			return nil
		}}, nil
	case "delta":
		return deltaStep(s)
	case "fixedscaleoffset":
		return scaleStep(s)
	case "lzma":
		return lzmaStep(config)
	case "astype":
		s.DType, s.AsType = s.Decoded, s.Encoded
		return typeStep(name, s)
	case "bitround", "quantize":
		// Both only rounded the values before they were packed.
		if s.AsType != "" && s.AsType != s.DType {
			return typeStep(name, s)
		}
		return step{name: name, before: same, strip: func(p []byte) ([]byte, error) { return p, nil }}, nil
	case "packbits":
		return step{
			name:   name,
			before: func(n int) int { return 1 + (n+7)/8 },
			filter: func(dst, src []byte) error {
				n, err := codec.PackedBools(dst, src)
				if err == nil && n != len(dst) {
					err = errSize
				}
				return err
			},
		}, nil
	}
	return step{}, unsupported("the codec %q", name)
}

// elements reads the two types of a filter: of its result, and of what was stored.
func (s settings) elements() (to, from codec.Element, err error) {
	if s.AsType == "" {
		s.AsType = s.DType
	}
	parse := func(text string) codec.Element {
		e, no := codec.ParseTypestr(text)
		if no != nil {
			if e, no = codec.NewElement(text, native); no != nil {
				err = errors.Join(err, no)
			}
		}
		if e.Half {
			err = errors.Join(err, errors.New("it works on float16"))
		}
		return e
	}
	to, from = parse(s.DType), parse(s.AsType)
	return to, from, err
}

func deltaStep(s settings) (step, error) {
	plain, err := typeStep("delta", s)
	if err != nil {
		return step{}, err
	}
	to, _, _ := s.elements()
	convert := plain.filter
	plain.filter = func(dst, src []byte) error {
		if err := convert(dst, src); err != nil {
			return err
		}
		codec.Native(dst, to.Size, to.Order)
		codec.Undelta(dst, to.DType)
		codec.Native(dst, to.Size, to.Order)
		return nil
	}
	return plain, nil
}

// typeStep turns values of the type that is stored into those of the filter's own type.
func typeStep(name string, s settings) (step, error) {
	to, from, err := s.elements()
	if err != nil {
		return step{}, unsupported("the codec %s from %q to %q", name, s.AsType, s.DType)
	}
	return step{name: name, before: func(n int) int { return n / to.Size * from.Size }, filter: func(dst, src []byte) error {
		if to == from {
			copy(dst, src)
			return nil
		}
		codec.Native(src, from.Size, from.Order)
		err := codec.Convert(dst, to.DType, src, from.DType)
		codec.Native(dst, to.Size, to.Order)
		return err
	}}, nil
}

// lzmaStep reads the parameters of numcodecs' lzma, which are those of Python's module lzma.
func lzmaStep(config json.RawMessage) (step, error) {
	var c struct {
		Format  int `json:"format"`
		Filters []struct {
			ID   uint64 `json:"id"`
			Dist int    `json:"dist"`
			LC   *byte  `json:"lc"`
			LP   byte   `json:"lp"`
			PB   *byte  `json:"pb"`
		} `json:"filters"`
	}
	if len(config) > 0 {
		if err := decode(config, &c); err != nil {
			return step{}, err
		}
	}
	var old bool
	var distance int
	lc, lp, pb := byte(3), byte(0), byte(2)
	for i, f := range c.Filters {
		last := i == len(c.Filters)-1
		switch {
		case c.Format != 3: // the stream tells
		case f.ID == 3 && i == 0 && !last:
			distance = max(1, f.Dist)
		case f.ID == 0x21 && last:
		case f.ID == 0x4000000000000001 && last:
			old, lp = true, f.LP
			if f.LC != nil {
				lc = *f.LC
			}
			if f.PB != nil {
				pb = *f.PB
			}
		default:
			return step{}, unsupported("lzma with the filter %#x", f.ID)
		}
	}
	if c.Format < 0 || c.Format > 3 || lc > 8 || lp > 4 || pb > 4 || c.Format == 3 && len(c.Filters) == 0 {
		return step{}, unsupported("lzma of format %d", c.Format)
	}
	return step{name: "lzma", unpack: func(dst, src []byte) (int, error) {
		return codec.LZMA(dst, src, c.Format, old, lc+9*(lp+5*pb), distance)
	}}, nil
}

func scaleStep(s settings) (step, error) {
	to, from, err := s.elements()
	if err != nil || s.Scale == 0 {
		return step{}, unsupported("the codec fixedscaleoffset from %q to %q by %v", s.AsType, s.DType, s.Scale)
	}
	return step{
		name:   "fixedscaleoffset",
		before: func(n int) int { return n / to.Size * from.Size },
		filter: func(dst, src []byte) error {
			codec.Native(src, from.Size, from.Order)
			err := codec.Unscale(dst, to.DType, src, from.DType, s.Scale, s.Offset)
			codec.Native(dst, to.Size, to.Order)
			return err
		},
	}, nil
}

// reorder physically undoes a transposition of values of some bytes, which is needed only when a
// filter that follows depends on their order. shape and order are those of the values once they are
// in order: dimension order[i] was stored as dimension i.
func reorder(shape []int, order []int, e lazy.DType) step {
	axes := loaders.Axes{lazy.T, lazy.Z, lazy.C, lazy.Y, lazy.X}[lazy.Rank-len(shape):]
	full := lazy.Shape{1, 1, 1, 1, 1}
	stored := make(loaders.Axes, len(order))
	for i, n := range shape {
		full[axes[i]] = n
		stored[i] = axes[order[i]]
	}
	return step{name: "transpose", before: func(n int) int { return n }, filter: func(dst, src []byte) error {
		b := lazy.NewBlock(full.Whole(), e)
		loaders.Strided{Stride: stored.Strides(full)}.Load(b, b.Region, src)
		copy(dst, b.Bytes())
		return nil
	}}
}
