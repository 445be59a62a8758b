package tiff

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"lamella/loaders"
	"lamella/loaders/codec"
)

// supported reports whether there is a decoder for a compression.
func supported(compression uint16) bool {
	switch compression {
	case rawData, rawUnits, faxRLE, faxRLEWord, faxG3, faxG4, lzw, oldJPEG, newJPEG, deflate, oldDeflate, packBits, lzma, zstd, webP:
		return true
	}
	return false
}

// predicts reports whether the Predictor tag has a meaning for a compression.
func predicts(compression uint16) bool {
	switch compression {
	case lzw, deflate, oldDeflate, lzma, zstd:
		return true
	}
	return false
}

func isDeflate(compression uint16) bool { return compression == deflate || compression == oldDeflate }

func isFax(compression uint16) bool {
	return compression == faxRLE || compression == faxRLEWord || compression == faxG3 || compression == faxG4
}

// A bench holds the buffers of one read, so that scrolling through a stack allocates only blocks.
type bench struct {
	stored, plain, other, wide []byte
}

var benches = sync.Pool{New: func() any { return new(bench) }}

// room is *b with length n.
func room(b *[]byte, n int) []byte {
	if cap(*b) < n {
		*b = make([]byte, (n+63)&^63) // also aligned for every type
	}
	*b = (*b)[:n]
	return *b
}

// samples turns the stored bytes of one strip or tile into its samples: rows x segW x segSamples
// values of the layout's type in the machine's byte order. The result lives in w, or in stored, until
// the next call; stored is overwritten.
func (w *bench) samples(l *layout, stored []byte, rows int, tables []byte) ([]byte, error) {
	if l.compression == newJPEG || l.compression == oldJPEG {
		plain := room(&w.plain, rows*l.segW*l.segSamples())
		return plain, decodeJPEG(plain, stored, tables, l, rows)
	}
	plain, err := w.expand(l, stored, rows)
	if err != nil {
		return nil, err
	}
	if l.unitX() > 0 {
		wide := room(&w.wide, rows*l.segW*3)
		fromUnits(wide, plain, l, rows)
		return wide, nil
	}
	whole := l.bits == 8 || l.bits == 16 || l.bits == 32 || l.bits == 64
	switch {
	case l.predictor == 3:
		other := room(&w.other, len(plain))
		if err := codec.UndiffFloat(other, plain, l.rowBytes(), l.segSamples(), int(l.bits)/8); err != nil {
			return nil, fmt.Errorf("predictor: %w: %w", loaders.ErrDamaged, err)
		}
		plain = other
	case whole:
		codec.Native(plain, int(l.bits)/8, l.order())
		if l.predictor == 2 {
			if err := codec.Undiff(plain, l.rowBytes(), l.segSamples(), int(l.bits)/8); err != nil {
				return nil, fmt.Errorf("predictor: %w: %w", loaders.ErrDamaged, err)
			}
		}
	}
	if whole && !(l.format == floatSample && l.bits == 16) {
		return plain, nil
	}
	wide := room(&w.wide, rows*l.segW*l.segSamples()*l.dtype().Size())
	widen(wide, plain, l, rows)
	return wide, nil
}

// expand undoes the compression: rows of rowBytes each.
func (w *bench) expand(l *layout, stored []byte, rows int) ([]byte, error) {
	want := l.storedBytes(rows)
	if l.reversed && !isFax(l.compression) {
		for i, b := range stored {
			stored[i] = bits.Reverse8(b)
		}
	}
	if l.compression == rawData || l.compression == rawUnits {
		if len(stored) < want {
			return nil, fmt.Errorf("%d bytes instead of %d: %w", len(stored), want, loaders.ErrDamaged)
		}
		return stored[:want], nil
	}
	plain := room(&w.plain, want)
	n, err := inflate(plain, stored, l, rows)
	if errors.Is(err, codec.ErrLong) && n < want && rows < l.segH {
		// The last strip was filled up to its full height, and zstd gives all or nothing.
		plain = room(&w.plain, l.storedBytes(l.segH))
		n, err = inflate(plain, stored, l, l.segH)
		plain = plain[:want]
	}
	switch {
	case isDeflate(l.compression) && n == len(plain) && errors.Is(err, io.ErrUnexpectedEOF):
		// Some writers leave out the checksum at the end. A wrong one is another matter.
	case err != nil && !errors.Is(err, codec.ErrLong):
		return nil, fmt.Errorf("%s: %w: %w", compressionName(l.compression), loaders.ErrDamaged, err)
	}
	if n < want {
		return nil, fmt.Errorf("%s: ends after %d of %d bytes: %w", compressionName(l.compression), n, want, loaders.ErrDamaged)
	}
	return plain, nil
}

func inflate(dst, src []byte, l *layout, rows int) (int, error) {
	switch l.compression {
	case lzw:
		return codec.LZW(dst, src)
	case packBits:
		return codec.PackBits(dst, src)
	case deflate, oldDeflate:
		return codec.Zlib(dst, src)
	case zstd:
		return codec.Zstd(dst, src)
	case lzma:
		return codec.XZ(dst, src)
	case webP:
		return decodeWebP(dst, src, l, rows)
	}
	return decodeFax(dst, src, l)
}
