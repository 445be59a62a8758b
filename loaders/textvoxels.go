package loaders

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"lamella/lazy"
	"lamella/loaders/store"
)

// Text is random access to voxels of type d that are written in f as decimal numbers between blanks, line
// ends or commas, n of them; as bytes of the machine's order. It is read once, as a packed stream is. It
// refuses with ErrDamaged more numbers than f has room for.
func Text(f store.File, d lazy.DType, n int64) (store.File, error) {
	if n > f.Size()/2+1 {
		return nil, fmt.Errorf("%d bytes of text are no %d numbers: %w", f.Size(), n, ErrDamaged)
	}
	return store.Unpacked(f, n*int64(d.Size()), "text of "+d.String(), func(r io.Reader) (io.Reader, error) {
		return &numbers{text: bufio.NewReader(r), d: d}, nil
	}), nil
}

// Hex is random access to the size bytes that are written in f as pairs of hexadecimal digits, with blanks
// and line ends anywhere between them.
func Hex(f store.File, size int64) (store.File, error) {
	if size > f.Size()/2 {
		return nil, fmt.Errorf("%d bytes of hexadecimal text are no %d bytes: %w", f.Size(), size, ErrDamaged)
	}
	return store.Unpacked(f, size, "hexadecimal text", func(r io.Reader) (io.Reader, error) {
		return &hexDigits{bufio.NewReader(r)}, nil
	}), nil
}

// maxWord is longer than any number that is written as text.
const maxWord = 400

// numbers turns text into voxels. It is read by whole voxels.
type numbers struct {
	text *bufio.Reader
	d    lazy.DType
	rest []byte // of a voxel that was asked for in part
}

func (t *numbers) Read(p []byte) (int, error) {
	done := copy(p, t.rest)
	t.rest = t.rest[done:]
	var buf [8]byte
	for done < len(p) {
		word, err := t.word()
		if err != nil {
			return done, err
		}
		v := buf[:t.d.Size()]
		if err := put(v, t.d, word); err != nil {
			return done, err
		}
		n := copy(p[done:], v)
		done += n
		t.rest = append(t.rest[:0], v[n:]...)
	}
	return done, nil
}

func (t *numbers) word() (string, error) {
	var word []byte
	for {
		c, err := t.text.ReadByte()
		blank := c <= ' ' || c == ','
		switch {
		case err == io.EOF && len(word) > 0, err == nil && blank && len(word) > 0:
			return string(word), nil
		case err != nil:
			return "", err
		case blank:
		case len(word) == maxWord:
			return "", errors.New("a number of more than 400 digits")
		default:
			word = append(word, c)
		}
	}
}

// put writes one number in the machine's order.
func put(v []byte, d lazy.DType, word string) error {
	var bits uint64
	var err error
	switch {
	case d == lazy.F32:
		var f float64
		f, err = strconv.ParseFloat(word, 32)
		bits = uint64(math.Float32bits(float32(f)))
	case d == lazy.F64:
		var f float64
		f, err = strconv.ParseFloat(word, 64)
		bits = math.Float64bits(f)
	case d == lazy.U8 || d == lazy.U16 || d == lazy.U32 || d == lazy.U64:
		bits, err = strconv.ParseUint(word, 10, 8*d.Size())
	default:
		var i int64
		i, err = strconv.ParseInt(word, 10, 8*d.Size())
		bits = uint64(i)
	}
	if err != nil && errors.Is(err, strconv.ErrRange) && (d == lazy.F32 || d == lazy.F64) {
		err = nil // an infinity, as every reader of text gives it
	}
	if err != nil {
		return fmt.Errorf("%.20q is no %v", word, d)
	}
	switch len(v) {
	case 1:
		v[0] = byte(bits)
	case 2:
		binary.NativeEndian.PutUint16(v, uint16(bits))
	case 4:
		binary.NativeEndian.PutUint32(v, uint32(bits))
	default:
		binary.NativeEndian.PutUint64(v, bits)
	}
	return nil
}

type hexDigits struct{ text *bufio.Reader }

func (h *hexDigits) Read(p []byte) (int, error) {
	for i := range p {
		high, err := h.digit()
		if err != nil {
			return i, err
		}
		low, err := h.digit()
		if err != nil {
			return i, err
		}
		p[i] = high<<4 | low
	}
	return len(p), nil
}

func (h *hexDigits) digit() (byte, error) {
	for {
		c, err := h.text.ReadByte()
		switch {
		case err != nil:
			return 0, err
		case c >= '0' && c <= '9':
			return c - '0', nil
		case c >= 'a' && c <= 'f':
			return c - 'a' + 10, nil
		case c >= 'A' && c <= 'F':
			return c - 'A' + 10, nil
		case c > ' ':
			return 0, fmt.Errorf("%q is no hexadecimal digit", c)
		}
	}
}
