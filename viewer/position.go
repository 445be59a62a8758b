package viewer

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"lamella/lazy"
)

// errPosition is what a position is written like.
var errPosition = errors.New("viewer: not the number of a plane, nor a position with a unit")

// ParsePosition reads which voxel of an axis is meant: "34" is the 34th, "16.5 µm" or "2 s" the one nearest to
// there, where the size of voxels is known. What lies beyond the ends is the end.
func (sc *Scene) ParsePosition(a lazy.Axis, text string) (int, error) {
	text = strings.TrimSpace(text)
	last := sc.Meta().Shape[a] - 1
	if n, err := strconv.Atoi(text); err == nil {
		return max(0, min(last, n-1)), nil
	}
	negative := strings.HasPrefix(text, "-")
	at, err := 0.0, error(nil)
	if zero := strings.Trim(text[:strings.IndexFunc(text+" ", func(r rune) bool { return !strings.ContainsRune("-0123456789.", r) })], "-0."); zero != "" {
		at, err = ParseSize(a, strings.TrimPrefix(text, "-"))
	}
	scale := sc.Meta().Scale[a]
	if err != nil || !(scale > 0) || text == "" || !strings.ContainsAny(text, "0123456789") {
		return 0, errPosition
	}
	if negative {
		at = -at
	}
	i := math.Round((at - sc.Meta().Origin[a]) / scale)
	return int(max(0, min(float64(last), i))), nil
}
