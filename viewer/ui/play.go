package ui

import (
	"time"

	"lamella/lazy"
	"lamella/viewer"
)

// player steps along an axis by the clock, round and round, but never to a plane before the one it is
// at has been shown.
type player struct {
	on   bool
	axis lazy.Axis
	tick *time.Timer
}

// pace is the time from plane to plane.
const pace = 100 * time.Millisecond

// playAxis is time where there is any, else the axis of the planes.
func (v *View) playAxis() lazy.Axis {
	if v.session.Scene().Meta().Shape[lazy.T] > 1 {
		return lazy.T
	}
	_, _, normal := v.session.State().Cut.Axes()
	return normal
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
	v.player = player{on: true, axis: a}
	v.axes.playing(a, true)
	v.nextFrame()
}

func (v *View) nextFrame() {
	v.player.tick = time.AfterFunc(pace, func() { v.Do(v.playOn) })
}

func (v *View) playOn() {
	if !v.player.on || v.session == nil {
		return
	}
	if f := v.session.Frame(); f != nil && !v.report.Busy && !f.Stale && !f.Partial {
		a := v.player.axis
		next := v.session.State().At[a] + 1
		if next >= v.session.Scene().Meta().Shape[a] {
			next = 0
		}
		v.act(viewer.MoveTo(a, next))
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
