package dicom

import (
	"fmt"

	"lamella/loaders"
)

// A syntax is a transfer syntax: how elements are written and pixels packed (PS3.5, annex A).
type syntax struct {
	uid, name string
	implicit  bool
	big       bool
	deflated  bool
	codec     codecName // "" if pixels are stored as they are
}

type codecName string

const (
	rleCodec    codecName = "rle"
	jpegCodec   codecName = "jpeg"
	jpegLSCodec codecName = "jpeg-ls"
	j2kCodec    codecName = "jpeg2000"
	noCodec     codecName = "?" // known, but not decoded
)

const root = "1.2.840.10008.1.2"

var syntaxes = []syntax{
	{uid: root, name: "implicit VR little endian", implicit: true},
	{uid: root + ".1", name: "explicit VR little endian"},
	{uid: root + ".1.98", name: "encapsulated uncompressed", codec: noCodec},
	{uid: root + ".1.99", name: "deflated explicit VR little endian", deflated: true},
	{uid: root + ".2", name: "explicit VR big endian", big: true},
	{uid: root + ".5", name: "RLE lossless", codec: rleCodec},
	{uid: root + ".4.50", name: "JPEG baseline", codec: jpegCodec},
	{uid: root + ".4.51", name: "JPEG extended", codec: jpegCodec},
	{uid: root + ".4.53", name: "JPEG spectral selection", codec: jpegCodec},
	{uid: root + ".4.55", name: "JPEG full progression", codec: jpegCodec},
	{uid: root + ".4.57", name: "JPEG lossless", codec: jpegCodec},
	{uid: root + ".4.70", name: "JPEG lossless, first-order prediction", codec: jpegCodec},
	{uid: root + ".4.80", name: "JPEG-LS lossless", codec: jpegLSCodec},
	{uid: root + ".4.81", name: "JPEG-LS near-lossless", codec: jpegLSCodec},
	{uid: root + ".4.90", name: "JPEG 2000 lossless", codec: j2kCodec},
	{uid: root + ".4.91", name: "JPEG 2000", codec: j2kCodec},
	{uid: root + ".4.92", name: "JPEG 2000 multi-component lossless", codec: noCodec},
	{uid: root + ".4.93", name: "JPEG 2000 multi-component", codec: noCodec},
	{uid: root + ".4.94", name: "JPIP referenced", codec: noCodec},
	{uid: root + ".4.95", name: "JPIP referenced deflate", codec: noCodec},
	{uid: root + ".4.100", name: "MPEG-2 main level", codec: noCodec},
	{uid: root + ".4.101", name: "MPEG-2 high level", codec: noCodec},
	{uid: root + ".4.102", name: "MPEG-4 AVC", codec: noCodec},
	{uid: root + ".4.103", name: "MPEG-4 AVC BD", codec: noCodec},
	{uid: root + ".4.107", name: "HEVC", codec: noCodec},
	{uid: root + ".4.108", name: "HEVC 10 bits", codec: noCodec},
	{uid: root + ".4.110", name: "JPEG XL lossless", codec: noCodec},
	{uid: root + ".4.111", name: "JPEG XL of JPEG", codec: noCodec},
	{uid: root + ".4.112", name: "JPEG XL", codec: noCodec},
	{uid: root + ".4.201", name: "high-throughput JPEG 2000 lossless", codec: noCodec},
	{uid: root + ".4.202", name: "high-throughput JPEG 2000 lossless RPCL", codec: noCodec},
	{uid: root + ".4.203", name: "high-throughput JPEG 2000", codec: noCodec},
}

// syntaxOf finds a transfer syntax. Private ones are refused, but not those of which only the pixels
// cannot be decoded: their elements can be read.
func syntaxOf(uid string) (syntax, error) {
	for _, s := range syntaxes {
		if s.uid == uid {
			return s, nil
		}
	}
	return syntax{}, fmt.Errorf("the transfer syntax %.64q is not known: %w", uid, loaders.ErrUnsupported)
}

// check says why pixels cannot be decoded, and what to do.
func (s syntax) check() error {
	if s.codec != noCodec {
		return nil
	}
	return fmt.Errorf("its pixels are packed by %s (transfer syntax %s), which is not decoded here; "+
		"unpack it with \"gdcmconv --raw IN OUT\" or \"dcmconv\" of DCMTK: %w", s.name, s.uid, loaders.ErrUnsupported)
}
