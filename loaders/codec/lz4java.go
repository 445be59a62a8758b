package codec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// The framing of lz4-java's LZ4BlockOutputStream, which N5 calls "lz4": blocks one after another, the
// last of which is empty.
//
//	"LZ4Block"  method | level (1)  packed bytes (4)  bytes (4)  checksum (4)  packed data
//
// The numbers are little-endian; the checksum is the low 28 bits of XXH32 of the unpacked bytes.
const (
	lz4JavaMagic  = "LZ4Block"
	lz4JavaHeader = len(lz4JavaMagic) + 13
	lz4JavaStored = 0x10
	lz4JavaPacked = 0x20
	lz4JavaSeed   = 0x9747b28c
)

// LZ4Java decodes the blocks of lz4-java, checksums included.
func LZ4Java(dst, src []byte) (int, error) {
	out := 0
	for n := 0; len(src) > 0; n++ {
		if len(src) < lz4JavaHeader || string(src[:len(lz4JavaMagic)]) != lz4JavaMagic {
			return out, fmt.Errorf("codec: lz4: block %d has no header: %w", n, ErrCorrupt)
		}
		h := src[len(lz4JavaMagic):]
		method := h[0] & 0xF0
		packed, size := int(binary.LittleEndian.Uint32(h[1:])), int(binary.LittleEndian.Uint32(h[5:]))
		sum := binary.LittleEndian.Uint32(h[9:])
		src = src[lz4JavaHeader:]
		if size == 0 {
			return out, nil
		}
		if packed > len(src) {
			return out, fmt.Errorf("codec: lz4: block %d of %d bytes: %w", n, packed, io.ErrUnexpectedEOF)
		}
		if size > len(dst)-out {
			return out, fmt.Errorf("codec: lz4: %w", ErrLong)
		}
		to := dst[out : out+size]
		switch {
		case method == lz4JavaStored && packed == size:
			copy(to, src)
		case method == lz4JavaPacked:
			got, err := lz4Block(to, src[:packed])
			if err != nil || got != size {
				return out, fmt.Errorf("codec: lz4: block %d gives %d of %d bytes: %w", n, got, size, ErrCorrupt)
			}
		default:
			return out, fmt.Errorf("codec: lz4: block %d of method %#x: %w", n, method, ErrCorrupt)
		}
		if XXH32(to, lz4JavaSeed)&0x0FFFFFFF != sum {
			return out, fmt.Errorf("codec: lz4: block %d has another checksum than stated: %w", n, ErrCorrupt)
		}
		out, src = out+size, src[packed:]
	}
	return out, fmt.Errorf("codec: lz4: no last block: %w", io.ErrUnexpectedEOF)
}

// XXH32 is the 32-bit xxHash of p (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
func XXH32(p []byte, seed uint32) uint32 {
	const p1, p2, p3, p4, p5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393
	h, n := seed+p5, uint32(len(p))
	if len(p) >= 16 {
		v := [4]uint32{seed, seed, seed, seed}
		v[0] += p1
		v[0] += p2
		v[1] += p2
		v[3] -= p1
		for ; len(p) >= 16; p = p[16:] {
			for i := range v {
				v[i] = bits.RotateLeft32(v[i]+binary.LittleEndian.Uint32(p[4*i:])*p2, 13) * p1
			}
		}
		h = bits.RotateLeft32(v[0], 1) + bits.RotateLeft32(v[1], 7) + bits.RotateLeft32(v[2], 12) + bits.RotateLeft32(v[3], 18)
	}
	h += n
	for ; len(p) >= 4; p = p[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(p)*p3, 17) * p4
	}
	for _, b := range p {
		h = bits.RotateLeft32(h+uint32(b)*p5, 11) * p1
	}
	h ^= h >> 15
	h *= p2
	h ^= h >> 13
	h *= p3
	return h ^ h>>16
}
