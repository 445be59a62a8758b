package ui

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
	"lamella/viewer"
)

// objectsPanel lies below the picture: a table of the objects that labels name. Listing them reads all of the labels, so what
// that takes is said first.
type objectsPanel struct {
	box    *fyne.Container
	v      *View
	about  *caption // what listing takes, how far it is, or what the table is of
	values *check
	list   *button
	head   *tableHead
	table  *widget.List
	inside *fyne.Container // the table as wide as its columns
	none   *caption

	columns []tableColumn
	shown   viewer.Survey // that the rows answer
	rows    []viewer.Object
	names   []string // of the channels of the rows
	recipe  string
	busy    bool
	began   time.Time // when the listing did
	done    atomic.Int64
	total   atomic.Int64
	telling atomic.Bool
}

func newObjectsPanel(v *View) *objectsPanel {
	p := &objectsPanel{v: v}
	p.about = small("")
	p.none = newCaption(Say("objects.none"), theme.ColorNamePlaceHolder, sizeCaption)
	p.none.align = fyne.TextAlignCenter
	p.values = newCheck(v.tips, Say("objects.values"), Say("objects.values.tip"), func(bool) { p.say() })
	p.values.Checked = true
	p.list = newButton(v.tips, Say("objects.list"), nil, Say("objects.list.tip"), func() {
		if p.busy {
			p.stop()
			return
		}
		p.ask()
	})
	p.columns = objectColumns(viewer.Survey{}, nil)
	p.head = newTableHead(v.tips, Say("objects.sort.tip"), p.columns, func(int, bool) { p.sort() })
	p.table = widget.NewList(func() int { return len(p.rows) }, func() fyne.CanvasObject { return newTableRow(p.columns) }, func(i widget.ListItemID, o fyne.CanvasObject) {
		if i < len(p.rows) && v.session != nil {
			r := o.(*tableRow)
			r.columns = p.columns
			r.set(p.texts(p.rows[i]), p.rows[i].Label == v.session.State().Overlay.Object)
		}
	})
	p.table.HideSeparators = true
	p.table.OnSelected = func(i widget.ListItemID) {
		p.table.UnselectAll()
		if i < len(p.rows) {
			v.act(p.shown.GoTo(p.rows[i]))
			p.table.Refresh()
		}
	}
	save := newIcon(v.tips, theme.DocumentSaveIcon(), Say("objects.save.tip"), func() { v.asks.ExportObjects() })
	fold := newIcon(v.tips, theme.CancelIcon(), Say("objects.close.tip"), v.ToggleObjects)
	top := container.NewBorder(nil, nil, fixed(110, heading(Say("objects.title"))), container.NewHBox(p.values, p.list, iconed(26, save), iconed(26, fold)), p.about)
	p.inside = fixed(width(p.columns)+24, around(p.head, nil, nil, nil, p.table))
	p.box = stacked(0, rule(), on(colorPanel, fixedTall(resultsTall, padded(panelRoom, 4, around(top, nil, nil, nil, container.NewStack(container.NewHScroll(p.inside), container.NewCenter(fixed(640, p.none))))))))
	p.box.Hide()
	return p
}

// ToggleObjects folds the panel of objects away, or out again. Labels that belong to the image are laid over it then: else a
// channel would be taken for labels beside them.
func (v *View) ToggleObjects() {
	v.objects.box.Hidden = !v.objects.box.Hidden
	if !v.objects.box.Hidden {
		v.act(viewer.ShowLabels())
	}
	v.middle.Refresh()
	v.notices.Refresh()
	v.update()
}

// Objects is the table of objects as it is sorted, what it is of, the names of its channels, and the filters that its values
// went through.
func (v *View) Objects() (all []viewer.Object, of viewer.Survey, channels []string, recipe string) {
	return v.objects.rows, v.objects.shown, v.objects.names, v.objects.recipe
}

// clear is for another dataset.
func (p *objectsPanel) clear() {
	p.stop()
	p.rows, p.shown = nil, viewer.Survey{}
	p.table.Refresh()
}

// survey is what would be listed now.
func (p *objectsPanel) survey() (viewer.Survey, error) {
	return p.v.session.Scene().Survey(p.v.session.State(), p.values.Checked)
}

