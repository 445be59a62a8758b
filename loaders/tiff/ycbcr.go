package tiff

import "lamella/loaders/codec"

// Outside JPEG, YCbCr with subsampled colours is stored by units (TIFF 6.0, section 21): the luma of subX x subY pixels, row by
// row, and their Cb and Cr. There is no array of such samples, so they become RGB, as in JPEG; each colour
// holds for all pixels of its unit, as libtiff has it.

// unitX is how many units lie beside each other in a strip or tile, 0 if the page has none.
func (l *layout) unitX() int {
	if l.photometric != yCbCr || l.compression == newJPEG || l.compression == oldJPEG || l.compression == webP || l.subX <= 1 && l.subY <= 1 {
		return 0
	}
	return (l.segW + int(max(1, l.subX)) - 1) / int(max(1, l.subX))
}

// storedBytes is how long rows of a strip or tile are before they were packed.
func (l *layout) storedBytes(rows int) int {
	across := l.unitX()
	if across == 0 {
		return rows * l.rowBytes()
	}
	x, y := int(max(1, l.subX)), int(max(1, l.subY))
	return across * ((rows + y - 1) / y) * (x*y + 2)
}

// fromUnits makes pixels of three bytes of units.
func fromUnits(dst, src []byte, l *layout, rows int) {
	subX, subY, across := int(max(1, l.subX)), int(max(1, l.subY)), l.unitX()
	size := subX*subY + 2
	for y := range rows {
		for x := range l.segW {
			unit := src[(y/subY*across+x/subX)*size:][:size]
			copy(dst[3*(y*l.segW+x):], []byte{unit[y%subY*subX+x%subX], unit[size-2], unit[size-1]})
		}
	}
	codec.YCbCrToRGB(dst[:3*rows*l.segW])
}
