// Package codec turns the bytes of one stored chunk, strip or tile into its voxels' bytes, and back.
// A codec is a function from a source to a destination of the size that the caller expects, so no
// claim inside the data decides how much memory is used:
//
//	voxels := make([]byte, strip.Rows*strip.Columns*2)
//	n, err := codec.LZW(voxels, packed)
//	if err == nil && n < len(voxels) { … the data ends early … }
//	codec.Native(voxels, 2, binary.BigEndian)
//	codec.Undiff(voxels, strip.Columns*2, 1, 2)
//
// Decoders give how many bytes they wrote. Data that are whole and hold more than the destination
// takes are reported by ErrLong, with the destination full; the other errors mean damage. Nothing
// here looks at voxels, files or contexts.
package codec

import "errors"

// ErrLong says that the data hold more than the destination takes. The destination has been filled.
var ErrLong = errors.New("holds more bytes than expected")

// ErrCorrupt is wrapped by errors about data that break the rules of their format.
var ErrCorrupt = errors.New("corrupt data")
