package viewer

import "strconv"

// Label is what stands beside shape number i, counted from 0: its name, or else its number counted from 1, and what it
// measures.
func (sc *Scene) Label(h Shape, i int) string {
	name := h.Name
	if name == "" {
		name = strconv.Itoa(i + 1)
	}
	if m := sc.Measures(h); m != "" {
		return name + "  " + m
	}
	return name
}

// Measures is the length of a line, an angle or an area, with its unit; "" of a point, and of an angle that is not finished.
func (sc *Scene) Measures(h Shape) string {
	g := sc.Extent(h)
	switch calibrated := g.Unit == "µm"; {
	case h.Kind == Line && calibrated:
		return Length(g.Length)
	case h.Kind == Line:
		return strconv.FormatFloat(g.Length, 'g', 5, 64) + " px"
	case h.Kind == Angle && len(h.Points) == 3:
		return strconv.FormatFloat(g.Angle, 'f', 1, 64) + "°"
	case h.Kind.Area() && calibrated:
		return strconv.FormatFloat(g.Area, 'g', 4, 64) + " µm²"
	case h.Kind.Area():
		return strconv.FormatFloat(g.Area, 'f', -1, 64) + " px²"
	}
	return ""
}
