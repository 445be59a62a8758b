package codec

import (
	"fmt"
	"unsafe"
)

// Undiff undoes TIFF's predictor 2 (TIFF 6.0, section 14) in place: each sample was stored as its
// difference to the sample of the same kind one pixel before, modulo its type. A row is row bytes
// long and its pixels have samples values of size 1, 2, 4 or 8 bytes, in the machine's byte order
// (see Native). A last row that is cut short is undone as far as it goes.
func Undiff(p []byte, row, samples, size int) error {
	if row <= 0 || samples <= 0 || size <= 0 || row%(samples*size) != 0 {
		return fmt.Errorf("codec: predictor 2: rows of %d bytes do not hold pixels of %d samples of %d bytes", row, samples, size)
	}
	for len(p) > 0 {
		n := min(row, len(p))
		switch size {
		case 1:
			sums(p[:n], samples)
		case 2:
			sums(view[uint16](p[:n]), samples)
		case 4:
			sums(view[uint32](p[:n]), samples)
		case 8:
			sums(view[uint64](p[:n]), samples)
		default:
			return fmt.Errorf("codec: predictor 2: samples of %d bytes", size)
		}
		p = p[n:]
	}
	return nil
}

// sums adds to each value the one that stands step before it.
func sums[E uint8 | uint16 | uint32 | uint64](v []E, step int) {
	switch {
	case len(v) <= step:
	case step == 1:
		last := v[0]
		for i := 1; i < len(v); i++ {
			last += v[i]
			v[i] = last
		}
	case step == 3:
		a, b, c := v[0], v[1], v[2]
		for v = v[3:]; len(v) >= 3; v = v[3:] {
			a, b, c = a+v[0], b+v[1], c+v[2]
			v[0], v[1], v[2] = a, b, c
		}
		for i, before := range [2]E{a, b} {
			if i < len(v) {
				v[i] += before
			}
		}
	default:
		before := v
		for i, d := range v[step:] {
			before[step+i] = before[i] + d
		}
	}
}

// UndiffFloat undoes TIFF's predictor 3 (Adobe Photoshop TIFF Technical Note 3) from src to dst,
// which have the same length and may not overlap. In src each row holds the highest bytes of all its
// values, then the next lower ones, and so on, and these bytes as differences. The values in dst are
// in the machine's byte order whatever the file's is. A size of 3 stands for 24-bit values. src is
// used as scratch. A row that is cut short cannot be undone and is an error.
func UndiffFloat(dst, src []byte, row, samples, size int) error {
	if row <= 0 || samples <= 0 || size < 2 || row%(samples*size) != 0 {
		return fmt.Errorf("codec: predictor 3: rows of %d bytes do not hold pixels of %d samples of %d bytes", row, samples, size)
	}
	if len(dst) != len(src) || len(src)%row != 0 {
		return fmt.Errorf("codec: predictor 3: %d bytes to %d are not whole rows of %d", len(src), len(dst), row)
	}
	n := row / size
	for ; len(src) > 0; dst, src = dst[row:], src[row:] {
		sums(src[:row], samples)
		for b := range size {
			plane := src[b*n : (b+1)*n]
			at := b
			if little {
				at = size - 1 - b
			}
			for i, v := range plane {
				dst[i*size+at] = v
			}
		}
	}
	return nil
}

// little says whether the machine stores the low byte of a value first.
var little = view[uint16]([]byte{1, 0})[0] == 1

// view is p as values of a wider type in the machine's byte order; bytes beyond the last whole value
// are left out.
func view[E uint8 | uint16 | uint32 | uint64](p []byte) []E {
	var e E
	n := len(p) / int(unsafe.Sizeof(e))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(p))), n)
}
