package ui

import (
	"errors"
	"image"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
	"lamella/viewer"
)

// Asks are what the window's contents ask of the program around them.
type Asks struct {
	OpenFile, OpenFolder func()
	Open                 func(sources []string)
	ChooseFile           func(take func(path string)) // has the user choose a file that a filter uses
	ExportData           func()
	ExportPicture        func()
	ExportMovie          func()
	CopyPlane            func()                                                 // to the clipboard, a pixel a voxel
	CopyPicture          func()                                                 // of what is on view, to the clipboard
	Convert              func()                                                 // writes all of what is open as OME-Zarr
	ExportAll            func()                                                 // the same with the filters applied
	Reload               func()                                                 // reads what is open again
	Follow               func(on bool)                                          // reads it again whenever it has changed
	Reopen               func(axes string)                                      // reads it with its dimensions in another order; "" is the file's own
	AxesShape            func(axes string, lengths []int64) (lazy.Shape, error) // what such an order makes of an array
	ImportRaw            func()
	PreviewRaw           func(RawFile, func(image.Image, error)) // gives the middle plane, later
	OpenRaw              func(RawFile)
	Quit                 func()
	ClearRecent          func()
	SetLook              func(Look)
	Preferences          func()
	SetDevice            func(Device)
	SetKeys              func(Keymap)
	ExportResults        func() // the table of what the shapes measure
	ExportProfile        func() // what the plot shows
	ExportObjects        func() // the table of objects
	SaveSession          func()
	KeepChains           func(viewer.KeptChains)
	GoOn                 func()      // opens the state in which the program was left
	OpenROIs, SaveROIs   func()      // shapes in ImageJ's files
	Stop                 func() bool // ends what the program does beside showing; false if that is nothing
	About                func()
	Samples              []Recent // sources that are built in
}

// A View is everything in the window. Its methods are called on the toolkit's goroutine.
type View struct {
	window   fyne.Window
	asks     Asks
	session  *viewer.Session
	report   viewer.Report
	drawn    viewer.State // of the newest picture
	look     Look
	device   Device
	recent   []Recent
	kept     viewer.KeptChains
	display  *viewer.Display // that was copied; nil before the first
	player   player
	dialogs  dialogs
	blinking *time.Timer // to flip the comparison again; nil if it does not blink
	follow   bool
	noted    int                         // messages that were put up
	after    func(time.Duration, func()) // does something later, on any goroutine
	keymap   Keymap
	keys     map[string][]string // of the commands, by their names
	bound    map[string]string   // the commands of the keys
	named    map[string]string   // the commands of the menus, by what stands there
	marked   []viewer.Bookmark   // that the menu lists
	keySheet *keySheet           // that was opened last
	post     func(func())
	posts    posts

	tips       *tips
	laid       laying // when the tip came
	axesEditor *axesEditor
	raw        *rawImport
	panes      *panes
	pane       *pane // the first of them
	tools      *toolRow
	results    *resultsPanel
	objects    *objectsPanel
	subtitle   *link
	series     *seriesChoice
	axes       *axes
	channels   *channelPanel
	looking    *lookPanel
	chain      *chainPanel
	properties *properties // the sheet that was open last, nil before the first
	cost       *costPanel
	jobs       *jobsPanel
	leaving    leaving
	status     *statusBar
	start      *startPage
	notice     *notice
	standing   *notice         // why the chain is not applied
	notices    *fyne.Container // both, on the picture
	left       *fyne.Container
	right      *fyne.Container
	leftSide   *panelSide
	rightSide  *panelSide
	filters    *container.Scroll // in the right one
	writing    viewer.Draft      // whose editor is open
	middle     *fyne.Container   // what is there with a session
	content    *fyne.Container

	closed           atomic.Bool
	framed, reported atomic.Bool // a refresh is on its way already
	newest           atomic.Pointer[viewer.Report]
	told             atomic.Int64 // when the last report was shown, in nanoseconds
}

const (
	leftWide  = 232
	rightWide = 256
	panelRoom = 12 // around what is in a panel
)

