package codec

import (
	"bytes"
	"compress/bzip2"
	"fmt"
)

// Bz2 decodes bzip2 streams.
func Bz2(dst, src []byte) (int, error) {
	n, err := fill(dst, bzip2.NewReader(bytes.NewReader(src)))
	if err != nil {
		err = fmt.Errorf("codec: bz2: after %d bytes: %w", n, err)
	}
	return n, err
}
