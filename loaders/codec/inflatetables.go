package codec

import "math/bits"

// Base values and extra bits of lengths (from code 257 on) and distances (RFC 1951, section 3.2.5).
var (
	lengthBase = [...]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
		131, 163, 195, 227, 258}
	lengthExtra  = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceBase = [...]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
		2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distanceExtra = [...]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

// codeOrder is the order in which the lengths of the codes of lengths stand (section 3.2.7).
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// Entries of tables for each symbol, without the length of its code. A symbol that no stream may use is 0.
var literalSymbols, distanceSymbols = symbols()

func symbols() (literals [288]uint32, distances [32]uint32) {
	for i := range 256 {
		literals[i] = isLiteral | uint32(i)<<16
	}
	literals[256] = isEnd
	for i, base := range lengthBase {
		literals[257+i] = uint32(base)<<16 | uint32(lengthExtra[i])<<8 | uint32(lengthExtra[i])
	}
	for i, base := range distanceBase {
		distances[i] = uint32(base)<<16 | uint32(distanceExtra[i])<<8 | uint32(distanceExtra[i])
	}
	return literals, distances
}

// fixed makes the tables of blocks that come without (RFC 1951, section 3.2.6).
func (f *inflater) fixed() {
	for i := range 288 {
		switch {
		case i < 144:
			f.lengths[i] = 8
		case i < 256:
			f.lengths[i] = 9
		case i < 280:
			f.lengths[i] = 7
		default:
			f.lengths[i] = 8
		}
	}
	for i := range 32 {
		f.lengths[288+i] = 5
	}
	table(f.literals[:], f.lengths[:288], literalSymbols[:], literalBits)
	table(f.distances[:], f.lengths[288:], distanceSymbols[:], distanceBits)
}

// dynamic reads the lengths of codes that stand before a block (RFC 1951, section 3.2.7).
func (f *inflater) dynamic() bool {
	head, ok := f.take(14)
	literals, distances, clen := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if !ok || literals > 286 || distances > 30 {
		return false
	}
	var lengths [19]uint8
	for _, i := range codeOrder[:clen] {
		v, ok := f.take(3)
		if !ok {
			return false
		}
		lengths[i] = uint8(v)
	}
	var names [19]uint32
	for i := range names {
		names[i] = isLiteral | uint32(i)<<16
	}
	var codes [128]uint32
	if !table(codes[:], lengths[:], names[:], 7) {
		return false
	}
	all := f.lengths[:literals+distances]
	for i := 0; i < len(all); {
		e, ok := f.code(codes[:], 7)
		if !ok {
			return false
		}
		v := uint8(e >> 16)
		if v < 16 {
			all[i] = v
			i++
			continue
		}
		run := [...]struct{ bits, least, of uint8 }{{2, 3, 0}, {3, 3, 0}, {7, 11, 0}}[v-16]
		more, ok := f.take(uint(run.bits))
		n := int(run.least) + int(more)
		if !ok || n > len(all)-i || v == 16 && i == 0 {
			return false
		}
		if v == 16 {
			run.of = all[i-1]
		}
		for range n {
			all[i] = run.of
			i++
		}
	}
	return all[256] != 0 && table(f.literals[:], all[:literals], literalSymbols[:], literalBits) &&
		table(f.distances[:], all[literals:], distanceSymbols[:], distanceBits)
}

// table fills a table of codes with these lengths: 1 << root entries for the next root bits, and behind them
// tables for the bits of longer codes. Lengths that leave codes unused, or need more than there are, are refused, but for
// no code and for one of one bit, which streams with hardly any distances have (zlib, inftrees.c, does the same).
func table(to []uint32, lengths []uint8, symbols []uint32, root uint) bool {
	var count, next, first [16]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	code, sum := 0, 0
	for n := 1; n < 16; n++ {
		code = (code + count[n-1]) << 1
		if next[n] = code; code+count[n] > 1<<n {
			return false
		}
		first[n], sum = sum, sum+count[n]
	}
	if whole := code+count[15] == 1<<15; !whole && sum > 0 && (sum > 1 || count[1] == 0) {
		return false
	}
	var sorted [288]uint16 // symbols with a code, by its length
	for s, n := range lengths {
		if n > 0 {
			sorted[first[n]] = uint16(s)
			first[n]++
		}
	}
	clear(to[:1<<root])
	free := 1 << root // where the next table begins
	for _, s := range sorted[:sum] {
		n := uint(lengths[s])
		reversed := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		e := symbols[s]
		if e != 0 {
			e += uint32(n) // the extra bits are in it already
		}
		if n <= root {
			for i := reversed; i < 1<<root; i += 1 << n {
				to[i] = e
			}
		} else {
			at := reversed & (1<<root - 1)
			if to[at] == 0 {
				// As large as the codes that are left and begin with these bits can need.
				size := n - root
				for left := 1 << size; size+root < 15; left <<= 1 {
					if left -= count[size+root]; left <= 0 {
						break
					}
					size++
				}
				if free+1<<size > len(to) {
					return false
				}
				clear(to[free:][:1<<size])
				to[at] = isLink | uint32(size)<<8 | uint32(free)<<16
				free += 1 << size
			}
			sub := to[to[at]>>16:][:1<<(to[at]>>8&31)]
			for i := reversed >> root; i < len(sub); i += 1 << (n - root) {
				sub[i] = e
			}
		}
		next[n]++
		count[n]--
	}
	return true
}
