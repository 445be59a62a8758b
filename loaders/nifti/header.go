package nifti

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"lamella/loaders"
)

// A header is what NIfTI-1 (nifti1.h), NIfTI-2 (nifti2.h) and Analyze 7.5 (dbh.h) say about voxels.
type header struct {
	format string // "nifti1", "nifti2" or "analyze"
	order  binary.ByteOrder
	pair   bool  // the voxels are in a file of their own
	size   int64 // of the header with its four bytes of extension flags, if it has them

	dims     []int64 // dim[1] to dim[dim[0]], fastest first
	pixdim   [8]float64
	datatype int
	bitpix   int
	offset   float64 // vox_offset
	slope    float64
	inter    float64
	lengths  string // unit of pixdim 1 to 3, "" if the file does not say
	times    string // unit of pixdim 4
	intent   int

	qform, sform int
	quatern      [3]float64
	qoffset      [3]float64
	srow         [3][4]float64
}

// need is how many bytes decide: a NIfTI-2 header and its extension flags.
const need = 544

// known tells by the first bytes which kind of header they are, "" for none, and their byte order.
//
// sizeof_hdr comes first in all of them, 348 or 540, and tells the order; the magic is at 344 (n+1, ni1)
// or at 4 (n+2, ni2 with the bytes of a line-end check behind). Analyze has none: there dim[0], the types and
// bits of a voxel have to agree.
func known(head []byte) (string, binary.ByteOrder) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch {
		case len(head) >= 348 && order.Uint32(head) == 348:
			if m := string(head[344:347]); m == "n+1" || m == "ni1" {
				return "nifti1", order
			}
			n, kind, bits := order.Uint16(head[40:]), int(order.Uint16(head[70:])), int(order.Uint16(head[72:]))
			if k, ok := kinds[kind]; n >= 1 && n <= 7 && ok && k.analyze && k.bits == bits {
				return "analyze", order
			}
		case len(head) >= 540 && order.Uint32(head) == 540:
			if m := head[4:7]; bytes.Equal(m, []byte("n+2")) || bytes.Equal(m, []byte("ni2")) {
				return "nifti2", order
			}
		}
	}
	return "", nil
}

// parse reads a header that known knows.
func parse(head []byte) (header, error) {
	h := header{}
	h.format, h.order = known(head)
	switch h.format {
	case "nifti1":
		h.one(head)
		h.pair = head[345] == 'i'
		h.size = 348
	case "nifti2":
		h.two(head)
		h.pair = head[5] == 'i'
		h.size = 540
	case "analyze":
		h.analyze(head)
		h.pair = true
		h.size = 348
	default:
		return h, fmt.Errorf("the header is neither NIfTI-1, NIfTI-2 nor Analyze 7.5: %w", loaders.ErrDamaged)
	}
	return h, h.check()
}

// one reads NIfTI-1; the comments are offsets of nifti1.h.
func (h *header) one(p []byte) {
	for i := range dimsOf(h.i16(p, 40)) {
		h.dims = append(h.dims, int64(h.i16(p, 42+2*i)))
	}
	h.intent = h.i16(p, 68)
	h.datatype, h.bitpix = h.i16(p, 70), h.i16(p, 72)
	for i := range h.pixdim {
		h.pixdim[i] = h.f32(p, 76+4*i)
	}
	h.offset, h.slope, h.inter = h.f32(p, 108), h.f32(p, 112), h.f32(p, 116)
	h.units(int(p[123]))
	h.qform, h.sform = h.i16(p, 252), h.i16(p, 254)
	for i := range 3 {
		h.quatern[i], h.qoffset[i] = h.f32(p, 256+4*i), h.f32(p, 268+4*i)
		for j := range 4 {
			h.srow[i][j] = h.f32(p, 280+16*i+4*j)
		}
	}
}

// two reads NIfTI-2; the comments are offsets of nifti2.h.
func (h *header) two(p []byte) {
	for i := range dimsOf(int(h.i64(p, 16))) {
		h.dims = append(h.dims, h.i64(p, 24+8*i))
	}
	h.intent = int(int32(h.order.Uint32(p[504:])))
	h.datatype, h.bitpix = h.i16(p, 12), h.i16(p, 14)
	for i := range h.pixdim {
		h.pixdim[i] = h.f64(p, 104+8*i)
	}
	h.offset, h.slope, h.inter = float64(h.i64(p, 168)), h.f64(p, 176), h.f64(p, 184)
	h.units(int(int32(h.order.Uint32(p[500:]))))
	h.qform, h.sform = int(int32(h.order.Uint32(p[344:]))), int(int32(h.order.Uint32(p[348:])))
	for i := range 3 {
		h.quatern[i], h.qoffset[i] = h.f64(p, 352+8*i), h.f64(p, 376+8*i)
		for j := range 4 {
			h.srow[i][j] = h.f64(p, 400+32*i+8*j)
		}
	}
}

