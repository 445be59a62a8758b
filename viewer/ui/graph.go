package ui

import (
	"image"
	"image/color"
	"math"
	"reflect"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// A graphPanel shows what each step takes for the plane on view: its tasks after the cull, as squares in the colour of
// how far they are, from the chunks on the left to the picture on the right, and in numbers below.
type graphPanel struct {
	box    *fyne.Container
	raster *canvas.Raster
	list   *fyne.Container
	lines  []*told
	tips   *tips
	chain  []viewer.FilterStep
	stages []viewer.Stage
	out    int
	rows   int  // that there is room for
	keeps  bool // the room, while what the filters make is out of view for a moment
}

// graphTall is how tall the picture is, and graphLines how tall the numbers are at most.
const (
	graphTall  = 40
	graphLines = 70
)

// upTo shows a scrolled object at its full height, up to a limit.
type upTo float32

func (u upTo) MinSize(o []fyne.CanvasObject) fyne.Size {
	inner := o[0].(*container.Scroll).Content.MinSize()
	return fyne.NewSize(0, min(float32(u), inner.Height))
}

func (u upTo) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(size)
}

func newGraphPanel(of *tips) *graphPanel {
	p := &graphPanel{tips: of, list: stacked(2)}
	p.raster = canvas.NewRaster(p.picture)
	p.raster.ScaleMode = canvas.ImageScalePixels
	p.box = stacked(4, padded(0, 2, fixedTall(graphTall, p.raster)), container.New(upTo(graphLines), container.NewVScroll(p.list)))
	p.box.Hide()
	return p
}

// set shows stages of a plane of so many voxels, and reports whether the panel has become taller or less so.
func (p *graphPanel) set(stages []viewer.Stage, out int) (grown bool) {
	rows := len(stages)
	if rows == 0 && p.keeps {
		rows = p.rows
	}
	if reflect.DeepEqual(p.stages, stages) && p.out == out && rows == p.rows {
		return false
	}
	grown = p.rows != rows
	p.stages, p.out = stages, out
	p.rows, p.box.Hidden = rows, rows == 0
	for len(p.lines) < len(stages) {
		p.lines = append(p.lines, newTold(p.tips, Say("graph.tip"), theme.ColorNamePlaceHolder, sizeCaption))
		p.list.Add(p.lines[len(p.lines)-1])
	}
	for i, l := range p.lines {
		l.Hidden = i >= rows
		if i < len(stages) {
			l.set(p.line(stages[i]))
		} else {
			l.set("")
		}
	}
	p.raster.Refresh()
	return grown
}

// line is a stage in numbers.
func (p *graphPanel) line(g viewer.Stage) string {
	held := 0
	for _, t := range g.Tasks {
		if t == viewer.Held {
			held++
		}
	}
	name := Say("graph.reading")
	switch {
	case g.Step == viewer.Projecting:
		name = Say("slab.title")
	case g.Step == viewer.Comparing:
		name = Say("compare.difference")
	case g.Step >= 0 && g.Step < len(p.chain):
		name = p.chain[g.Step].Filter
		if f, ok := viewer.LookupFilter(name); ok {
			name = filterTitle(f)
		}
	}
	text := Say("graph.line", "Name", name, "Held", group(held), "Tasks", group(len(g.Tasks)))
	if p.out > 0 {
		text += Say("graph.times", "Times", strconv.FormatFloat(float64(g.Voxels)/float64(p.out), 'f', 1, 64))
	}
	return text + price(g.Price)
}

// price is what a stage is thought to take, on the processors and on the device; "" where nobody knows.
func price(p viewer.Price) string {
	text := ""
	if p.CPUKnown {
		text += Say("graph.time", "Time", duration(p.CPU))
	}
	if p.GPUKnown {
		text += Say("graph.time.on", "Device", device("gpu"), "Time", duration(p.GPU))
	}
	return text
}

// picture draws a column of squares for each stage, with a line from one to the next.
func (p *graphPanel) picture(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	n := len(p.stages)
	if n == 0 {
		return img
	}
	accent, faint := shadeOf(theme.ColorNamePrimary), shadeOf(colorFaint)
	half := accent
	half.A = 0x80
	colors := map[viewer.TaskState]color.NRGBA{viewer.Held: accent, viewer.Running: shadeOf(theme.ColorNameForeground), viewer.Waiting: half, viewer.Absent: faint}
	join := max(6, w/40) // between columns
	wide := (w - join*(n-1)) / n
	for i, g := range p.stages {
		left := i * (wide + join)
		if i > 0 {
			for x := left - join + 2; x < left-2; x++ {
				img.SetNRGBA(x, h/2, faint)
			}
		}
		side := squares(len(g.Tasks), wide, h)
		columns := max(1, wide/side)
		rows := (len(g.Tasks) + columns - 1) / columns
		top := (h - rows*side) / 2
		for k, t := range g.Tasks {
			x, y := left+k%columns*side, top+k/columns*side
			fill(img, image.Rect(x, y, x+max(1, side-1), y+max(1, side-1)), colors[t])
		}
	}
	return img
}

// squares is the side of the largest squares of which n fit into a room.
func squares(n, w, h int) int {
	side := max(1, min(12, int(math.Sqrt(float64(w*h)/float64(max(1, n))))))
	for side > 1 && (w/side)*(h/side) < n {
		side--
	}
	return side
}

func fill(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetNRGBA(x, y, c)
		}
	}
}
