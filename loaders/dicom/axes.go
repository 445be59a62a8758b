package dicom

import (
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// order is the axes along which there are several frames, slowest first, and rows and columns: a word that rename
// takes. "" where the frames have channels of their own and of colours.
func (v *volume) order(word string, samples int) lazy.Order {
	if samples > 1 && v.c > 1 {
		return lazy.Order{}
	}
	if word == "" {
		for i, n := range []int{v.t, v.z, v.c} {
			if n > 1 {
				word += lazy.Axis(i).String()
			}
		}
		word += "yx"
	}
	return lazy.Order{Axes: strings.TrimSuffix(strings.ToLower(word), "c"), Fixed: 2}
}

// rename gives the frames the axes of the user's word, such as "tyx" for frames that follow each other in
// time, or "tzyx" for those that are two-dimensional already. Samples of colour need no letter.
func (v *volume) rename(word string, samples int) error {
	axes, err := loaders.ParseAxes(word, len(word))
	if err != nil {
		return err
	}
	var letters []lazy.Axis
	for _, a := range axes {
		if a < lazy.Y && !(a == lazy.C && samples > 1) {
			letters = append(letters, a)
		}
	}
	bad := fmt.Errorf("axes %q for %d x %d x %d frames along t, z and c, which may be named in the order slowest first, and y and x behind them: %w",
		word, v.t, v.z, v.c, loaders.ErrUnsupported)
	if !strings.HasSuffix(strings.ToLower(word), "yx") && !strings.HasSuffix(strings.ToLower(word), "yxc") {
		return bad
	}
	var long []int
	for _, n := range []int{v.t, v.z, v.c} {
		if n > 1 {
			long = append(long, n)
		}
	}
	switch {
	case len(letters) == 1:
		long = []int{len(v.slices)}
	case len(letters) != len(long):
		return bad
	}
	had := [3]int{v.t, v.z, v.c}
	now := [3]int{1, 1, 1}
	for i, a := range letters {
		now[a] = long[i]
	}
	old := v.slices
	v.slices = make([]slice, 0, len(old))
	for t := range now[lazy.T] {
		for z := range now[lazy.Z] {
			for c := range now[lazy.C] {
				at, n := lazy.Index{t, z, c}, 0
				for i, a := range letters {
					n = n*long[i] + at[a]
				}
				v.slices = append(v.slices, old[n])
			}
		}
	}
	v.t, v.z, v.c = now[0], now[1], now[2]
	if now != had {
		// What was known of the axes does not hold for others.
		v.channels, v.seconds = nil, 0
		if now[lazy.Z] != had[lazy.Z] {
			v.step = 0
		}
	}
	return nil
}
