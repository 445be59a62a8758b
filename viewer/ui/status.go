package ui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// statusBar is the line at the window's lower edge: what lies under the pointer, what the plane took,
// what computes, and the memory in use.
type statusBar struct {
	box    *fyne.Container
	under  *told
	cost   *told
	device *deviceMark
	memory *told
}

func newStatusBar(of *tips) *statusBar {
	b := &statusBar{}
	b.under = newTold(of, Say("status.under.tip"), theme.ColorNameForeground, sizeCaption)
	b.cost = newTold(of, Say("cost.tip"), theme.ColorNamePlaceHolder, sizeCaption)
	b.device = newDeviceMark(of)
	b.memory = newTold(of, Say("status.memory.tip"), theme.ColorNamePlaceHolder, sizeCaption)
	b.cost.align, b.memory.align = fyne.TextAlignTrailing, fyne.TextAlignTrailing
	b.box = padded(8, 3, container.NewBorder(nil, nil, nil,
		container.NewHBox(fixed(330, b.cost), fixed(140, b.device), fixed(112, b.memory)), b.under))
	return b
}

// update shows a report, with what images beside the one under the pointer have at its place.
func (b *statusBar) update(sc *viewer.Scene, s viewer.State, r viewer.Report, beside []string) {
	under := readout(sc, s, r)
	if under != "" {
		under = strings.Join(append([]string{under}, beside...), "   ·   ")
	}
	b.under.set(under)
	b.cost.set(summary(r))
	if r.Budget > 0 {
		b.memory.set(Say("status.memory", "Used", bytes(r.Used), "Budget", bytes(r.Budget)))
	}
}

// readout writes the voxel under the pointer, its place in the specimen, and its values: as stored,
// and after the filters where there are any.
func readout(sc *viewer.Scene, s viewer.State, r viewer.Report) string {
	o := r.Readout
	if !o.Valid {
		return ""
	}
	v := o.Voxel
	parts := []string{"x " + strconv.Itoa(v[lazy.X]+1) + "  y " + strconv.Itoa(v[lazy.Y]+1) + "  z " + strconv.Itoa(v[lazy.Z]+1)}
	if where := place(sc, v); where != "" {
		parts = append(parts, where)
	}
	switch {
	case o.Shown == nil:
		parts = append(parts, Say("status.value", "Value", values(s, o.Raw)))
	case len(o.Raw) == 0:
		parts = append(parts, "→ "+values(s, o.Shown))
	default:
		parts = append(parts, Say("status.raw", "Raw", values(s, o.Raw), "Shown", values(s, o.Shown)))
	}
	if o.Label != "" && o.Label != "0" {
		parts = append(parts, Say("status.label", "Label", o.Label))
	}
	if r.Level > 0 {
		parts = append(parts, Say("status.level", "Level", strconv.Itoa(r.Level), "Last", strconv.Itoa(r.Levels-1)))
	}
	if r.Preview {
		parts = append(parts, Say("status.preview"))
	}
	return strings.Join(parts, "   ·   ")
}

// place is the position of a voxel along x, y and z in micrometres, as far as it is known.
func place(sc *viewer.Scene, v lazy.Index) string {
	var at []string
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		w := sc.Where(a, v[a])
		if w == "" {
			if a == lazy.Z { // a single plane has no place along z
				continue
			}
			return ""
		}
		at = append(at, strings.TrimSuffix(w, " µm"))
	}
	return strings.Join(at, ", ") + " µm"
}

// values writes the value of each channel drawn; several are told apart by their names.
func values(s viewer.State, v []viewer.Value) string {
	var t []string
	for _, x := range v {
		text := x.Text
		if len(v) > 1 && len(v) <= 4 && x.Channel < len(s.Channels) {
			text = s.Channels[x.Channel].Name + " " + text
		}
		t = append(t, text)
	}
	return strings.Join(t, ", ")
}
