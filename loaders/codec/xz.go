package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// XZ decodes one .xz stream (The .xz File Format 1.2) of LZMA2 data, with or without the Delta filter
// in front of it, which is what libtiff's LZMA compression writes. Checksums are not verified. The
// dictionary is bounded by dst, since no match can reach beyond what was written.
func XZ(dst, src []byte) (int, error) {
	n, err := xz(dst, src)
	if err != nil && !errors.Is(err, ErrLong) {
		err = fmt.Errorf("codec: xz: after %d bytes: %w", n, err)
	}
	return n, err
}

// LZMA decodes what Python's lzma writes in its three forms: a .xz stream (1), the older .lzma file (2), or
// the bytes of one filter alone (3), with LZMA2 or, where old is set, LZMA1 with these properties (lc + 9 * (lp +
// 5 * pb)). distance is that of a Delta filter in front, 0 for none; a .xz stream tells its own.
func LZMA(dst, src []byte, form int, old bool, properties byte, distance int) (n int, err error) {
	dict := max(lzma.MinDictCap, len(dst))
	switch {
	case form <= 1:
		return XZ(dst, src)
	case form == 2 && len(src) < 13:
		err = io.ErrUnexpectedEOF
	case form == 2:
		n, err = lzmaAlone(dst, src[13:], src[0], binary.LittleEndian.Uint64(src[5:]), dict)
	case old:
		n, err = lzmaAlone(dst, src, properties, 1<<64-1, dict) // it ends by a mark
	default:
		n, err = xzBlock(dst, bytes.NewReader(src), dict)
	}
	undelta(dst[:n], distance)
	if err != nil && !errors.Is(err, ErrLong) {
		err = fmt.Errorf("codec: lzma: after %d bytes: %w", n, err)
	}
	return n, err
}

// lzmaAlone fills dst from LZMA1, by way of the header of a .lzma file: properties, the dictionary's length (4), and
// the length of the data or -1 (8). The dictionary that it states may be larger than all that can come out.
func lzmaAlone(dst, src []byte, properties byte, length uint64, dict int) (int, error) {
	head := binary.LittleEndian.AppendUint32([]byte{properties}, uint32(dict))
	head = binary.LittleEndian.AppendUint64(head, length)
	l, err := lzma.ReaderConfig{DictCap: dict}.NewReader(io.MultiReader(bytes.NewReader(head), bytes.NewReader(src)))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, ended(err))
	}
	return fill(dst, l)
}

func xz(dst, src []byte) (int, error) {
	if len(src) < 12 || string(src[:6]) != "\xFD7zXZ\x00" {
		return 0, fmt.Errorf("no stream header: %w", ErrCorrupt)
	}
	// The low four bits of the flags name the check behind each block: its length is 0, 4, 8, 16, 32 or 64.
	check := []int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}[src[7]&15]
	r := bytes.NewReader(src)
	r.Seek(12, io.SeekStart)
	out := 0
	for {
		size, err := r.ReadByte()
		if err != nil {
			return out, fmt.Errorf("block header: %w", io.ErrUnexpectedEOF)
		}
		if size == 0 {
			return out, nil // the index follows: no more blocks
		}
		head := make([]byte, int(size)*4+4-1)
		if _, err := io.ReadFull(r, head); err != nil {
			return out, fmt.Errorf("block header: %w", io.ErrUnexpectedEOF)
		}
		delta, err := xzFilters(head[:len(head)-4])
		if err != nil {
			return out, err
		}
		begin := len(src) - r.Len()
		n, err := xzBlock(dst[out:], r, max(lzma.MinDictCap, len(dst)))
		undelta(dst[out:][:n], delta)
		if out += n; err != nil {
			return out, err
		}
		packed := len(src) - r.Len() - begin
		if _, err := r.Seek(int64(-packed&3+check), io.SeekCurrent); err != nil {
			return out, err
		}
	}
}

// xzBlock fills dst from one block. A block that holds more gives ErrLong.
func xzBlock(dst []byte, r io.Reader, dict int) (int, error) {
	l, err := lzma.Reader2Config{DictCap: dict}.NewReader2(r)
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(l, dst)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF && l.EOS():
		return n, nil
	case err != nil:
		return n, err
	}
	var more [1]byte
	switch k, err := l.Read(more[:]); {
	case k > 0:
		return n, ErrLong
	case err != io.EOF:
		return n, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return n, nil
}

// xzFilters reads a block header behind its size byte: flags (1), the two lengths if the flags say
// so, then for each filter its number, the length of its properties and these. It gives the distance
// of the Delta filter, 0 for none.
func xzFilters(head []byte) (delta int, err error) {
	flags := head[0]
	head = head[1:]
	number := func() uint64 {
		v, n := binary.Uvarint(head)
		if n <= 0 {
			err = fmt.Errorf("block header: %w", ErrCorrupt)
			return 0
		}
		head = head[n:]
		return v
	}
	for range int(flags>>6&1) + int(flags>>7) {
		number()
	}
	filters := int(flags&3) + 1
	for i := range filters {
		id, size := number(), number()
		if err != nil || size > uint64(len(head)) {
			return 0, fmt.Errorf("block header: %w", ErrCorrupt)
		}
		switch {
		case id == 0x21 && i == filters-1:
		case id == 3 && size == 1 && i == 0 && filters == 2:
			delta = int(head[0]) + 1
		default:
			return 0, fmt.Errorf("filter %#x is not known: %w", id, ErrCorrupt)
		}
		head = head[size:]
	}
	return delta, nil
}

// undelta undoes the Delta filter: each byte was stored as its difference to the one distance before.
func undelta(p []byte, distance int) {
	if distance == 0 {
		return
	}
	for i := distance; i < len(p); i++ {
		p[i] += p[i-distance]
	}
}