// update says what listing takes now, where that is something else than what the table shows.
func (p *objectsPanel) update() {
	if p.box.Hidden {
		return
	}
	p.say()
	p.table.Refresh()
}

func (p *objectsPanel) say() {
	if p.v.session == nil {
		return
	}
	v, err := p.survey()
	able(p.list, err == nil || p.busy)
	able(p.values, err == nil && v.WhyNoValue == "" && !p.busy)
	p.list.setText(Say(map[bool]string{true: "objects.stop", false: "objects.list"}[p.busy]))
	p.none.Hidden = len(p.rows) > 0
	switch {
	case err != nil:
		p.about.set(Say("objects.nolabels"))
	case p.busy && p.total.Load() > 0:
		p.about.set(listing(int(p.done.Load()), int(p.total.Load()), time.Since(p.began)))
	case p.busy:
		p.about.set(Say("objects.begins"))
	case len(p.rows) > 0 && same(v, p.shown):
		p.about.set(count("objects.count", len(p.rows), "N", group(len(p.rows))))
	default:
		p.about.set(p.takes(v))
	}
}

// listing is how far a listing has come after a time, and how long it goes on, once that can be said.
func listing(done, total int, gone time.Duration) string {
	text := Say("objects.busy", "Done", group(done), "Total", group(total))
	if left := gone.Seconds() * float64(total-done) / float64(max(1, done)); done > 0 && gone >= time.Second && left >= 1 {
		text += "  " + wait(left)
	}
	return text + " · " + Say("objects.esc")
}

// same reports whether two surveys ask for the same.
func same(a, b viewer.Survey) bool {
	if !a.Labels.Valid() || !b.Labels.Valid() || a.Labels.Node().Hash != b.Labels.Node().Hash || a.At != b.At || a.Channel != b.Channel || a.Values.Valid() != b.Values.Valid() {
		return false
	}
	return !a.Values.Valid() || a.Values.Node().Hash == b.Values.Node().Hash
}

// takes says what listing the objects takes.
func (p *objectsPanel) takes(v viewer.Survey) string {
	text := count("objects.takes", v.Chunks, "Chunks", group(v.Chunks), "Bytes", bytes(v.Bytes))
	if v.Labels.Meta().Shape[lazy.C] > 1 {
		text = count("objects.takes.channel", v.Chunks, "Name", p.v.session.State().Channels[v.Channel].Name, "Chunks", group(v.Chunks), "Bytes", bytes(v.Bytes))
	}
	switch {
	case v.WhyNoValue != "":
		text += "; " + Say("objects.none."+v.WhyNoValue)
	case v.Over > 0 && v.Filtered:
		text += "; " + count("objects.takes.filtered", v.Over, "Chunks", group(v.Over), "Bytes", bytes(v.OverBytes))
	case v.Over > 0:
		text += "; " + Say("objects.takes.values", "Chunks", group(v.Over), "Bytes", bytes(v.OverBytes))
	}
	if len(p.rows) > 0 {
		return Say("objects.stale", "Takes", text)
	}
	return text
}

// ask has the objects listed.
func (p *objectsPanel) ask() {
	v, err := p.survey()
	if err != nil {
		p.v.Fail(err)
		return
	}
	s := p.v.session
	var names []string
	for _, c := range s.State().Channels {
		names = append(names, c.Name)
	}
	recipe := s.Scene().Recipe()
	p.busy, p.began = true, time.Now()
	p.done.Store(0)
	p.total.Store(0)
	p.say()
	s.Objects(v, p.progress, func(all []viewer.Object, err error) {
		p.busy = false
		if err != nil {
			p.v.Fail(err)
			p.say()
			return
		}
		p.rows, p.shown, p.names, p.recipe = all, v, names, recipe
		p.columns = objectColumns(v, names)
		p.head.head(p.columns)
		p.inside.Layout = fixedWidth(width(p.columns) + 24)
		p.inside.Refresh()
		p.sort()
		p.say()
	})
}

