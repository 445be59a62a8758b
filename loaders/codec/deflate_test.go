package codec_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"testing"

	"lamella/loaders/codec"
)

func TestAWrongChecksumIsAnErrorHoweverMuchIsAskedFor(t *testing.T) {
	raw := noise(1000)
	for name, c := range map[string]struct {
		pack     func(io.Writer) io.WriteCloser
		decode   func(dst, src []byte) (int, error)
		checksum int // its place, from the end
	}{
		"zlib": {func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, codec.Zlib, 4},
		"gzip": {func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, codec.Gzip, 8},
	} {
		var b bytes.Buffer
		w := c.pack(&b)
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		wrong := bytes.Clone(whole)
		wrong[len(wrong)-c.checksum] ^= 1
		for _, n := range []int{1, 500, 999, 1000, 1001} {
			dst := make([]byte, n)
			if _, err := c.decode(dst, whole); (n < 1000) != errors.Is(err, codec.ErrLong) || n >= 1000 && err != nil {
				t.Errorf("%s, %d bytes of 1000: %v", name, n, err)
			}
			if _, err := c.decode(dst, wrong); err == nil || errors.Is(err, codec.ErrLong) {
				t.Errorf("%s, %d bytes of 1000, its checksum changed: %v", name, n, err)
			}
			if _, err := c.decode(dst, whole[:len(whole)-c.checksum]); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s, %d bytes of 1000, without a checksum: %v", name, n, err)
			}
		}
	}
}
