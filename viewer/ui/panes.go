package ui

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

// panes are the pictures that stand together, laid out as the State arranges them. There is always the first.
type panes struct {
	box     *fyne.Container
	all     []*pane
	prepare func(*pane)
	session *viewer.Session
	reports [maxPanes]atomic.Pointer[viewer.Report] // the newest of each picture but the first
	under   int                                     // the picture that the pointer was on last
	shown   viewer.Arrangement
}

// maxPanes is more than how many pictures ever stand together.
const maxPanes = 32

func newPanes(prepare func(*pane)) *panes {
	p := &panes{prepare: prepare}
	p.box = &fyne.Container{Layout: p}
	p.grow(1)
	return p
}

// grow makes pictures up to a number.
func (p *panes) grow(n int) {
	for i := len(p.all); i < n; i++ {
		one := newPane(i)
		one.hovered, one.left = p.hover, p.leave
		p.prepare(one)
		one.session = p.session
		p.all = append(p.all, one)
		p.box.Objects = append(p.box.Objects, one)
	}
}

// hover marks on the other pictures what lies under the pointer on one.
func (p *panes) hover(i int, x, y float64) {
	p.under = i
	for k, one := range p.all {
		mx, my, ok := p.session.Linked(i, k, x, y)
		one.mark.put(mx/one.scale(), my/one.scale(), ok && k != i)
	}
}

// leave takes the marks away.
func (p *panes) leave() {
	for _, one := range p.all {
		one.mark.put(0, 0, false)
	}
}

// beside is what the images beside the one under the pointer have at the same place, each behind its name.
func (p *panes) beside(first viewer.Report) (all []string) {
	s := p.session.State()
	if s.Arrangement != viewer.ByImage {
		return nil
	}
	for i := range s.Panes() {
		r := &first
		if i > 0 {
			r = p.reports[i].Load()
		}
		_, its, ok := p.session.SeenOn(i)
		if i == p.under || !ok || r == nil || !r.Readout.Valid {
			continue
		}
		v := r.Readout.Shown
		if v == nil {
			v = r.Readout.Raw
		}
		all = append(all, imageName(p.session.Set(), its.Image)+": "+values(its, v))
	}
	return all
}

// preparePane joins a picture to the window.
func (v *View) preparePane(p *pane) {
	p.acted, p.key, p.rune, p.picked = v.update, v.pressed, v.typed, v.pick
	p.close, p.zooms = v.closeMenu, v.keymap.zooms()
	p.later = func(f func()) { time.AfterFunc(30*time.Millisecond, func() { v.Do(f) }) }
}

// show turns to another session.
func (p *panes) show(s *viewer.Session) {
	p.session, p.under = s, 0
	for i, one := range p.all {
		p.reports[i].Store(nil)
		one.show(s)
	}
	p.update()
}

// swap turns to a session of the same.
func (p *panes) swap(s *viewer.Session) {
	p.session = s
	for _, one := range p.all {
		one.swap(s)
	}
	p.update()
}

// newest is where the newest report of a picture goes: that of the first has a place of its own.
func (p *panes) newest(i int, first *atomic.Pointer[viewer.Report]) *atomic.Pointer[viewer.Report] {
	if i == 0 || i >= maxPanes {
		return first
	}
	return &p.reports[i]
}

// tell shows how the work for each picture stands, and gives what it comes to in all: the report of the first, with
// the work of the others added, and with what lies under the pointer on whichever it is.
func (p *panes) tell(first viewer.Report) *viewer.Report {
	own := first.Readout
	p.all[0].work(first.Slow, first.Done, first.Total)
	p.all[0].chunks.set(first.Chunks)
	n := p.session.State().Panes()
	for i := 1; i < n && i < len(p.all); i++ {
		r := p.reports[i].Load()
		if r == nil {
			continue
		}
		p.all[i].work(r.Slow, r.Done, r.Total)
		first.Slow = first.Slow || r.Slow
		if first.Busy = first.Busy || r.Busy; r.Busy {
			first.Done, first.Total = first.Done+r.Done, first.Total+r.Total
		}
		if first.Err == nil {
			first.Err = r.Err
		}
		if i == p.under {
			first.Readout = r.Readout
		}
	}
	if p.session.State().Arrangement == viewer.ByChannel {
		first.Readout = p.together(own, n)
	}
	return &first
}