// New fills a window. The window is not shown.
func New(w fyne.Window, asks Asks) *View { return build(w, asks, fyne.Do) }

// build is New with another way to run a function on the toolkit's goroutine.
func build(w fyne.Window, asks Asks, post func(func())) *View {
	v := &View{window: w, asks: asks, tips: newTips(), post: post, after: func(d time.Duration, f func()) { time.AfterFunc(d, f) }}
	v.tips.escape = v.escape
	of := func() fyne.Canvas { return w.Canvas() }
	v.panes = newPanes(v.preparePane)
	v.pane = v.panes.all[0]
	v.subtitle = newLink(v.tips, Say("subtitle.tip"), sizeCaption, v.SetSizes)
	v.series = newSeriesChoice(v.tips, func(i int) { v.act(viewer.Select(i)); v.pane.takeFocus() })
	v.axes = newAxes(v.tips, func(a lazy.Axis, i int) { v.act(viewer.MoveTo(a, i)) }, v.play, v.askPace, v.typePosition)
	v.channels = newChannelPanel(v.tips, v.act, v.drag, v.settle, of)
	v.looking = newLookPanel(v.tips, v.act, v.drag, v.settle)
	v.chain = newChainPanel(v.tips, chainActs{
		choose: func(take func(string)) { v.asks.ChooseFile(take) },
		act:    v.act, drag: v.drag, settle: v.settle, undo: v.back, redo: v.again,
		leave: v.pane.takeFocus, help: v.Notation, canvas: of, measure: v.compareTrial,
		search: func() { v.AddFilter() }, kept: v.keptMenu, compare: func(c viewer.Comparison) { v.compare(c) },
	})
	v.cost, v.jobs = newCostPanel(v.tips), newJobsPanel(v.tips)
	v.status = newStatusBar(v.tips)
	v.status.device.press = func() {
		m := v.deviceMenu()
		widget.ShowPopUpMenuAtRelativePosition(m, w.Canvas(), fyne.NewPos(0, -widget.NewMenu(m).MinSize().Height), v.status.device)
	}
	v.notice, v.standing = newNotice(v.tips, v.hush), newStanding()
	v.start = newStartPage(v.tips, v.asks, v.Keys)

	v.left, v.leftSide = newPanelSide(v.tips, leftWide, false, on(colorPanel, container.NewVScroll(padded(panelRoom, panelRoom, stacked(panelRoom, v.channels.box, rule(), v.looking.box)))), v.widened)
	v.filters = container.NewVScroll(padded(panelRoom, panelRoom, v.chain.box))
	v.right, v.rightSide = newPanelSide(v.tips, rightWide, true, on(colorPanel, around(nil, padded(panelRoom, panelRoom, stacked(12, v.jobs.box, v.cost.box)), nil, nil, v.filters)), v.widened)
	v.tools, v.results = newToolRow(v.tips, v.take), newResultsPanel(v)
	v.objects = newObjectsPanel(v)
	head := container.New(ifRoom{}, around(nil, nil, v.series.box, nil, v.subtitle), v.tools.box)
	picture := around(padded(8, 2, head), nil, nil, nil, on(colorGround, v.panes.box))
	v.middle = around(nil, stacked(0, v.objects.box, v.results.box, padded(0, 4, v.axes.box), rule(), v.status.box), v.left, v.right, picture)
	v.middle.Hide()
	v.notices = container.New(over{v.edges}, v.standing.box, v.notice.box)
	v.content = container.NewStack(newTinted(theme.ColorNameBackground), v.start.box, v.middle, v.notices, v.tips.layer)
	w.SetContent(v.content)
	w.SetPadded(false)
	w.Canvas().SetOnTypedRune(v.typed)
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { v.pressed(e.Name, held()) })
	v.menus()
	return v
}

// edges are how far the picture is from the window's edges; without a picture there is none.
func (v *View) edges() (left, top, right float32) {
	if !v.middle.Visible() {
		return 0, 0, 0
	}
	return seen(v.left).Width, max(seen(v.tools.box).Height, seen(v.series.box).Height) + 4, seen(v.right).Width
}

