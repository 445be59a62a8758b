package codec

import (
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"io"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC32C is the Castagnoli checksum (RFC 3720) of p.
func CRC32C(p []byte) uint32 { return crc32.Checksum(p, castagnoli) }

// CRC32 is the checksum of zlib and PNG.
func CRC32(p []byte) uint32 { return crc32.ChecksumIEEE(p) }

// Adler32 is the checksum of RFC 1950.
func Adler32(p []byte) uint32 { return adler32.Checksum(p) }

// Fletcher32 is HDF5's variant of Fletcher's checksum: over 16-bit words, high byte first, where an
// odd last byte counts as a high byte.
func Fletcher32(p []byte) uint32 {
	var a, b uint32
	for len(p) >= 2 {
		// At most 360 words are summed before the sums are folded, so that they do not overflow.
		n := min(len(p)/2, 360)
		for range n {
			a += uint32(p[0])<<8 | uint32(p[1])
			b += a
			p = p[2:]
		}
		a, b = a&0xffff+a>>16, b&0xffff+b>>16
	}
	if len(p) == 1 {
		a += uint32(p[0]) << 8
		b += a
		a, b = a&0xffff+a>>16, b&0xffff+b>>16
	}
	a, b = a&0xffff+a>>16, b&0xffff+b>>16
	return b<<16 | a
}

// TrailingSum splits a checksum of four bytes, low byte first, off the end of p and verifies it.
func TrailingSum(p []byte, sum func([]byte) uint32) ([]byte, error) {
	if len(p) < 4 {
		return nil, fmt.Errorf("codec: checksum: %w", io.ErrUnexpectedEOF)
	}
	body, tail := p[:len(p)-4], p[len(p)-4:]
	return body, verify(body, binary.LittleEndian.Uint32(tail), sum)
}

// LeadingSum splits a checksum of four bytes, low byte first, off the start of p and verifies it.
func LeadingSum(p []byte, sum func([]byte) uint32) ([]byte, error) {
	if len(p) < 4 {
		return nil, fmt.Errorf("codec: checksum: %w", io.ErrUnexpectedEOF)
	}
	return p[4:], verify(p[4:], binary.LittleEndian.Uint32(p), sum)
}

func verify(p []byte, want uint32, sum func([]byte) uint32) error {
	if got := sum(p); got != want {
		return fmt.Errorf("codec: checksum %08x, stored %08x: %w", got, want, ErrCorrupt)
	}
	return nil
}
