package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// A Job is something that is being written beside the window.
type Job struct {
	Name        string
	Done, Total int
	Left        float64 // seconds, as far as can be said; 0 is not known
	Cancel      func()
}

// jobsPanel lists what is being written; without any it is not there.
type jobsPanel struct {
	box  *fyne.Container
	tips *tips
	rows []*jobRow
}

type jobRow struct {
	box   *fyne.Container
	name  *told
	state *caption
	stop  *button
}

func newJobsPanel(of *tips) *jobsPanel {
	p := &jobsPanel{tips: of, box: stacked(2, heading(Say("jobs.title")))}
	p.box.Hide()
	return p
}

// SetJobs shows what is being written.
func (v *View) SetJobs(jobs []Job) {
	v.jobs.set(jobs)
	if len(jobs) == 0 && v.isLeaving() {
		v.stay()
		v.leaving.quit()
	}
}

func (p *jobsPanel) set(jobs []Job) {
	for len(p.rows) < len(jobs) {
		r := &jobRow{name: newTold(p.tips, Say("jobs.tip"), theme.ColorNameForeground, sizeCaption), state: small("")}
		r.state.align = fyne.TextAlignTrailing
		r.stop = newIcon(p.tips, theme.CancelIcon(), Say("jobs.cancel.tip"), nil)
		r.box = container.NewBorder(nil, nil, nil, container.NewHBox(fixed(76, r.state), container.New(sized{20, 20}, r.stop)), r.name)
		p.rows = append(p.rows, r)
		p.box.Add(r.box)
	}
	for i, r := range p.rows {
		r.box.Hidden = i >= len(jobs)
		if !r.box.Hidden {
			r.name.set(jobs[i].Name)
			r.state.set(jobState(jobs[i]))
			r.stop.OnTapped = jobs[i].Cancel
		}
	}
	p.box.Hidden = len(jobs) == 0
	p.box.Refresh()
}

// jobState is how far a job is, and how long it will take.
func jobState(j Job) string {
	if j.Total <= 0 {
		return "…"
	}
	text := strconv.Itoa(100*j.Done/j.Total) + " %"
	if j.Left >= 1 {
		text += "  " + wait(j.Left)
	}
	return text
}

// wait is how long something will take, no more closely than it can be said.
func wait(seconds float64) string {
	switch {
	case seconds < 90:
		return strconv.Itoa(int(seconds)) + " s"
	case seconds < 90*60:
		return strconv.Itoa(int(seconds/60)) + " min"
	}
	return strconv.Itoa(int(seconds/3600)) + " h"
}
