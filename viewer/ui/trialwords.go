package ui

import (
	"strconv"
	"strings"

	"lamella/viewer"
)

// trialState is what is on view of a trial, and how long it goes on.
func trialState(w viewer.Watched) string {
	n, until := strconv.Itoa(w.Iteration), strconv.Itoa(w.Until)
	switch {
	case w.Err != nil:
		return ""
	case w.PSF == nil:
		return Say("trial.sounding")
	case w.Iteration == 0 && w.Going == 0:
		return Say("trial.paused.none")
	case w.Iteration == 0:
		return Say("trial.first")
	case w.Going > 0 && w.Left >= 0.05:
		return Say("trial.left", "N", n, "Until", until, "Left", duration(w.Left))
	case w.Going == 0 && len(w.Stages) < len(w.All):
		return Say("trial.paused", "N", n, "Until", until)
	}
	return Say("trial.at", "N", n, "Until", until)
}

// changes and divergences are the curves of a trial, over the iterations. The first step from what an estimate starts with is so large that nothing
// else could be seen beside it; it is left out once there are enough others.
func changes(w viewer.Watched) (c curve) {
	for i, p := range w.Course {
		c.At, c.Values = append(c.At, float64(i+1)), append(c.Values, p.Change)
	}
	return c.settled()
}

func divergences(w viewer.Watched) (c curve) {
	for i, p := range w.Course {
		c.At, c.Values = append(c.At, float64(i)), append(c.Values, p.Divergence)
	}
	return c.settled()
}

func (c curve) settled() curve {
	const enough = 5
	if len(c.At) >= enough {
		c.At, c.Values = c.At[1:], c.Values[1:]
	}
	return c
}

// trialFacts are what stands in the lines of a trial.
func trialFacts(w viewer.Watched) (lines [len(trialLines)]string) {
	for i := range lines {
		lines[i] = "…"
	}
	if w.PSF != nil {
		s := w.Support
		lines[0] = Say("trial.support", "Size", sizes(s.Size), "Of", sizes(s.Of))
		if s.Size == s.Of {
			lines[0] = sizes(s.Size)
		}
		lines[1] = Say("trial.kept", "Kept", share(s.Kept))
		lines[2] = Say("trial.slab", "Size", sizes(w.Padded))
		lines[5] = Say("trial.atonce", "Memory", bytes(w.Memory), "Block", bytes(w.Whole.Memory))
	}
	if w.Seconds > 0 {
		lines[3] = Say("trial.iteration", "Time", duration(w.Seconds))
		voxels := 1.0
		for _, n := range w.Padded {
			voxels *= float64(n)
		}
		seconds := w.Seconds * w.Whole.Voxels / voxels
		lines[4] = count("trial.blocks", w.Whole.Blocks, "N", group(w.Whole.Blocks), "Time", wait(max(1, seconds)))
	}
	return lines
}

// trialAdvice is that not all on view is computed, and what is odd about the PSF.
func trialAdvice(w viewer.Watched) string {
	if w.PSF == nil {
		return ""
	}
	var all []string
	if w.Part {
		all = append(all, Say("trial.part"))
	}
	if w.Others {
		all = append(all, Say("trial.others"))
	}
	if off := w.PSF.Off; off != [3]int{} {
		all = append(all, Say("trial.off", "Off", sizes(off)))
	}
	if w.PSF.Rim > 0.01 {
		all = append(all, Say("trial.rim", "Part", share(w.PSF.Rim)))
	}
	if w.PSF.OtherVoxels {
		all = append(all, Say("trial.scale"))
	}
	return strings.Join(all, " ")
}

// trialError is how far the trial is from the whole, as far as that has been asked.
func trialError(w viewer.Watched) string {
	a := w.Apart
	switch {
	case w.Comparing:
		return Say("trial.comparing")
	case a == nil:
		return ""
	case a.Err != nil:
		return plain(a.Err)
	case a.Whole:
		return Say("trial.apart.whole", "N", strconv.Itoa(a.Iteration), "Most", share(a.Most), "Mean", share(a.Mean))
	}
	return Say("trial.apart", "N", strconv.Itoa(a.Iteration), "Most", share(a.Most), "Mean", share(a.Mean))
}

// sizes are lengths along z, y and x.
func sizes(n [3]int) string {
	return strconv.Itoa(n[0]) + " × " + strconv.Itoa(n[1]) + " × " + strconv.Itoa(n[2])
}

// share is a part of one, in percent, with the digits that matter.
func share(v float64) string {
	text := strconv.FormatFloat(100*v, 'g', 3, 64)
	if v > 0.99 && v < 1 { // what is missing is what matters
		text = strconv.FormatFloat(100*v, 'f', 2, 64)
	}
	return text + " %"
}