// progress comes from another goroutine.
func (p *objectsPanel) progress(done, total int) {
	p.done.Store(int64(done))
	p.total.Store(int64(total))
	if !p.telling.Swap(true) {
		p.v.Do(func() {
			p.telling.Store(false)
			p.say()
		})
	}
}

// stop ends the listing and reports whether there was any.
func (p *objectsPanel) stop() bool {
	if !p.busy {
		return false
	}
	p.v.session.StopListing()
	p.busy = false
	p.say()
	return true
}

// objectColumns are those of a table of objects.
func objectColumns(v viewer.Survey, channels []string) []tableColumn {
	size := Say("objects.volume")
	if v.Labels.Valid() && v.Flat() {
		size = Say("objects.area")
	}
	all := []tableColumn{{Say("objects.label"), 64, false}, {Say("results.voxels"), 70, false}, {size, 84, false}, {"x", 56, false}, {"y", 56, false}, {"z", 50, false}, {Say("objects.box"), 150, false}}
	if v.Values.Valid() {
		for _, name := range channels {
			all = append(all, tableColumn{Say("objects.mean", "Name", name), 92, false}, tableColumn{Say("results.min"), 56, false}, tableColumn{Say("results.max"), 56, false})
		}
	}
	return all
}

// texts are a line of the table.
func (p *objectsPanel) texts(o viewer.Object) []string {
	size := ""
	if v := p.shown.Volume(o); v > 0 {
		size = number(v)
	}
	t := []string{strconv.FormatInt(o.Label, 10), group(o.Voxels), size}
	box := ""
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		t = append(t, strconv.FormatFloat(o.Centroid[a]+1, 'f', 1, 64))
		if box != "" {
			box += "  "
		}
		box += strconv.Itoa(o.Box.Min[a]+1) + "–" + strconv.Itoa(o.Box.Max[a])
	}
	t = append(t, box)
	for _, m := range o.Values {
		for _, v := range []float64{m.Mean, m.Least, m.Most} {
			text := ""
			if !math.IsNaN(v) {
				text = number(v)
			}
			t = append(t, text)
		}
	}
	for len(t) < len(p.columns) {
		t = append(t, "")
	}
	return t[:len(p.columns)]
}

// key is what a column sorts an object by.
func key(o viewer.Object, by int) float64 {
	switch by {
	case 0:
		return float64(o.Label)
	case 1, 2:
		return float64(o.Voxels)
	case 3, 4, 5:
		return o.Centroid[[...]lazy.Axis{lazy.X, lazy.Y, lazy.Z}[by-3]]
	case 6:
		s := o.Box.Shape()
		return float64(s[lazy.Z]) * float64(s[lazy.Y]) * float64(s[lazy.X])
	}
	c, k := (by-7)/3, (by-7)%3
	if c >= len(o.Values) {
		return 0
	}
	return [...]float64{o.Values[c].Mean, o.Values[c].Least, o.Values[c].Most}[k]
}

// sort sorts the lines by the column of the heading. Those that have no value are the last.
func (p *objectsPanel) sort() {
	by, down := p.head.by, p.head.down
	slices.SortStableFunc(p.rows, func(a, b viewer.Object) int {
		x, y := key(a, by), key(b, by)
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return cmp.Compare(nanLast(x), nanLast(y))
		case down:
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	})
	p.table.Refresh()
}

func nanLast(v float64) int {
	if math.IsNaN(v) {
		return 1
	}
	return 0
}

// reveal scrolls to the object that is chosen.
func (p *objectsPanel) reveal(label int64) {
	if i := slices.IndexFunc(p.rows, func(o viewer.Object) bool { return o.Label == label }); i >= 0 {
		p.table.ScrollTo(i)
	}
	p.table.Refresh()
}

// pick chooses the object under the pointer.
func (v *View) pick() {
	r := v.report.Readout
	if v.session == nil || !v.session.State().Overlay.On || !r.Valid || r.Label == "" || v.session.State().Pencil.Tool != viewer.NoShape {
		return
	}
	label, err := strconv.ParseInt(r.Label, 10, 64)
	if err != nil {
		return
	}
	v.act(viewer.ChooseObject(label))
	v.objects.reveal(label)
}
