package zarr

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

var little binary.ByteOrder = binary.LittleEndian

// native is the machine's byte order, by one of the two names that can be compared.
var native = func() binary.ByteOrder {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return little
	}
	return binary.BigEndian
}()

// parseFill gives the bytes of one voxel that stands where no chunk is stored. Metadata state it as a
// number, true or false, null (which is 0), a name ("NaN", "Infinity", "-Infinity"), the bits in
// hexadecimal ("0x7fc00000"), or, in v2, the bytes in base64.
func parseFill(text json.RawMessage, e codec.Element) ([]byte, error) {
	size := e.DType.Size()
	text = bytes.TrimSpace(text)
	bad := func() error { return fmt.Errorf("the fill value %.40s: %w", text, loaders.ErrDamaged) }
	switch string(text) {
	case "", "null", "false":
		return make([]byte, size), nil
	case "true":
		return integer(1, size), nil
	}
	word := string(text)
	if text[0] == '"' {
		if err := json.Unmarshal(text, &word); err != nil {
			return nil, bad()
		}
	}
	if word == "" {
		return make([]byte, size), nil
	}
	if e.DType.Float() {
		switch word {
		case "NaN":
			return real(math.NaN(), e.DType), nil
		case "Infinity":
			return real(math.Inf(1), e.DType), nil
		case "-Infinity":
			return real(math.Inf(-1), e.DType), nil
		}
		if hex, ok := strings.CutPrefix(word, "0x"); ok && text[0] == '"' {
			bits, err := strconv.ParseUint(hex, 16, 8*e.Size)
			if err != nil {
				return nil, bad()
			}
			out := make([]byte, size)
			e.Order = native
			e.Decode(out, integer(bits, e.Size))
			return out, nil
		}
		if v, err := strconv.ParseFloat(word, 64); err == nil || v != 0 && math.IsInf(v, 0) {
			return real(v, e.DType), nil
		}
	} else if v, ok := wholeNumber(word); ok {
		if e.Bool {
			return integer(uint64(v.Sign()*v.Sign()), size), nil
		}
		lo, hi := limits(e.DType)
		if v.Cmp(lo) < 0 || v.Cmp(hi) > 0 {
			return nil, fmt.Errorf("the fill value %s does not fit %v: %w", word, e.DType, loaders.ErrDamaged)
		}
		if v.Sign() < 0 {
			return integer(uint64(v.Int64()), size), nil
		}
		return integer(v.Uint64(), size), nil
	}
	if p, err := base64.StdEncoding.DecodeString(word); err == nil && len(p) == e.Size && text[0] == '"' {
		out := make([]byte, size)
		e.Decode(out, p)
		return out, nil
	}
	return nil, bad()
}

// wholeNumber reads an integer of any length; writers state some as "0.0".
func wholeNumber(word string) (*big.Int, bool) {
	if v, ok := new(big.Int).SetString(word, 10); ok {
		return v, true
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil, false
	}
	return big.NewInt(int64(f)), true
}

// limits are the least and the greatest integer of a type.
func limits(d lazy.DType) (lo, hi *big.Int) {
	bits := uint(8 * d.Size())
	one := big.NewInt(1)
	switch d {
	case lazy.U8, lazy.U16, lazy.U32, lazy.U64:
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	}
	half := new(big.Int).Lsh(one, bits-1)
	return new(big.Int).Neg(half), new(big.Int).Sub(half, one)
}

// integer is the low bytes of v in the machine's order.
func integer(v uint64, size int) []byte {
	p := make([]byte, 8)
	binary.LittleEndian.PutUint64(p, v)
	p = p[:size]
	codec.Native(p, size, binary.LittleEndian)
	return p
}

func real(v float64, d lazy.DType) []byte {
	if d == lazy.F32 {
		return integer(uint64(math.Float32bits(float32(v))), 4)
	}
	return integer(math.Float64bits(v), 8)
}

// fillWith repeats one voxel over p.
func fillWith(p, voxel []byte) {
	for n := copy(p, voxel); n < len(p); n *= 2 {
		copy(p[n:], p[:n])
	}
}
