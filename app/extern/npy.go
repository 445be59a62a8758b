package extern

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"lamella/lazy"
)

// Blocks travel as .npy (numpy.lib.format): version 1.0 to the program, versions 1 to 3 from it; little-endian, in C
// order.

func kindOf(d lazy.DType) string {
	kind := "u"
	switch {
	case d.Float():
		kind = "f"
	case d == lazy.I8 || d == lazy.I16 || d == lazy.I32 || d == lazy.I64:
		kind = "i"
	}
	if d.Size() == 1 {
		return "|" + kind + "1"
	}
	return "<" + kind + strconv.Itoa(d.Size())
}

// npyHead is all before the voxels. It ends with a newline at a multiple of 64 bytes.
func npyHead(shape [3]int, d lazy.DType) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d, %d), }", kindOf(d), shape[0], shape[1], shape[2])
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text)))
	return append(head, text...)
}

// appendNPY adds region in of src, one time point of one channel, as a file.
func appendNPY(p []byte, in lazy.Region, src *lazy.Block) []byte {
	p = append(p, npyHead([3]int{in.Len(lazy.Z), in.Len(lazy.Y), in.Len(lazy.X)}, src.DType)...)
	from := len(p)
	size := src.DType.Size()
	row := in.Len(lazy.X) * size
	for line := range in.With(lazy.X, in.Min[lazy.X], in.Min[lazy.X]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		at := src.Offset(line.Min) * size
		p = append(p, src.Bytes()[at:at+row]...)
	}
	toNative(p[from:], src.DType) // which goes both ways
	return p
}

// littleEndian says whether the machine's order is that of the files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

func toNative(p []byte, d lazy.DType) {
	size := d.Size()
	if littleEndian || size == 1 {
		return
	}
	for ; len(p) >= size; p = p[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			p[i], p[j] = p[j], p[i]
		}
	}
}

// maxHead is the longest text in front of an answer.
const maxHead = 64 << 10

var (
	descrIn = regexp.MustCompile(`'descr'\s*:\s*'([^']*)'`)
	orderIn = regexp.MustCompile(`'fortran_order'\s*:\s*False`)
	shapeIn = regexp.MustCompile(`'shape'\s*:\s*\(([^)]*)\)`)
)

// errStream is about an answer after which the stream of answers cannot be followed any more.
type errStream struct{ error }

func (e errStream) Unwrap() error { return e.error }

// readNPY reads an answer into p, and refuses one that has another shape or type; it is read then too, where
// it says how long it is, so that the next can be.
func readNPY(from *bufio.Reader, p []byte, shape [3]int, d lazy.DType) error {
	head := make([]byte, 8, 12)
	if _, err := io.ReadFull(from, head); err != nil {
		return errStream{brokenOff(err, "within its header")}
	}
	if string(head[:6]) != "\x93NUMPY" || head[6] < 1 || head[6] > 3 {
		return errStream{fmt.Errorf("it answered %q, which is no .npy: nothing else may be printed to standard output", head)}
	}
	length := make([]byte, 4)
	if head[6] == 1 {
		length = length[:2]
	}
	if _, err := io.ReadFull(from, length); err != nil {
		return errStream{brokenOff(err, "within its header")}
	}
	n := int(binary.LittleEndian.Uint16(length))
	if len(length) == 4 {
		n = int(binary.LittleEndian.Uint32(length))
	}
	if n > maxHead {
		return errStream{fmt.Errorf("its .npy states a header of %d bytes", n)}
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(from, text); err != nil {
		return errStream{brokenOff(err, "within its header")}
	}
	descr, dims := descrIn.FindSubmatch(text), shapeIn.FindSubmatch(text)
	if descr == nil || dims == nil {
		return errStream{fmt.Errorf("its .npy says %q", strings.TrimSpace(string(text)))}
	}
	got := shapeOf(string(dims[1]))
	switch want := shape[:]; {
	case string(descr[1]) != kindOf(d):
		return errStream{fmt.Errorf("it answered values of type %s, expected %s (%v): change dtype= or the program", descr[1], kindOf(d), d)}
	case fmt.Sprint(got) != fmt.Sprint(want):
		return errStream{fmt.Errorf("it answered an array of shape %v, expected %v, as it was given", got, want)}
	case !orderIn.Match(text):
		return errStream{fmt.Errorf("it answered an array in Fortran's order; numpy.ascontiguousarray makes it C's")}
	}
	if n, err := io.ReadFull(from, p); err != nil {
		return errStream{brokenOff(err, fmt.Sprintf("after %d of %d bytes of voxels", n, len(p)))}
	}
	return nil
}

// errCut is that an answer was begun and not completed.
var errCut = errors.New("its answer breaks off")

// brokenOff says where an answer ended.
func brokenOff(err error, where string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w %s", errCut, where)
	}
	return err
}

func shapeOf(text string) (shape []int) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		shape = append(shape, n)
	}
	return shape
}