// Options are how a Session is to be opened so that this window shows it; the engine is left to the
// caller.
func (v *View) Options() viewer.Options {
	return viewer.Options{
		Post: v.Do,
		OnFrame: func() {
			if !v.framed.Swap(true) {
				v.Do(v.frame)
			}
		},
		OnReport: func(r viewer.Report) {
			v.panes.newest(r.Pane, &v.newest).Store(&r)
			if v.reported.Swap(true) {
				return
			}
			// Every text that changes has the toolkit paint the whole window again, so a moving pointer
			// may not ask for that as often as it moves.
			if wait := calm - time.Since(time.Unix(0, v.told.Load())); wait > 0 {
				time.AfterFunc(wait, func() { v.Do(v.tell) })
			} else {
				v.Do(v.tell)
			}
		},
		OnState:  v.update,
		Backdrop: ground(),
	}
}

// closeMenu closes the menu bar's open menu, which only the toolkit's own canvas can, and gives the focus
// back to the picture.
func (v *View) closeMenu() {
	if c, ok := v.window.Canvas().(interface{ DismissMenu() bool }); ok && c.DismissMenu() {
		v.pane.takeFocus()
	}
}

// Do runs a function on the toolkit's goroutine, soon. Once the window has been closed it does
// nothing: the toolkit would run the function at once, beside whatever else goes on.
func (v *View) Do(f func()) {
	if !v.closed.Load() && v.posts.add(f) {
		v.post(v.posts.run)
	}
}

// calm is the least time between two reports on view.
const calm = 50 * time.Millisecond

// Session is what is on view, nil if nothing is.
func (v *View) Session() *viewer.Session { return v.session }

// Swap turns to a session that shows again what is on view. The picture before stands until there is a new one.
func (v *View) Swap(s *viewer.Session) {
	last := v.session
	v.session = s
	v.panes.swap(s)
	last.Close()
	v.update()
	v.menus()
}

// Show turns to a session, whose dataset the title names, and closes the one before.
func (v *View) Show(s *viewer.Session) {
	v.stopPlaying()
	v.stopBlinking()
	v.follow = false
	if v.session != nil {
		v.objects.clear()
		v.session.Close()
	}
	v.session, v.report = s, viewer.Report{}
	v.hush()
	v.panes.show(s)
	v.start.box.Hide()
	v.tips.leave(nil) // of a button that has just gone from under the pointer
	v.middle.Show()
	v.update()
	v.menus()
	v.pane.takeFocus()
}

// frame shows the newest picture. Where the window's size has changed the zoom, what depends on it
// follows.
func (v *View) frame() {
	v.framed.Store(false)
	v.panes.frame()
	if v.session == nil {
		return
	}
	if f := v.session.Frame(); f != nil && (f.State.Size != v.drawn.Size || f.State.Zoom != v.drawn.Zoom) {
		v.drawn = f.State
		v.update()
	}
}

// tell shows the newest report.
func (v *View) tell() {
	v.reported.Store(false)
	v.told.Store(time.Now().UnixNano())
	if r := v.newest.Load(); r != nil && v.session != nil {
		r = v.panes.tell(*r)
		failed := r.Err != nil && (v.report.Err == nil || v.report.Err.Error() != r.Err.Error())
		v.report = *r
		v.channels.count(*r)
		if v.cost.update(*r) {
			v.right.Refresh()
		}
		v.axes.setReady(r.Ready)
		v.chain.cost(*r)
		v.readUnder()
		v.subtitle.set(v.subtitled(*r))
		if failed {
			v.Fail(r.Err)
		}
	}
}

// readUnder tells what lies under the pointer, by the measures of the picture that it is on.
func (v *View) readUnder() {
	sc, s, ok := v.session.SeenOn(v.panes.under)
	if !ok {
		sc, s = v.session.Scene(), v.session.State()
	}
	var beside []string
	if first := v.newest.Load(); first != nil {
		beside = v.panes.beside(*first)
	}
	v.status.update(sc, s, v.report, beside)
}

