package mgh

import (
	"encoding/binary"

	"lamella/lazy"
	"lamella/loaders"
)

// said is what the header and the footer say, by the names of FreeSurfer's page. foot is nil where it was not read.
func said(head, foot []byte) []lazy.Entry {
	var e loaders.Entries
	e.AddFields(head, binary.BigEndian, []loaders.Field{
		{"version", 0, "i4", 1}, {"width", 4, "i4", 1}, {"height", 8, "i4", 1}, {"depth", 12, "i4", 1}, {"nframes", 16, "i4", 1},
		{"type", 20, "i4", 1}, {"dof", 24, "i4", 1}, {"goodRASFlag", 28, "i2", 1},
	})
	if int16(binary.BigEndian.Uint16(head[28:])) > 0 {
		e.AddFields(head, binary.BigEndian, []loaders.Field{{"spacing", 30, "f4", 3}, {"x_ras", 42, "f4", 3}, {"y_ras", 54, "f4", 3}, {"z_ras", 66, "f4", 3}, {"c_ras", 78, "f4", 3}})
	}
	e.AddFields(foot, binary.BigEndian, []loaders.Field{{"TR", 0, "f4", 1}, {"FlipAngle", 4, "f4", 1}, {"TE", 8, "f4", 1}, {"TI", 12, "f4", 1}})
	return e.List()
}
