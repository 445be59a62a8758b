package sequence

import (
	"fmt"

	"lamella/loaders"
)

// unfilter undoes the filter of one row in place (ISO/IEC 15948, section 9): each byte was stored as
// its difference to what is expected from the pixel to the left, step bytes before, and the row above.
func unfilter(kind byte, row, above []byte, step int) error {
	above = above[:len(row)]
	switch kind {
	case 0:
	case 1: // left
		for i := step; i < len(row); i++ {
			row[i] += row[i-step]
		}
	case 2: // above
		for i, b := range above {
			row[i] += b
		}
	case 3: // the mean of both
		for i := range min(step, len(row)) {
			row[i] += above[i] / 2
		}
		for i := step; i < len(row); i++ {
			row[i] += byte((int(row[i-step]) + int(above[i])) / 2)
		}
	case 4: // the one of left, above and above-left that is nearest to left + above - above-left
		for i := range min(step, len(row)) {
			row[i] += above[i]
		}
		for i := step; i < len(row); i++ {
			row[i] += paeth(int(row[i-step]), int(above[i]), int(above[i-step]))
		}
	default:
		return fmt.Errorf("PNG row with filter %d: %w", kind, loaders.ErrDamaged)
	}
	return nil
}

func paeth(left, above, corner int) byte {
	toLeft, toAbove := above-corner, left-corner // distances of the guess to each
	toCorner := toLeft + toAbove
	toLeft, toAbove, toCorner = max(toLeft, -toLeft), max(toAbove, -toAbove), max(toCorner, -toCorner)
	switch {
	case toLeft <= toAbove && toLeft <= toCorner:
		return byte(left)
	case toAbove <= toCorner:
		return byte(above)
	}
	return byte(corner)
}