// act changes what is on view.
func (v *View) act(a viewer.Action) {
	if v.session != nil {
		v.session.Act(a)
		v.update()
	}
}

func (v *View) drag(a viewer.Action) {
	if v.session != nil {
		v.session.Drag(a)
		v.update()
	}
}

// settle ends a gesture. A control may lose the focus when nothing is on view any more.
func (v *View) settle() {
	if v.session != nil {
		v.session.Settle()
	}
}

// update has every widget show the state.
func (v *View) update() {
	if v.session == nil {
		return
	}
	sc, s := v.session.Scene(), v.session.State()
	_, seen := v.session.Seen()
	v.axes.update(sc, s)
	v.channels.update(sc, seen)
	v.looking.update(sc, s)
	v.chain.update(sc, s)
	w, watched := v.session.Watched()
	v.chain.watch(s, w, watched)
	v.cost.graph.chain, v.cost.graph.keeps = s.Chain, s.Compare == viewer.Original && sc.Comparable(s)
	v.write(s.Draft)
	v.readUnder()
	v.subtitle.set(v.subtitled(v.report))
	v.series.update(sc.Set, s.Image)
	if v.properties != nil && len(v.dialogs) > 0 {
		v.properties.update()
	}
	v.tools.update(s)
	v.results.update(sc, s)
	v.objects.update()
	v.panes.update()
	v.stand()
	v.marks(s)
	v.checkMenus()
	v.settled()
}

// stand says on the picture why the filters are not applied, for as long as it is so.
func (v *View) stand() {
	switch why := v.fault(); {
	case why != "" && (why != v.standing.text() || !v.standing.visible()):
		v.standing.show(why, true)
		v.notices.Refresh()
	case why == "" && v.standing.visible():
		v.standing.hide()
		v.notices.Refresh()
	}
}

// fault names the filter that cannot be applied and the reason; "" if there is none.
func (v *View) fault() string {
	if v.session == nil || v.session.Scene().Fault == nil {
		return ""
	}
	f := v.session.Scene().Fault
	title := f.Filter
	if spec, ok := viewer.LookupFilter(f.Filter); ok {
		title = filterTitle(spec)
	}
	return Say("chain.fault", "Filter", title, "Reason", f.Reason())
}

// Refuses reports whether the plane on view cannot be exported because its filters cannot be applied,
// and says why in the words that stand on the picture.
func (v *View) Refuses() bool {
	why := v.fault()
	if why != "" {
		v.Fail(errors.New(Say("chain.notexported", "Why", why)))
	}
	return why != ""
}

// SetFollow says whether what is open is followed.
func (v *View) SetFollow(on bool) {
	v.follow = on
	v.update()
	v.menus()
}

// SetRecent says what was opened last, newest first.
func (v *View) SetRecent(r []Recent) {
	v.recent = r
	v.start.update(r)
	v.menus()
}

// SetLook says how the window is shaded, once the theme has been set.
func (v *View) SetLook(l Look) {
	v.look = l
	if v.session != nil {
		v.session.SetBackdrop(ground())
	}
	v.checkMenus()
}

// TogglePanels folds the panels beside the picture away, or out again.
func (v *View) TogglePanels() {
	v.left.Hidden = !v.left.Hidden
	v.right.Hidden = v.left.Hidden
	v.middle.Refresh()
	v.notices.Refresh()
	v.update()
}

// PanelsFolded reports whether the panels are folded away.
func (v *View) PanelsFolded() bool { return v.left.Hidden }

// ToggleFullScreen gives the window the whole screen, or takes it back.
func (v *View) ToggleFullScreen() { v.window.SetFullScreen(!v.window.FullScreen()) }

// Shut has Do do nothing from now on. It may be called from any goroutine: a signal ends the toolkit by itself, and
// what comes in after that would run wherever it comes from.
func (v *View) Shut() { v.closed.Store(true) }

// Close stops all work of this window.
func (v *View) Close() {
	v.Shut()
	v.stopPlaying()
	v.stopBlinking()
	if v.session != nil {
		v.session.Close()
	}
}
