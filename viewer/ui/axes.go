package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// An axisRow is one axis below the picture: play, its name, the slider, the number of the plane counted
// from 1, which can be written, and where that is in the specimen.
type axisRow struct {
	box    *fyne.Container
	axis   lazy.Axis
	play   *button
	pace   *button // how it is played
	name   *caption
	slider *scrubber
	number *field
	of     *caption
	where  *caption
}

// axes are the rows of the axis that the plane is normal to, time and channel. A row is only there if
// its axis has more than one voxel.
type axes struct {
	box  *fyne.Container
	rows [3]*axisRow
}

func newAxes(of *tips, move func(lazy.Axis, int), play func(lazy.Axis), pace func(below fyne.CanvasObject), typed func(lazy.Axis, string)) *axes {
	a := &axes{box: stacked(0)}
	for i, hint := range [...]string{"axis.z.tip", "axis.t.tip", "axis.c.tip"} {
		r := &axisRow{axis: [...]lazy.Axis{lazy.Z, lazy.T, lazy.C}[i]}
		r.slider = newScrubber(of, Say(hint), func(at int) { move(r.axis, at) })
		r.play = newIcon(of, theme.MediaPlayIcon(), Say("axis.play.tip"), func() { play(r.axis) })
		r.name = newCaption("", theme.ColorNameForeground, theme.SizeNameText)
		r.pace = newIcon(of, theme.MenuDropDownIcon(), Say("axis.pace.tip"), nil)
		r.pace.OnTapped = func() { pace(r.pace) }
		r.number = newField(of, Say("axis.number.tip"), 56, func(text string) {
			typed(r.axis, text)
			r.number.SetText(r.number.value)
		})
		r.number.whole = true
		r.of = newCaption("", theme.ColorNamePlaceHolder, theme.SizeNameText)
		r.where = newCaption("", theme.ColorNamePlaceHolder, theme.SizeNameText)
		r.where.align = fyne.TextAlignTrailing
		r.box = padded(8, 0, container.NewBorder(nil, nil,
			container.NewHBox(fixed(26, r.play), fixed(22, r.pace), fixed(16, r.name)),
			container.NewHBox(fixed(64, r.number), fixed(64, r.of), fixed(96, r.where)),
			r.slider))
		r.box.Hide()
		a.rows[i] = r
		a.box.Add(r.box)
	}
	a.rows[2].play.Hide()
	a.rows[2].pace.Hide()
	return a
}

func (a *axes) update(sc *viewer.Scene, s viewer.State) {
	_, _, normal := s.Cut.Axes()
	a.rows[0].axis = normal
	shape := sc.Meta().Shape
	for _, r := range a.rows {
		n, at := shape[r.axis], s.At[r.axis]
		r.name.set([lazy.Rank]string{"T", "Z", "C", "Y", "X"}[r.axis])
		r.slider.set(at, n)
		r.number.set(strconv.Itoa(at + 1))
		r.of.set("/ " + strconv.Itoa(n))
		where := sc.Where(r.axis, at)
		if r.axis == lazy.C && at < len(s.Channels) {
			where = s.Channels[at].Name
		}
		r.where.set(where)
		if on := n > 1; on != r.box.Visible() {
			r.box.Hidden = !on
			a.box.Refresh()
		}
	}
}

// playing shows which row plays; ok is false when none does.
func (a *axes) playing(axis lazy.Axis, ok bool) {
	for _, r := range a.rows {
		icon := theme.MediaPlayIcon()
		if ok && r.axis == axis {
			icon = theme.MediaPauseIcon()
		}
		r.play.SetIcon(icon)
	}
}

// setReady shows what is ready on each slider.
func (a *axes) setReady(r [lazy.Rank][]viewer.Readiness) {
	for _, row := range a.rows {
		row.slider.setReady(r[row.axis])
	}
}

// typePosition goes to a position that was written: the number of a plane, or a place with a unit.
func (v *View) typePosition(a lazy.Axis, text string) {
	if v.session == nil {
		return
	}
	if i, err := v.session.Scene().ParsePosition(a, text); err == nil {
		v.act(viewer.MoveTo(a, i))
	}
	v.update()
}
