package codec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync"
)

// Codes of TIFF's LZW (TIFF 6.0, section 13): bytes stand for themselves.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwWidth = 12 // bits of the longest code
)

// LZW decodes TIFF's LZW. Two kinds are in use: codes packed from the high bit on, which grow one
// code early, as TIFF 6.0 has it; and the older kind packed from the low bit on, which is known by
// its first two bytes. Data that go on when dst is full are not looked at.
func LZW(dst, src []byte) (int, error) {
	if uint64(len(dst)) > math.MaxUint32 {
		return 0, fmt.Errorf("codec: lzw: %d bytes are more than 4 GiB", len(dst))
	}
	old := len(src) >= 2 && src[0] == 0 && src[1]&1 == 1
	n, err := lzw(dst, src, old)
	if err != nil {
		err = fmt.Errorf("codec: lzw: after %d bytes: %w", n, err)
	}
	return n, err
}

// A lzwEntry is the string of one code: its length, its first bytes (up to eight, the first lowest),
// and where it was written to dst for the first time.
type lzwEntry struct {
	word  uint64
	at, n uint32
}

// lzwTables are recycled: clearing 64 KiB would cost more than decoding a short strip. Entries left
// from before are never looked at, since a code counts only once it is defined.
var lzwTables = sync.Pool{New: func() any {
	t := new([1 << lzwWidth]lzwEntry)
	for i := range lzwClear {
		t[i] = lzwEntry{word: uint64(i), n: 1}
	}
	return t
}}

// lzw copies no strings about. The string of a new code is the one of the code before it and one byte
// more, and just that stands in dst already, so a place and a length name it.
func lzw(dst, src []byte, old bool) (int, error) {
	table := lzwTables.Get().(*[1 << lzwWidth]lzwEntry)
	defer lzwTables.Put(table)
	early := 1
	if old {
		early = 0
	}
	var (
		acc  uint64 // bits read ahead, the next at the top, or at the bottom if old
		have uint   // how many of them are valid
		in   int    // next byte of src
		out  int    // next byte of dst

		width  = uint(9)
		next   = lzwFirst - 1 // code that the next string gets; the first code after a clear defines none
		before lzwEntry       // string of the code before, n is 0 after a clear
	)
	for out < len(dst) {
		if have < width {
			if in+8 <= len(src) {
				if old {
					acc |= binary.LittleEndian.Uint64(src[in:]) << have
				} else {
					acc |= binary.BigEndian.Uint64(src[in:]) >> have
				}
				in += int((63 - have) >> 3)
				have |= 56
			} else {
				for have <= 56 && in < len(src) {
					if old {
						acc |= uint64(src[in]) << have
					} else {
						acc |= uint64(src[in]) << (56 - have)
					}
					in++
					have += 8
				}
				if have < width {
					return out, io.ErrUnexpectedEOF
				}
			}
		}
		var code int
		if old {
			code = int(acc & (1<<width - 1))
			acc >>= width
		} else {
			code = int(acc >> (64 - width))
			acc <<= width
		}
		have -= width

		if code == lzwClear {
			width, next, before.n = 9, lzwFirst-1, 0
			continue
		}
		if code == lzwEnd {
			return out, nil
		}
		var e lzwEntry
		switch {
		case code < lzwClear || code < next:
			e = table[code&(1<<lzwWidth-1)]
		case code == next && before.n > 0:
			e = before.and(byte(before.word)) // the string that this very code defines
		default:
			return out, fmt.Errorf("%w: code %d is used before it is defined", ErrCorrupt, code)
		}
		if before.n > 0 && next < 1<<lzwWidth {
			table[next] = before.and(byte(e.word))
		}
		if next < 1<<lzwWidth {
			if next++; next >= 1<<width-early && width < lzwWidth {
				width++
			}
		}
		n := int(e.n)
		switch from := int(e.at); {
		case n <= 8 && out+8 <= len(dst):
			binary.LittleEndian.PutUint64(dst[out:], e.word) // what is too much is overwritten next
		case n <= 8:
			for i, w := 0, e.word; i < n && out+i < len(dst); i, w = i+1, w>>8 {
				dst[out+i] = byte(w)
			}
		case from+n > out: // defined by itself: its last byte is its first
			m := copy(dst[out:], dst[from:from+n-1])
			if out+m < len(dst) {
				dst[out+m] = byte(e.word)
			}
		default:
			copy(dst[out:], dst[from:from+n])
		}
		before = lzwEntry{e.word, uint32(out), e.n}
		out = min(out+n, len(dst))
	}
	return out, nil
}

// and is the string with one byte more.
func (e lzwEntry) and(b byte) lzwEntry {
	if e.n < 8 {
		e.word |= uint64(b) << (8 * e.n)
	}
	e.n++
	return e
}
