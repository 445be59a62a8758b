package tiff

import (
	"math/bits"

	"lamella/loaders/codec"
)

// decodeFax decodes CCITT facsimile: black is 1, whatever the page says that it means.
func decodeFax(dst, src []byte, l *layout) (int, error) {
	if l.reversed {
		for i, b := range src {
			src[i] = bits.Reverse8(b)
		}
	}
	kind := codec.FaxG4
	switch {
	case l.compression == faxRLE:
		kind = codec.FaxRLE
	case l.compression == faxRLEWord:
		kind = codec.FaxRLEWord
	case l.compression == faxG3 && l.faxOptions&1 == 0:
		kind = codec.FaxG3
	case l.compression == faxG3:
		kind = codec.FaxG32D
	}
	return codec.Fax(dst, src, l.segW, kind)
}
