package tiff

import (
	"context"
	"math"
	"slices"
)

// A front is what the first directory of a series says about it, beyond its pixels.
type front struct {
	entries      []entry
	descriptions []string // of both ImageDescription tags that a writer may leave
	lost         error    // why a description could not be read, nil if all were
	software     string
	perUnit      [2]float64 // pixels per unit along x and y, 0 if not stated
	resolution   uint64     // ResolutionUnit: 1 none, 2 inch, 3 centimetre
}

// front reads the tags of the directory at off that pages do without.
func (r *reader) front(ctx context.Context, at int64) (front, error) {
	entries, _, err := r.directory(ctx, at)
	if err != nil {
		return front{}, err
	}
	f := front{entries: slices.Clone(entries), resolution: 1}
	for _, e := range f.entries {
		switch e.tag {
		case tagDescription, tagSoftware:
			s, err := r.text(ctx, e)
			switch {
			case ctx.Err() != nil:
				return f, ctx.Err()
			case err != nil: // a damaged text is no reason to lose the pixels
				if e.tag == tagDescription {
					f.lost = err
				}
			case e.tag == tagDescription:
				f.descriptions = append(f.descriptions, s)
			default:
				f.software = s
			}
		case tagXResolution, tagYResolution:
			if v, err := r.numbers(ctx, e, 1); err == nil && len(v) == 1 && !math.IsInf(v[0], 0) {
				f.perUnit[e.tag-tagXResolution] = length(v[0])
			}
		case tagResolutionUnit:
			if v, err := r.integer(ctx, e); err == nil {
				f.resolution = v
			}
		}
	}
	return f, nil
}

// pixelSize is the distance between pixels along y and x in micrometres as the resolution tags state
// it, 0 if they do not. Writers that know nothing of size put 72 or 96 dots per inch, the grain of a
// screen; that says how large to print, not how large the specimen was (ImageJ ignores it too).
func (f front) pixelSize() (y, x float64) {
	unit := map[uint64]float64{2: 25400, 3: 10000}[f.resolution]
	size := func(perUnit float64) float64 {
		if perUnit == 0 || f.resolution == 2 && (perUnit == 72 || perUnit == 96) {
			return 0
		}
		return length(unit / perUnit)
	}
	if f.perUnit[0] == 1 && f.perUnit[1] == 1 {
		return 0, 0 // one pixel a unit: a placeholder
	}
	return size(f.perUnit[1]), size(f.perUnit[0])
}
