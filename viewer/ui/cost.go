package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// costPanel says what the plane on view took, in plain numbers.
type costPanel struct {
	box   *fyne.Container
	lines [4]*told
	graph *graphPanel
}

func newCostPanel(of *tips) *costPanel {
	p := &costPanel{box: stacked(2)}
	p.box.Add(heading(Say("cost.title")))
	for i := range p.lines {
		p.lines[i] = newTold(of, Say("cost.tip"), theme.ColorNameForeground, sizeCaption)
		p.box.Add(p.lines[i])
	}
	p.graph = newGraphPanel(of)
	p.box.Add(p.graph.box)
	return p
}

// update shows a report, and says whether the panel has become taller or less so.
func (p *costPanel) update(r viewer.Report) (grown bool) {
	c := r.Cost
	texts := [4]string{Say("cost.waiting")}
	if c.Device != "" {
		texts = [4]string{
			tasks(c.TasksRun, c.TasksTotal),
			count("cost.chunks", c.ChunksTotal, "Read", group(c.ChunksRead), "Total", group(c.ChunksTotal), "Bytes", bytes(c.BytesRead)),
			voxels(c.VoxelsOut, c.VoxelsComputed),
			Say("cost.time", "Time", duration(c.Seconds), "Device", device(c.Device)),
		}
	}
	for i, l := range p.lines {
		l.set(texts[i])
	}
	return p.graph.set(r.Stages, c.VoxelsOut)
}

// voxels says how many are on view, and how many the filters computed for them.
func voxels(out, computed int) string {
	if computed == 0 {
		return count("cost.voxels", out, "Out", group(out))
	}
	return count("cost.computed", out, "Out", group(out), "Computed", group(computed))
}

func tasks(run, total int) string {
	return count("cost.tasks", total, "Run", group(run), "Total", group(total))
}

func device(name string) string { return strings.ToUpper(name) }

// summary is the cost in one line of the status bar.
func summary(r viewer.Report) string {
	switch {
	case r.Slow && r.Total > 0:
		return Say("status.computing", "Done", group(r.Done), "Total", group(r.Total))
	case r.Slow:
		return Say("status.waiting")
	case r.Cost.Device == "":
		return ""
	}
	c := r.Cost
	return count("status.cost", c.ChunksRead, "Tasks", tasks(c.TasksRun, c.TasksTotal), "Chunks", group(c.ChunksRead),
		"Time", duration(c.Seconds), "Device", device(c.Device))
}
