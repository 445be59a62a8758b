package mgh

import (
	"encoding/binary"

	"lamella/lazy"
	"lamella/loaders"
)

// said is what the header and the footer say, by the names of FreeSurfer's page. foot is nil where it was not read.
func said(head, foot []byte) []lazy.Entry {
	var e loaders.Entries
	e.AddFields(head, binary.BigEndian, `
0 i4 version
4 i4 width
8 i4 height
12 i4 depth
16 i4 nframes
20 i4 type
24 i4 dof
28 i2 goodRASFlag
`)
	if int16(binary.BigEndian.Uint16(head[28:])) > 0 {
		e.AddFields(head, binary.BigEndian, `
30 f4*3 spacing
42 f4*3 x_ras
54 f4*3 y_ras
66 f4*3 z_ras
78 f4*3 c_ras
`)
	}
	e.AddFields(foot, binary.BigEndian, `
0 f4 TR
4 f4 FlipAngle
8 f4 TE
12 f4 TI
`)
	return e.List()
}
