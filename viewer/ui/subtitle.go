package ui

import (
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/viewer"
)

// subtitle is the line above the picture, in the order in which ImageJ has it: which plane, the size of
// it, the type of a voxel.
func subtitle(sc *viewer.Scene, s viewer.State, r viewer.Report) string {
	m := sc.Meta()
	across, down, normal := s.Cut.Axes()
	var parts []string
	if n := m.Shape[normal]; n > 1 {
		parts = append(parts, strconv.Itoa(s.At[normal]+1)+"/"+strconv.Itoa(n))
	}
	pixels := strconv.Itoa(m.Shape[across]) + " × " + strconv.Itoa(m.Shape[down])
	if sc.Calibrated(across) && sc.Calibrated(down) {
		parts = append(parts, extent(float64(m.Shape[across])*m.Scale[across], float64(m.Shape[down])*m.Scale[down])+" ("+pixels+")")
	} else {
		parts = append(parts, pixels)
	}
	parts = append(parts, m.DType.String())
	if s.Cut != viewer.XY {
		parts = append(parts, [...]string{"XY", "XZ", "YZ", "ZY"}[s.Cut])
	}
	parts = append(parts, percent(s.Zoom))
	if r.Levels > 1 {
		parts = append(parts, Say("status.level", "Level", strconv.Itoa(r.Level), "Last", strconv.Itoa(r.Levels-1)))
	}
	if r.Preview {
		parts = append(parts, Say("status.preview"))
	}
	if sc.Image.Assumed != "" {
		parts = append(parts, Say("status.assumed", "Axes", strings.ToUpper(sc.Image.Assumed)))
	}
	switch {
	case s.Sizes != viewer.Sizes{}:
		parts = append(parts, Say("subtitle.edited"))
	case !sc.Calibrated(lazy.X) || !sc.Calibrated(lazy.Y):
		parts = append(parts, Say("subtitle.unknown"))
	}
	return strings.Join(parts, "  ·  ")
}

// subtitled is the line for what is on view.
func (v *View) subtitled(r viewer.Report) string {
	text := subtitle(v.session.Scene(), v.session.State(), r)
	if v.follow {
		text = Say("subtitle.following") + "  ·  " + text
	}
	return text
}

// percent writes a zoom with three digits that matter.
func percent(zoom float64) string {
	if zoom >= 1 {
		return strconv.FormatFloat(100*zoom, 'f', 0, 64) + " %"
	}
	return strconv.FormatFloat(100*zoom, 'g', 3, 64) + " %"
}

// extent writes two lengths in micrometres in the unit that suits the larger, with three digits that
// matter.
func extent(a, b float64) string {
	unit, by := "µm", 1.0
	switch most := max(a, b); {
	case most >= 1e4:
		unit, by = "mm", 1e-3
	case most < 1:
		unit, by = "nm", 1e3
	}
	digits := func(v float64) string {
		if v >= 100 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return digits(a*by) + " × " + digits(b*by) + " " + unit
}

// About is a dataset in a few words, for the list of recent ones: its shape and the type of a voxel.
func About(set *lazy.Dataset) string {
	if len(set.Images) == 0 || len(set.Images[0].Levels) == 0 {
		return ""
	}
	m := set.Images[0].Levels[0].Array.Meta()
	var lengths []string
	for a, n := range m.Shape {
		if n > 1 || a >= int(lazy.Y) {
			lengths = append(lengths, strconv.Itoa(n))
		}
	}
	return strings.Join(lengths, " × ") + "  " + m.DType.String()
}
