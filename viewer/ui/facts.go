package ui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// facts is what is known of a stencil: a name and a value a line.
type facts struct {
	box   *fyne.Container
	lines [7]*told
}

// factKeys are the names of the lines.
var factKeys = [...]string{"stencil.kind", "stencil.reach", "stencil.inputs", "stencil.form", "stencil.work", "stencil.result", "stencil.plane"}

func newFacts(of *tips) *facts {
	f := &facts{box: stacked(2)}
	for i, key := range factKeys {
		hint := Say(key + ".tip")
		name := newTold(of, hint, theme.ColorNamePlaceHolder, sizeCaption)
		name.set(Say(key))
		f.lines[i] = newTold(of, hint, theme.ColorNameForeground, sizeCaption)
		f.box.Add(around(nil, nil, fixed(72, name), nil, f.lines[i]))
	}
	return f
}

// update shows a formula; nil is one that cannot be told of. While the text is unfinished it is the formula in
// the picture, and paler.
func (f *facts) update(m *viewer.Formula, unfinished bool) {
	ink := theme.ColorNameForeground
	if unfinished {
		ink = theme.ColorNamePlaceHolder
	}
	texts := [len(factKeys) - 1]string{}
	if m != nil {
		texts = [...]string{kind(m), reachOf(m), strconv.Itoa(m.Inputs), form(m), count("stencil.operations", m.Operations, "N", group(m.Operations)), m.Type.String()}
	}
	for i, t := range texts {
		f.lines[i].paint(ink)
		f.lines[i].set(t)
	}
}

// cost shows what the plane on view took.
func (f *facts) cost(r viewer.Report) {
	text := Say("cost.waiting")
	switch c := r.Cost; {
	case r.Slow:
		text = Say("stencil.computing")
	case c.Device != "":
		text = count("stencil.took", c.ChunksRead, "Computed", group(c.VoxelsComputed), "Out", group(c.VoxelsOut), "Chunks", group(c.ChunksRead))
	}
	f.lines[len(f.lines)-1].set(text)
}

func kind(m *viewer.Formula) string {
	switch h := m.Halo; {
	case h == lazy.Halo{}:
		return Say("stencil.kind.voxel")
	case h.Before[lazy.Z] == 0 && h.After[lazy.Z] == 0:
		return Say("stencil.kind.plane")
	}
	return Say("stencil.kind.volume")
}

// reachOf writes how far the formula looks along each axis: "y ±1   x −1…+2".
func reachOf(m *viewer.Formula) string {
	var parts []string
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		before, after := m.Halo.Before[a], m.Halo.After[a]
		name := strings.ToLower(a.String()) + " "
		switch {
		case before == 0 && after == 0:
		case before == after:
			parts = append(parts, name+"±"+strconv.Itoa(after))
		default:
			parts = append(parts, name+signed(-before)+"…"+signed(after))
		}
	}
	if len(parts) == 0 {
		return Say("stencil.reach.none")
	}
	return strings.Join(parts, "   ") + " " + Say("chain.voxels")
}

func signed(n int) string {
	switch {
	case n < 0:
		return "−" + strconv.Itoa(-n)
	case n > 0:
		return "+" + strconv.Itoa(n)
	}
	return "0"
}

func form(m *viewer.Formula) string {
	switch m.Form {
	case viewer.WeightedSum:
		return Say("stencil.form.linear")
	case viewer.OfWeightedSum:
		return Say("stencil.form.tail")
	}
	return Say("stencil.form.free")
}

// inShort is a formula in one line, for a row that is folded.
func inShort(m *viewer.Formula) string {
	if m == nil {
		return ""
	}
	if m.Halo == (lazy.Halo{}) {
		return kind(m)
	}
	return kind(m) + "   " + reachOf(m)
}
