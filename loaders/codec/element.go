package codec

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"lamella/lazy"
)

// An Element says how one voxel is stored and which type it gets in memory.
type Element struct {
	DType lazy.DType // in memory
	Size  int        // bytes in the file
	Order binary.ByteOrder
	Half  bool // float16, which becomes float32
	Bool  bool // any value but 0 is true, which becomes 1
}

// NewElement is the element of a type name as NumPy and Zarr v3 spell it: uint8 ... float64, bool, float16.
func NewElement(name string, order binary.ByteOrder) (Element, error) {
	switch name {
	case "bool":
		return Element{DType: lazy.U8, Size: 1, Order: order, Bool: true}, nil
	case "float16":
		return Element{DType: lazy.F32, Size: 2, Order: order, Half: true}, nil
	}
	d, err := lazy.ParseDType(name)
	if err != nil {
		return Element{}, fmt.Errorf("voxels of type %q cannot be shown", name)
	}
	return Element{DType: d, Size: d.Size(), Order: order}, nil
}

// ParseTypestr reads NumPy's array protocol string, such as "<u2", ">f8" or "|b1". Types that are
// not numbers, and complex ones, are refused by name.
func ParseTypestr(s string) (Element, error) {
	if len(s) < 2 {
		return Element{}, fmt.Errorf("%q is not a type", s)
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch s[0] {
	case '>':
		order = binary.BigEndian
	case '<', '|':
	case '=':
		return Element{}, fmt.Errorf("type %q does not say its byte order", s)
	default:
		return Element{}, fmt.Errorf("%q is not a type", s)
	}
	kinds := map[byte]string{
		'c': "complex numbers", 'O': "Python objects", 'S': "texts", 'a': "texts", 'U': "texts", 'T': "texts",
		'V': "records", 'M': "dates", 'm': "durations", 't': "bit fields",
	}
	if what, ok := kinds[s[1]]; ok {
		return Element{}, fmt.Errorf("it holds %s (type %q)", what, s)
	}
	n, err := strconv.Atoi(s[2:])
	name, ok := map[byte]string{'u': "uint", 'i': "int", 'f': "float", 'b': "bool"}[s[1]]
	if err != nil || !ok || n < 1 || n > 64 || strconv.Itoa(n) != s[2:] {
		return Element{}, fmt.Errorf("%q is not a type", s)
	}
	if s[0] == '|' && n > 1 {
		return Element{}, fmt.Errorf("type %q does not say its byte order", s)
	}
	if name != "bool" {
		name += strconv.Itoa(8 * n)
	} else if n != 1 {
		return Element{}, fmt.Errorf("%q is not a type", s)
	}
	return NewElement(name, order)
}

// Plain reports whether stored voxels are those in memory, byte by byte.
func (e Element) Plain() bool {
	return !e.Half && !e.Bool && (e.Size == 1 || !e.swapped())
}

func (e Element) swapped() bool {
	probe := []byte{1, 0}
	return e.Size > 1 && e.Order.Uint16(probe) != binary.NativeEndian.Uint16(probe)
}

// Decode turns stored voxels into those in memory. dst and src may be the same bytes when both are as
// long; src is changed when it has to be swapped first.
func (e Element) Decode(dst, src []byte) {
	if e.swapped() {
		Swap(src, e.Size)
	}
	switch {
	case e.Half:
		Half(dst, src)
	case e.Bool:
		for i, v := range src {
			dst[i] = 0
			if v != 0 {
				dst[i] = 1
			}
		}
	case len(src) > 0 && &dst[0] != &src[0]:
		copy(dst, src)
	}
}
