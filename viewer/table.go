package viewer

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"lamella/lazy"
)

// WriteCSV writes measurements as a table with a line a shape and channel: where the shape lies, counted from 1, what
// it measures, and the filters that the values went through. What does not apply, or is not known, is left empty.
// Lengths are in micrometres; where the size of voxels is not known those columns are empty, and those in pixels are
// not.
func WriteCSV(out io.Writer, sc *Scene, s State, all []Measurement) error {
	w := csv.NewWriter(out)
	w.Write([]string{"shape", "name", "kind", "channel", "plane", "z", "t", "x", "y", "voxels", "area_um2", "mean", "sd", "min", "max", "sum",
		"not_finite", "length_um", "length_px", "angle_deg", "filters"})
	for _, m := range all {
		h := s.Shapes[m.Shape]
		g := sc.Extent(h)
		lo, hi := h.Box()
		across, down, _ := h.Cut.Axes()
		at := h.At
		at[across], at[down] = int(math.Round((lo[0]+hi[0])/2)), int(math.Round((lo[1]+hi[1])/2))
		row := []string{strconv.Itoa(m.Shape + 1), h.Name, h.Kind.String(), s.Channels[m.Channel].Name, h.Cut.String(),
			strconv.Itoa(at[lazy.Z] + 1), strconv.Itoa(at[lazy.T] + 1), strconv.Itoa(at[lazy.X] + 1), strconv.Itoa(at[lazy.Y] + 1), "", "", "", "", "", "", "", "", "", "", "", sc.Recipe()}
		if h.Kind.Area() || h.Kind == Point {
			row[9] = strconv.Itoa(m.Voxels)
		}
		if h.Kind.Area() && g.Unit == "µm" {
			row[10] = figure(g.Area)
		}
		if h.Kind != Angle {
			for i, v := range [...]float64{m.Mean, m.SD, m.Least, m.Most, m.Sum} {
				row[11+i] = figure(v)
			}
			row[16] = strconv.Itoa(m.NotFinite)
		}
		if h.Kind == Line || h.Kind.Area() {
			if g.Unit == "µm" {
				row[17] = figure(g.Length)
			} else {
				row[18] = figure(g.Length)
			}
		}
		if h.Kind == Line || h.Kind == Angle {
			row[19] = figure(g.Angle)
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// WriteProfiles writes profiles along one way as a table: how far along, and the value of each channel.
func WriteProfiles(out io.Writer, names []string, all []Profile) error {
	w := csv.NewWriter(out)
	unit := map[string]string{"": "index", "µm": "um"}[all[0].Unit]
	if unit == "" {
		unit = all[0].Unit
	}
	w.Write(append([]string{unit}, names...))
	for i, at := range all[0].At {
		row := []string{figure(at)}
		for _, p := range all {
			row = append(row, figure(p.Values[i]))
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// figure writes a number with the 15 digits that a float64 holds whatever its size: those after them are of rounding, as
// in 0.1 + 0.2. What is no number is empty.
func figure(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 15, 64)
}

// orientations are the names of cuts in files.
var orientations = [...]string{"xy", "xz", "yz", "zy"}

// String is the name of a cut, as the command line has it.
func (o Orientation) String() string { return orientations[o] }
