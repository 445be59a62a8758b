package dicom

import (
	"fmt"
	"math/bits"

	"lamella/lazy"
	"lamella/loaders"
)

// A format is how the pixels of an object are written (PS3.3, C.7.6.3).
type format struct {
	rows, columns int
	samples       int
	planar        bool // all of one sample, then all of the next
	allocated     int  // bits of a stored sample
	stored        int  // bits of it that count
	high          int  // the highest of them
	signed        bool
	float         bool
	halved        bool // two pixels share their differences of colour: Y Y Cb Cr
	photometric   string
}

// formatOf reads the image pixel module, and refuses what does not fit together. packed pixels are
// unpacked to whole samples, whatever their photometric interpretation says.
func formatOf(d dataSet, pixels tag, packed bool) (format, error) {
	f := format{
		rows: d.number(tagRows, 0), columns: d.number(tagColumns, 0), samples: d.number(tagSamples, 1),
		planar: d.number(tagPlanar, 0) == 1, allocated: d.number(tagAllocated, 0),
		signed: d.number(tagSigned, 0) == 1, photometric: d.text(tagPhotometric),
	}
	switch pixels {
	case tagFloatPixels:
		f.allocated, f.float = 32, true
	case tagDoublePixels:
		f.allocated, f.float = 64, true
	}
	f.stored = d.number(tagStored, f.allocated)
	f.high = d.number(tagHigh, f.stored-1)
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrDamaged)
	}
	switch f.allocated {
	case 1, 8, 16, 32, 64:
	default:
		if f.allocated > 0 && f.allocated < 64 {
			return f, fmt.Errorf("%d bits a sample, which are packed tightly: %w", f.allocated, loaders.ErrUnsupported)
		}
		return f, bad("pixels of %d bits", f.allocated)
	}
	switch {
	case f.rows < 1 || f.columns < 1:
		return f, bad("a picture of %d x %d pixels", f.columns, f.rows)
	case f.samples < 1 || f.samples > 4:
		return f, bad("%d samples a pixel", f.samples)
	case f.allocated == 1 && f.samples > 1:
		return f, bad("%d samples of one bit", f.samples)
	}
	if f.stored < 1 || f.stored > f.allocated || f.float {
		f.stored = f.allocated
	}
	if f.high < f.stored-1 || f.high >= f.allocated {
		f.high = f.stored - 1
	}
	f.halved = f.photometric == "YBR_FULL_422" && !packed
	if f.halved && (f.samples != 3 || f.allocated != 8 || f.columns%2 != 0 || f.planar) {
		return f, bad("%s of %d samples of %d bits, %d columns", f.photometric, f.samples, f.allocated, f.columns)
	}
	if f.samples == 1 {
		f.planar = false
	}
	if _, ok := f.storedBytes(1); !ok || int64(f.rows)*int64(f.columns)*int64(f.samples*max(8, f.allocated)/8) > 1<<31 {
		return f, fmt.Errorf("one frame of %d x %d pixels is larger than 2 GiB: %w", f.columns, f.rows, loaders.ErrUnsupported)
	}
	return f, nil
}

// bitsPerPixel is how much a pixel takes when pixels are stored as they are.
func (f format) bitsPerPixel() int {
	if f.halved {
		return 16
	}
	return f.samples * f.allocated
}

// storedBytes is what frames take that are stored as they are; false is more than can be.
func (f format) storedBytes(frames int) (int64, bool) {
	over, n := bits.Mul64(uint64(f.rows)*uint64(f.columns)*uint64(f.bitsPerPixel()), uint64(frames))
	return int64(n/8) + int64(min(1, n%8)), over == 0 && n < 1<<62
}

// dtype is the type of the stored values.
func (f format) dtype() lazy.DType {
	types := map[int][2]lazy.DType{1: {lazy.U8, lazy.U8}, 8: {lazy.U8, lazy.I8}, 16: {lazy.U16, lazy.I16}, 32: {lazy.U32, lazy.I32}, 64: {lazy.U64, lazy.I64}}
	switch {
	case f.float && f.allocated == 32:
		return lazy.F32
	case f.float:
		return lazy.F64
	case f.signed:
		return types[f.allocated][1]
	}
	return types[f.allocated][0]
}

// luminance reports whether samples are brightness and two differences of colour that become red,
// green and blue.
func (f format) luminance() bool {
	return f.samples == 3 && f.allocated == 8 && (f.photometric == "YBR_FULL" || f.photometric == "YBR_FULL_422")
}

// trim keeps the bits that count of samples in the machine's order, and their sign.
func trim[E uint8 | uint16 | uint32 | uint64](v []E, f format) {
	shift := f.high + 1 - f.stored
	if f.stored == f.allocated || f.float {
		return
	}
	var one E = 1
	mask := one<<f.stored - 1
	sign := one << (f.stored - 1)
	for i, x := range v {
		x = x >> shift & mask
		if f.signed && x&sign != 0 {
			x |= ^mask
		}
		v[i] = x
	}
}
