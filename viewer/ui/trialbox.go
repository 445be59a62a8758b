package ui

import (
	"image"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// A trialBox is the part of a deconvolution's row where it is watched on the plane on view: the iterations that there are, how
// they went, what they take, and the PSF. Folded it is one button.
type trialBox struct {
	head   *fyne.Container // above the parameters, always as tall
	body   *fyne.Container // below them
	do     trialActs
	folded *fyne.Container
	open   *fyne.Container

	state  *caption
	stages *scrubber
	pause  *button
	keep   *button
	change *plot // light moved by each iteration
	away   *plot // I-divergence
	curves *fyne.Container
	psf    *canvas.Image
	of     *viewer.PSF // that the picture is of
	lines  [6]*told
	wrong  paragraph
	advice paragraph
	error  *button
	apart  paragraph

	seen viewer.Watched
}

// trialActs is what the box asks for.
type trialActs struct {
	act     func(viewer.Action)
	compare func()
	grown   func()
	step    int
}

// trialLines are the lines of what is known.
var trialLines = [...]string{"trial.psf", "trial.light", "trial.padded", "trial.pace", "trial.whole", "trial.memory"}

func newTrialBox(of *tips, do trialActs) *trialBox {
	b := &trialBox{do: do, state: small(""), change: newPlot(), away: newPlot(), psf: &canvas.Image{}}
	watch := newButton(of, Say("trial.watch"), theme.VisibilityIcon(), Say("trial.watch.tip"), func() { do.act(viewer.Watch(do.step)) })
	b.folded = stacked(0, watch)
	b.stages = newScrubber(of, Say("trial.stages.tip"), b.to)
	b.pause = newIcon(of, theme.MediaPauseIcon(), Say("trial.pause.tip"), func() { do.act(viewer.PauseTrial(b.going())) })
	more := newIcon(of, theme.MediaFastForwardIcon(), Say("trial.more.tip"), func() { do.act(viewer.GoOn()) })
	b.keep = newButton(of, Say("trial.keep", "N", "1"), nil, Say("trial.keep.tip"), func() { do.act(viewer.KeepIteration(b.seen.Iteration)) })
	done := newButton(of, Say("trial.done"), nil, Say("trial.done.tip"), func() { do.act(viewer.Unwatch()) })
	bar := around(nil, nil, container.NewHBox(b.pause, more), nil, container.New(halves(4), b.keep, done))
	b.curves = stacked(4, fixedTall(72, b.change), fixedTall(72, b.away))
	b.psf.ScaleMode, b.psf.FillMode = canvas.ImageScalePixels, canvas.ImageFillContain
	facts := stacked(2)
	for i, key := range trialLines {
		hint := Say(key + ".tip")
		name := newTold(of, hint, theme.ColorNamePlaceHolder, sizeCaption)
		name.set(Say(key))
		b.lines[i] = newTold(of, hint, theme.ColorNameForeground, sizeCaption)
		facts.Add(around(nil, nil, fixed(64, name), nil, b.lines[i]))
	}
	b.wrong, b.advice = newParagraph("", theme.ColorNameError, sizeCaption), newParagraph("", theme.ColorNameWarning, sizeCaption)
	b.apart = newParagraph("", theme.ColorNameForeground, sizeCaption)
	b.error = newButton(of, Say("trial.error"), nil, Say("trial.error.tip"), do.compare)
	b.open = stacked(4, b.state, fixedTall(24, b.stages), bar, b.wrong.Container)
	b.body = stacked(4, b.advice.Container, fixedTall(psfTall, b.psf), b.curves, facts, b.error, b.apart.Container)
	b.open.Hide()
	b.body.Hide()
	for _, p := range []paragraph{b.wrong, b.advice, b.apart} {
		p.Hide()
	}
	b.curves.Hide()
	b.head = stacked(4, b.folded, b.open)
	return b
}

// psfTall is how tall the picture of a PSF is.
const psfTall = 120

// going reports whether iterations are under way, or would be.
func (b *trialBox) going() bool { return b.seen.Going > 0 }

// to shows the iteration at a place of the slider; the last is the newest.
func (b *trialBox) to(i int) {
	switch all := b.seen.All; {
	case i >= len(all)-1:
		b.do.act(viewer.ShowIteration(0))
	case i >= 0:
		b.do.act(viewer.ShowIteration(all[i]))
	}
}

// update shows how the trial of a step stands, if it is watched; there is false while the filter cannot be done, which its row
// says.
func (b *trialBox) update(w viewer.Watched, there, watched, off bool) {
	grown := b.open.Visible() != watched || b.folded.Visible() == watched
	b.open.Hidden, b.body.Hidden, b.folded.Hidden = !watched, !watched, watched || off
	b.seen = w
	if watched {
		grown = b.show(w) || grown
	}
	if !there {
		b.state.set("")
	}
	if grown {
		b.head.Refresh()
		b.body.Refresh()
		b.do.grown()
	}
}

func (b *trialBox) show(w viewer.Watched) (grown bool) {
	b.state.set(trialState(w))
	b.keep.setText(Say("trial.keep", "N", strconv.Itoa(max(1, w.Iteration))))
	able(&b.keep.Button, w.Iteration > 0)
	icon := theme.MediaPlayIcon()
	if w.Going > 0 {
		icon = theme.MediaPauseIcon()
	}
	if b.pause.Icon.Name() != icon.Name() {
		b.pause.SetIcon(icon)
	}
	able(&b.pause.Button, w.Going > 0 || len(w.Stages) < len(w.All))
	at, ready := 0, make([]viewer.Readiness, len(w.All))
	for i, n := range w.All {
		switch {
		case i < len(w.Stages):
			ready[i] = viewer.Ready
		case n == w.Going:
			ready[i] = viewer.Underway
		}
		if n <= w.Iteration {
			at = i
		}
	}
	b.stages.set(at, max(1, len(w.All)))
	b.stages.setReady(ready)
	plots := len(w.Course) > 1
	grown = plots == b.curves.Hidden
	if b.curves.Hidden = !plots; plots {
		b.change.follow(Say("trial.change"), changes(w), float64(w.Iteration))
		b.away.follow(Say("trial.divergence"), divergences(w), float64(w.Iteration))
	}
	if w.PSF != b.of {
		b.of, b.psf.Image = w.PSF, image.Image(nil)
		if w.PSF != nil {
			b.psf.Image = w.PSF.Picture
		}
		b.psf.Refresh()
	}
	for i, text := range trialFacts(w) {
		b.lines[i].set(text)
	}
	say := func(p paragraph, text string) {
		if p.set(text) {
			p.Hidden, grown = text == "", true
		}
	}
	wrong := ""
	if w.Err != nil {
		wrong = plain(w.Err)
	}
	say(b.wrong, wrong)
	say(b.advice, trialAdvice(w))
	say(b.apart, trialError(w))
	able(&b.error.Button, len(w.Stages) > 0 && !w.Comparing)
	return grown
}
