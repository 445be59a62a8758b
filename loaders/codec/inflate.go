package codec

import "encoding/binary"

// An inflater decodes Deflate (RFC 1951) from memory to memory, several times as fast as from a stream: it
// looks up to 56 bits ahead, and copies matches within what it has written. It answers only when
// all is well; what it does not understand, or does not trust, is left to the library, which says what is wrong.
type inflater struct {
	literals  [2342]uint32 // as many as 288 codes of up to 15 bits can need behind tables of 11 bits
	distances [402]uint32  // and 32 codes behind 8 bits
	lengths   [288 + 32]uint8
	src       []byte
	at        int    // the next byte of src
	bits      uint64 // read, but not used yet, lowest first
	have      uint   // how many of them count
}

// An entry of a table says what to do after looking at the next bits:
//
//	bits  0-7   how many bits to drop, extra bits included
//	bits  8-12  how many extra bits the value has; of a link, bits of the table that it leads to
//	bit   13    a link to a table for the bits behind these
//	bit   14    the end of the block
//	bit   15    a literal
//	bits 16-31  the literal, the least length or distance, or where the table begins
//
// 0 is no code.
const (
	isLink    = 1 << 13
	isEnd     = 1 << 14
	isLiteral = 1 << 15

	literalBits  = 11
	distanceBits = 8

	// A round of the fast loop reads no more than this, and writes no more than that.
	roundSource = 16
	roundOutput = 258 + 2 + 8
)

// inflate fills dst from a stream that is just as long or shorter. It gives the lengths of both.
func (f *inflater) inflate(dst, src []byte) (written, read int, ok bool) {
	f.src, f.at, f.bits, f.have = src, 0, 0, 0
	for n, last := 0, false; !last; {
		head, ok := f.take(3)
		if !ok {
			return 0, 0, false
		}
		switch last = head&1 == 1; head >> 1 {
		case 0:
			n, ok = f.stored(dst, n)
		case 1:
			f.fixed()
			n, ok = f.block(dst, n)
		case 2:
			if ok = f.dynamic(); ok {
				n, ok = f.block(dst, n)
			}
		default:
			ok = false
		}
		if !ok {
			return 0, 0, false
		}
		written = n
	}
	// Bits of whole bytes that were read ahead are given back.
	return written, f.at - int(f.have/8), true
}

// take reads n bits, up to 16.
func (f *inflater) take(n uint) (uint32, bool) {
	for f.have < n {
		if f.at == len(f.src) {
			return 0, false
		}
		f.bits |= uint64(f.src[f.at]) << f.have
		f.at++
		f.have += 8
	}
	v := uint32(f.bits & (1<<n - 1))
	f.bits >>= n
	f.have -= n
	return v, true
}

// stored copies a block that is not compressed: to the next whole byte, length (2), its complement (2), bytes.
func (f *inflater) stored(dst []byte, n int) (int, bool) {
	f.at -= int(f.have / 8)
	f.bits, f.have = 0, 0
	if len(f.src)-f.at < 4 {
		return n, false
	}
	size, check := binary.LittleEndian.Uint16(f.src[f.at:]), binary.LittleEndian.Uint16(f.src[f.at+2:])
	f.at += 4
	if size != ^check || int(size) > len(f.src)-f.at || int(size) > len(dst)-n {
		return n, false
	}
	copy(dst[n:], f.src[f.at:][:size])
	f.at += int(size)
	return n + int(size), true
}