// together is what lies under the pointer with the values of all channels, of which each picture has one.
func (p *panes) together(first viewer.Readout, n int) viewer.Readout {
	all := first
	for i := 1; i < n; i++ {
		o := p.reports[i].Load()
		if o == nil {
			continue
		}
		switch r := o.Readout; {
		case !r.Valid:
		case !all.Valid:
			all = r
		case r.Voxel[lazy.X] == all.Voxel[lazy.X] && r.Voxel[lazy.Y] == all.Voxel[lazy.Y] && r.Voxel[lazy.Z] == all.Voxel[lazy.Z]:
			all.Raw, all.Shown = slices.Concat(all.Raw, r.Raw), slices.Concat(all.Shown, r.Shown)
		}
	}
	return all
}

// frame paints the pictures that there is a newer frame of.
func (p *panes) frame() {
	if p.session == nil {
		p.all[0].raster.Refresh()
		return
	}
	for i := range min(len(p.all), p.session.State().Panes()) {
		f := p.session.FrameOf(i)
		if f == nil {
			continue
		}
		if f.Image != p.all[i].last {
			p.all[i].raster.Refresh()
		}
		p.all[i].notes.frame(f)
	}
	if first := p.all[0]; first.veil != nil {
		first.veil.frame()
		first.overview.frame()
	}
}

// update shows the State.
func (p *panes) update() {
	n, arrangement := 1, viewer.Alone
	if p.session != nil {
		n, arrangement = p.session.State().Panes(), p.session.State().Arrangement
	}
	p.grow(n)
	changed := arrangement != p.shown
	p.shown = arrangement
	for i, one := range p.all {
		if hide := i >= n; hide == one.Visible() {
			one.Hidden, one.last, changed = hide, nil, true
		}
	}
	if changed {
		p.box.Refresh()
	}
	for _, one := range p.all[:n] {
		one.Refresh()
	}
}

// between is the room between pictures.
const between = 2

// MinSize is that of one picture: those beside it take what is left.
func (p *panes) MinSize([]fyne.CanvasObject) fyne.Size { return p.all[0].MinSize() }

// Layout puts the pictures side by side: of three, the first has as much as suits the volume; any other number stands
// in rows.
func (p *panes) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	n := 1
	if p.session != nil {
		n = p.session.State().Panes()
	}
	if len(p.all) < n { // more are being made
		return
	}
	put := func(i int, x, y, w, h float32) {
		p.all[i].Move(fyne.NewPos(x, y))
		p.all[i].Resize(fyne.NewSize(max(1, w), max(1, h)))
	}
	if p.session != nil && p.session.State().Arrangement == viewer.ThreeUp {
		across, down := p.session.Scene().Share()
		w, h := whole(size.Width, across), whole(size.Height, down)
		put(0, 0, 0, w, h)
		put(1, w+between, 0, size.Width-w-between, h)
		put(2, 0, h+between, w, size.Height-h-between)
		return
	}
	columns := columnsFor(n, size)
	rows := (n + columns - 1) / columns
	for i := range n {
		c, r := i%columns, i/columns
		x, y := whole(size.Width, float64(c)/float64(columns)), whole(size.Height, float64(r)/float64(rows))
		right, below := size.Width, size.Height
		if c < columns-1 {
			right = whole(size.Width, float64(c+1)/float64(columns)) - between
		}
		if r < rows-1 {
			below = whole(size.Height, float64(r+1)/float64(rows)) - between
		}
		put(i, x, y, right-x, below-y)
	}
}

// whole is a share of a length, in whole units.
func whole(length float32, share float64) float32 {
	return float32(math.Round(float64(length) * share))
}

// columnsFor is how many columns make n pictures the most like squares.
func columnsFor(n int, size fyne.Size) int {
	best, columns := float32(-1), 1
	for c := 1; c <= n; c++ {
		rows := (n + c - 1) / c
		if side := min(size.Width/float32(c), size.Height/float32(rows)); side > best {
			best, columns = side, c
		}
	}
	return columns
}

// arrange puts other pictures into the window; what stands there already goes back to one.
func (v *View) arrange(to viewer.Arrangement) {
	if v.session != nil && v.session.State().Arrangement == to {
		to = viewer.Alone
	}
	if to == viewer.ByImage {
		v.act(viewer.AllTogether())
		return
	}
	v.act(viewer.Arrange(to))
}
