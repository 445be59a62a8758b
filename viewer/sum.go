package viewer

import "encoding/binary"

// addRow adds colours to the pixels of a row, as add does: with the processor's vectors as far as it has them.
func addRow(row []byte, colors []uint32) {
	n := addVectors(row, colors)
	row, colors = row[4*n:], colors[n:]
	for i, c := range colors {
		p := row[4*i : 4*i+4]
		binary.LittleEndian.PutUint32(p, add(binary.LittleEndian.Uint32(p), c))
	}
}