// analyze reads Analyze 7.5, whose lengths have a unit in four letters and whose values no scale.
func (h *header) analyze(p []byte) {
	for i := range dimsOf(h.i16(p, 40)) {
		h.dims = append(h.dims, int64(h.i16(p, 42+2*i)))
	}
	h.lengths = strings.TrimRight(string(p[56:60]), " \x00")
	h.datatype, h.bitpix = h.i16(p, 70), h.i16(p, 72)
	for i := range h.pixdim {
		h.pixdim[i] = h.f32(p, 76+4*i)
	}
	h.offset = h.f32(p, 108)
}

// units takes xyzt_units apart: bits 0 to 2 are a length, bits 3 to 5 a time.
func (h *header) units(code int) {
	h.lengths = map[int]string{1: "m", 2: "mm", 3: "um"}[code&7]
	h.times = map[int]string{8: "s", 16: "ms", 24: "us"}[code&56]
}

// dimsOf is dim[0] when it can be a number of dimensions, else 0, which check refuses.
func dimsOf(n int) int {
	if n < 1 || n > 7 {
		return 0
	}
	return n
}

func (h *header) i16(p []byte, at int) int     { return int(int16(h.order.Uint16(p[at:]))) }
func (h *header) i64(p []byte, at int) int64   { return int64(h.order.Uint64(p[at:])) }
func (h *header) f64(p []byte, at int) float64 { return math.Float64frombits(h.order.Uint64(p[at:])) }
func (h *header) f32(p []byte, at int) float64 {
	return float64(math.Float32frombits(h.order.Uint32(p[at:])))
}

// check refuses what no reader could make sense of.
func (h *header) check() error {
	if len(h.dims) == 0 {
		return fmt.Errorf("dim[0] is not a number of dimensions from 1 to 7: %w", loaders.ErrDamaged)
	}
	for i, n := range h.dims {
		if n < 1 {
			return fmt.Errorf("dim[%d] is %d: %w", i+1, n, loaders.ErrDamaged)
		}
		if i >= 5 && n > 1 {
			return fmt.Errorf("dim[%d] is %d, at most five dimensions can be shown: %w", i+1, n, loaders.ErrUnsupported)
		}
	}
	if h.offset < 0 || h.offset > 1<<62 || h.offset != math.Trunc(h.offset) {
		return fmt.Errorf("vox_offset is %v: %w", h.offset, loaders.ErrDamaged)
	}
	k, ok := kinds[h.datatype]
	switch {
	case !ok:
		return fmt.Errorf("datatype %d is none that NIfTI defines: %w", h.datatype, loaders.ErrDamaged)
	case k.name == "":
		return fmt.Errorf("it holds %s (datatype %d): %w", k.what, h.datatype, loaders.ErrUnsupported)
	}
	return nil
}

// A voxelKind is one value of datatype.
type voxelKind struct {
	name    string // of one sample; "" if it cannot be shown
	what    string
	samples int
	bits    int
	analyze bool // Analyze 7.5 has it too
}

// kinds are the values of datatype (nifti1.h, "DATATYPE").
var kinds = map[int]voxelKind{
	1:    {what: "one bit a voxel", bits: 1, analyze: true},
	2:    {name: "uint8", samples: 1, bits: 8, analyze: true},
	4:    {name: "int16", samples: 1, bits: 16, analyze: true},
	8:    {name: "int32", samples: 1, bits: 32, analyze: true},
	16:   {name: "float32", samples: 1, bits: 32, analyze: true},
	32:   {what: "complex numbers", bits: 64, analyze: true},
	64:   {name: "float64", samples: 1, bits: 64, analyze: true},
	128:  {name: "uint8", samples: 3, bits: 24},
	256:  {name: "int8", samples: 1, bits: 8},
	512:  {name: "uint16", samples: 1, bits: 16},
	768:  {name: "uint32", samples: 1, bits: 32},
	1024: {name: "int64", samples: 1, bits: 64},
	1280: {name: "uint64", samples: 1, bits: 64},
	1536: {what: "numbers of 128 bits", bits: 128},
	1792: {what: "complex numbers", bits: 128},
	2048: {what: "complex numbers", bits: 256},
	2304: {name: "uint8", samples: 4, bits: 32},
}