// block decodes one block into dst from n on.
func (f *inflater) block(dst []byte, n int) (int, bool) {
	src, at, bits, have := f.src, f.at, f.bits, f.have
	for at+roundSource <= len(src) && n+roundOutput <= len(dst) {
		bits |= binary.LittleEndian.Uint64(src[at:]) << (have & 63)
		at += int(63-have) >> 3
		have |= 56
		e := f.literals[bits&(1<<literalBits-1)]
		if e&isLiteral != 0 { // three codes of at most 11 bits each and a longer one fit into 56
			dst[n] = byte(e >> 16)
			n++
			bits >>= e & 63
			have -= uint(e & 63)
			if e = f.literals[bits&(1<<literalBits-1)]; e&isLiteral != 0 {
				dst[n] = byte(e >> 16)
				n++
				bits >>= e & 63
				have -= uint(e & 63)
				e = f.literals[bits&(1<<literalBits-1)]
			}
		}
		if e&isLink != 0 {
			e = f.literals[e>>16+uint32(bits>>literalBits)&(1<<(e>>8&31)-1)]
		}
		if e&isLiteral != 0 {
			dst[n] = byte(e >> 16)
			n++
			bits >>= e & 63
			have -= uint(e & 63)
			continue
		}
		if e == 0 {
			return n, false
		}
		used, extra := uint(e&63), uint(e>>8&31)
		if e&isEnd != 0 {
			f.at, f.bits, f.have = at, bits>>used, have-used
			f.bits &= 1<<f.have - 1
			return n, true
		}
		length := int(e>>16) + int(bits>>((used-extra)&63)&(1<<(extra&63)-1))
		bits >>= used & 63
		have -= used

		bits |= binary.LittleEndian.Uint64(src[at:]) << (have & 63)
		at += int(63-have) >> 3
		have |= 56
		e = f.distances[bits&(1<<distanceBits-1)]
		if e&isLink != 0 {
			e = f.distances[e>>16+uint32(bits>>distanceBits)&(1<<(e>>8&31)-1)]
		}
		used, extra = uint(e&63), uint(e>>8&31)
		distance := int(e>>16) + int(bits>>((used-extra)&63)&(1<<(extra&63)-1))
		bits >>= used & 63
		have -= used
		if e == 0 || distance > n {
			return n, false
		}
		again(dst, n, distance, length)
		n += length
	}
	f.at, f.bits, f.have = at, bits&(1<<have-1), have
	return f.carefully(dst, n)
}

// again writes length bytes from n on, which are those that stand distance before. It may write 8 bytes more.
func again(dst []byte, n, distance, length int) {
	switch {
	case distance >= 8:
		for end := n + length; n < end; n += 8 {
			binary.LittleEndian.PutUint64(dst[n:], binary.LittleEndian.Uint64(dst[n-distance:]))
		}
	case distance == 1:
		v := uint64(dst[n-1]) * 0x0101010101010101
		for end := n + length; n < end; n += 8 {
			binary.LittleEndian.PutUint64(dst[n:], v)
		}
	default:
		for end := n + length; n < end; n++ {
			dst[n] = dst[n-distance]
		}
	}
}

// carefully goes on with a block near the end of the source or of the output, a code at a time.
func (f *inflater) carefully(dst []byte, n int) (int, bool) {
	for {
		e, ok := f.code(f.literals[:], literalBits)
		switch {
		case !ok:
			return n, false
		case e&isEnd != 0:
			return n, true
		case e&isLiteral != 0:
			if n == len(dst) {
				return n, false
			}
			dst[n] = byte(e >> 16)
			n++
			continue
		}
		more, ok := f.take(uint(e >> 8 & 31))
		length := int(e>>16 + more)
		if !ok {
			return n, false
		}
		if e, ok = f.code(f.distances[:], distanceBits); !ok {
			return n, false
		}
		more, ok = f.take(uint(e >> 8 & 31))
		distance := int(e>>16 + more)
		if !ok || distance > n || length > len(dst)-n {
			return n, false
		}
		for end := n + length; n < end; n++ {
			dst[n] = dst[n-distance]
		}
	}
}

// code reads one code without its extra bits.
func (f *inflater) code(table []uint32, root uint) (uint32, bool) {
	for f.have < 15 && f.at < len(f.src) {
		f.bits |= uint64(f.src[f.at]) << f.have
		f.at++
		f.have += 8
	}
	e := table[f.bits&(1<<root-1)]
	if e&isLink != 0 {
		e = table[e>>16+uint32(f.bits>>root)&(1<<(e>>8&31)-1)]
	}
	used := uint(e&63) - uint(e>>8&31)
	if e == 0 || used > f.have {
		return 0, false
	}
	f.bits >>= used
	f.have -= used
	return e, true
}
