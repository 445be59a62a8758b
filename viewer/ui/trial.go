package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"lamella/viewer"
)

// watchMenu is what is done with a deconvolution that is watched.
func (v *View) watchMenu() *fyne.MenuItem {
	return within("trial.title",
		entry("menu.watch", ctrl(fyne.KeyD), v.watch),
		entry("menu.watch.pause", nil, func() {
			if w, ok := v.session.Watched(); ok {
				v.act(viewer.PauseTrial(w.Going > 0))
			}
		}),
		entry("menu.watch.back", &desktop.CustomShortcut{KeyName: fyne.KeyLeftBracket, Modifier: control}, func() { v.stage(-1) }),
		entry("menu.watch.on", &desktop.CustomShortcut{KeyName: fyne.KeyRightBracket, Modifier: control}, func() { v.stage(1) }),
		entry("menu.watch.more", nil, func() { v.act(viewer.GoOn()) }),
		entry("menu.watch.keep", nil, func() {
			if w, ok := v.session.Watched(); ok {
				v.act(viewer.KeepIteration(w.Iteration))
			}
		}),
		entry("menu.watch.error", nil, v.compareTrial),
		entry("menu.watch.bead", nil, v.takeBead))
}

// watch watches the last deconvolution of the chain, or ends that. Where there is none it begins one.
func (v *View) watch() {
	s := v.session.State()
	if s.Trial.Open {
		v.act(viewer.Unwatch())
		return
	}
	for i := len(s.Chain) - 1; i >= 0; i-- {
		if viewer.CanWatch(s.Chain[i]) {
			v.act(viewer.Watch(i))
			return
		}
	}
	v.act(viewer.AddFilter("richardson-lucy"))
}

// stage shows an iteration before the one on view, or after it.
func (v *View) stage(by int) {
	w, ok := v.session.Watched()
	if !ok {
		return
	}
	at := 0
	for i, n := range w.Stages {
		if n <= w.Iteration {
			at = i
		}
	}
	switch at += by; {
	case at >= len(w.Stages)-1:
		v.act(viewer.ShowIteration(0))
	case at >= 0:
		v.act(viewer.ShowIteration(w.Stages[at]))
	}
}

func (v *View) compareTrial() {
	if v.session != nil {
		v.session.Compare()
		v.update()
	}
}

// takeBead takes the bead under the chosen shape for the PSF.
func (v *View) takeBead() {
	if !v.session.State().CanTakeBead() {
		v.Note(Say("trial.nobead"))
		return
	}
	v.act(viewer.TakeBead())
}
