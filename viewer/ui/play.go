package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
	"lamella/viewer"
)

// player steps along an axis by the clock, as a Playback says.
type player struct {
	on   bool
	axis lazy.Axis
	how  viewer.Playback
	tick *time.Timer
	last time.Time // up to when steps have been taken
}

// playAxis is time where there is any, else the axis of the planes.
func (v *View) playAxis() lazy.Axis {
	if v.session.Scene().Meta().Shape[lazy.T] > 1 {
		return lazy.T
	}
	_, _, normal := v.session.State().Cut.Axes()
	return normal
}

// playOrStop stops what plays, along whichever axis, and else starts.
func (v *View) playOrStop() {
	if v.player.on {
		v.stopPlaying()
		return
	}
	v.play(v.playAxis())
}

// play starts along an axis, or stops if that is what plays.
func (v *View) play(a lazy.Axis) {
	if v.player.on && v.player.axis == a {
		v.stopPlaying()
		return
	}
	if v.session == nil || v.session.Scene().Meta().Shape[a] < 2 {
		return
	}
	v.stopPlaying()
	v.player = player{on: true, axis: a, how: v.player.how, last: time.Now()}
	v.axes.playing(a, true)
	v.nextFrame()
}

// nextFrame waits until a step may be due. Where every plane is shown and one is late, it looks again soon.
func (v *View) nextFrame() {
	wait := time.Duration(float64(time.Second)/v.player.how.Rate()) - time.Since(v.player.last)
	v.player.tick = time.AfterFunc(max(wait, 5*time.Millisecond), func() { v.Do(func() { v.playOn(time.Now()) }) })
}

// playOn takes the steps that are due. Every plane is shown before the next one is asked for; in real time planes are
// asked for whether or not the last one has come.
func (v *View) playOn(now time.Time) {
	if !v.player.on || v.session == nil {
		return
	}
	p := &v.player
	steps, left := p.how.Steps(now.Sub(p.last).Seconds())
	if f := v.session.Frame(); steps > 0 && (p.how.RealTime || f != nil && !v.report.Busy && !f.Stale && !f.Partial) {
		var next int
		next, p.how = p.how.Next(v.session.State().At[p.axis], v.session.Scene().Meta().Shape[p.axis], steps)
		p.last = now.Add(-time.Duration(left * float64(time.Second)))
		v.act(viewer.MoveTo(p.axis, next))
	}
	v.nextFrame()
}

func (v *View) stopPlaying() {
	if v.player.on {
		v.player.tick.Stop()
		v.player.on = false
		v.axes.playing(0, false)
	}
}

// paceMenu says how planes are played.
func (v *View) paceMenu() *fyne.Menu {
	m := fyne.NewMenu(Say("menu.pace"))
	add := func(text string, checked bool, change func(*viewer.Playback)) {
		item := fyne.NewMenuItem(text, func() {
			change(&v.player.how)
			v.menus()
		})
		item.Checked = checked
		m.Items = append(m.Items, item)
	}
	how := v.player.how
	for _, rate := range viewer.Rates {
		add(count("menu.pace.rate", int(rate), "N", number(rate)), how.Rate() == rate, func(p *viewer.Playback) { p.PerSecond = rate })
	}
	m.Items = append(m.Items, fyne.NewMenuItemSeparator())
	add(Say("menu.pace.every"), !how.RealTime, func(p *viewer.Playback) { p.RealTime = false })
	add(Say("menu.pace.real"), how.RealTime, func(p *viewer.Playback) { p.RealTime = true })
	m.Items = append(m.Items, fyne.NewMenuItemSeparator())
	add(Say("menu.pace.pingpong"), how.PingPong, func(p *viewer.Playback) { p.PingPong = !p.PingPong })
	return m
}

// askPace offers it beside the button of a slider.
func (v *View) askPace(beside fyne.CanvasObject) {
	m := v.paceMenu()
	widget.ShowPopUpMenuAtRelativePosition(m, v.window.Canvas(), fyne.NewPos(0, -widget.NewMenu(m).MinSize().Height), beside)
}
