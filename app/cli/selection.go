package cli

import (
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/lazy"
)

// A selection is the words that name a region of the result.
type selection struct {
	plane        string
	at           int
	atUM         float64
	hasAt, hasUM bool
	t, c, roi    string
}

// regionFlags adds the words that name a region.
func (s *selection) regionFlags(cmd *cobra.Command, defaultT string) {
	f := cmd.Flags()
	f.StringVar(&s.t, "t", defaultT, "time `POINTS`: N, A:B or all")
	f.StringVar(&s.c, "c", "all", "`CHANNELS`: N, A:B or all")
	f.StringVar(&s.roi, "roi", "", "a `BOX`: x=A:B,y=A:B,z=A:B, half-open, any subset, cut to what exists")
}

// planeFlags adds the words that name one plane.
func (s *selection) planeFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.plane, "plane", "xy", "`ORIENTATION` of the plane: xy, xz or yz")
	f.IntVar(&s.at, "at", 0, "`INDEX` on the axis that the plane is normal to (default the middle)")
	f.Float64Var(&s.atUM, "at-um", 0, "the same as a `POSITION` in micrometres")
	pre := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		s.hasAt, s.hasUM = f.Changed("at"), f.Changed("at-um")
		if pre != nil {
			return pre(cmd, args)
		}
		return nil
	}
}

// box is the region of an array that the selection names. Errors are of words.
func (s *selection) box(m lazy.Meta) (lazy.Region, error) {
	r := m.Shape.Whole()
	roi, err := parseROI(s.roi)
	if err != nil {
		return r, err
	}
	for a := range lazy.Axis(lazy.Rank) {
		word := map[lazy.Axis]string{lazy.T: s.t, lazy.C: s.c}[a]
		span, boxed := roi[a]
		if !boxed {
			if r.Min[a], r.Max[a], err = parseRange("--"+a.String(), word, m.Shape[a]); err != nil {
				return r, err
			}
			continue
		}
		if word != "" && word != "all" {
			return r, usagef("--%v and --roi %v= both name the same axis", a, a)
		}
		r.Min[a], r.Max[a] = max(0, span[0]), min(m.Shape[a], span[1])
		if r.Min[a] >= r.Max[a] {
			return r, usagef("--roi %v=%d:%d holds nothing of 0:%d", a, span[0], span[1], m.Shape[a])
		}
	}
	return r, nil
}

// cut is the one plane of an array that the selection names.
func (s *selection) cut(m lazy.Meta) (lazy.Region, export.View, error) {
	view, err := export.ParseView(s.plane)
	if err != nil {
		return lazy.Region{}, view, usagef("--plane %s: not xy, xz or yz", s.plane)
	}
	r, err := s.box(m)
	if err != nil {
		return r, view, err
	}
	if n := r.Len(lazy.T); n != 1 {
		return r, view, usagef("--t %s names %d time points; a plane has one", s.t, n)
	}
	n := view.Normal()
	at := m.Shape[n] / 2
	switch roi, _ := parseROI(s.roi); {
	case s.hasAt && s.hasUM:
		return r, view, usagef("--at and --at-um both name the plane")
	case s.hasAt:
		at = s.at
	case s.hasUM:
		if at, err = indexAt(m, n, s.atUM); err != nil {
			return r, view, err
		}
	case roi[n] != [2]int{}:
		if r.Len(n) != 1 {
			return r, view, usagef("--roi %v= names %d planes; --at names one", n, r.Len(n))
		}
		at = r.Min[n]
	}
	if at < 0 || at >= m.Shape[n] {
		return r, view, usagef("plane %d along %v does not exist: there are %d, counted from 0", at, n, m.Shape[n])
	}
	return r.With(n, at, at+1), view, nil
}

// indexAt is the voxel nearest to a position in micrometres.
func indexAt(m lazy.Meta, a lazy.Axis, um float64) (int, error) {
	if m.Scale[a] <= 0 || m.Unit[a] != "um" {
		return 0, usagef("--at-um: the source does not state the voxel size along %v; name the plane by --at", a)
	}
	i := math.Round((um - m.Origin[a]) / m.Scale[a])
	if !(i >= 0 && i < float64(m.Shape[a])) {
		last := m.Origin[a] + float64(m.Shape[a]-1)*m.Scale[a]
		return 0, usagef("--at-um %v: planes along %v lie from %g to %g µm", um, a, m.Origin[a], last)
	}
	return int(i), nil
}

// parseRange reads "N", "A:B" or "all" for an axis of n voxels.
func parseRange(flag, word string, n int) (low, high int, err error) {
	if word == "all" || word == "" {
		return 0, n, nil
	}
	first, last, isRange := strings.Cut(word, ":")
	if low, err = strconv.Atoi(first); err != nil {
		return 0, 0, usagef("%s %s: not a number, A:B or all", flag, word)
	}
	high = low + 1
	if isRange {
		if high, err = strconv.Atoi(last); err != nil {
			return 0, 0, usagef("%s %s: not a number, A:B or all", flag, word)
		}
	}
	if low < 0 || high > n || low >= high {
		return 0, 0, usagef("%s %s: there are %d, counted from 0", flag, word, n)
	}
	return low, high, nil
}

// parseROI reads "x=A:B,y=A:B". Either end may be left out.
func parseROI(text string) (map[lazy.Axis][2]int, error) {
	roi := map[lazy.Axis][2]int{}
	if text == "" {
		return roi, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, span, ok := strings.Cut(strings.TrimSpace(part), "=")
		axis := lazy.Axis(strings.Index("tzcyx", name))
		if !ok || len(name) != 1 || axis < 0 {
			return nil, usagef("--roi %s: %q is not an axis (t, z, c, y, x), = and A:B", text, part)
		}
		if _, twice := roi[axis]; twice {
			return nil, usagef("--roi %s: %s is named twice", text, name)
		}
		first, last, isRange := strings.Cut(span, ":")
		low, high := 0, math.MaxInt
		var err error
		if first != "" || !isRange {
			low, err = strconv.Atoi(first)
		}
		if err == nil && isRange && last != "" {
			high, err = strconv.Atoi(last)
		}
		if !isRange {
			high = low + 1
		}
		if err != nil || high <= low {
			return nil, usagef("--roi %s: %q is not a half-open range A:B", text, span)
		}
		roi[axis] = [2]int{low, high}
	}
	return roi, nil
}
