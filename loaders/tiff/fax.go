package tiff

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/image/ccitt"
)

// decodeFax decodes CCITT group 3 (one-dimensional) and group 4 (ITU-T T.4 and T.6): black is 1.
func decodeFax(dst, src []byte, l *layout, rows int) (int, error) {
	order, format := ccitt.MSB, ccitt.Group3
	if l.reversed {
		order = ccitt.LSB
	}
	if l.compression == faxG4 {
		format = ccitt.Group4
	}
	r := ccitt.NewReader(bytes.NewReader(src), order, format, l.segW, rows, &ccitt.Options{Invert: true})
	n, err := io.ReadFull(r, dst)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return n, fmt.Errorf("ends after %d of %d rows", n/l.rowBytes(), rows)
	}
	return n, err
}
