//go:build !headless

package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"lamella/app/extern"
	"lamella/gpu"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/viewer/ui"
)

// A window is the program with its window: it introduces the view, the engine, the formats and the
// desktop to each other.
type window struct {
	app    fyne.App
	win    fyne.Window
	view   *ui.View
	engine *engine.Engine

	// What goes on beside showing: one source being opened, and files being written.
	ctx      context.Context
	quitting context.CancelFunc
	opening  context.CancelFunc // nil if nothing is
	writing  []*writing         // files, the newest last
	jobs     sync.WaitGroup     // those of them that have not stopped
	source   string             // what is open, as it is opened again
	sources  []string           // all of it
	options  loaders.Options    // the user's words on it
	readings atomic.Int64       // how often anything was read; see lazy.Again
	join     ui.Joining         // what several sources were made
	followed following
	session  string // the file of the session that is open, "" if it has none
	kept     string // the last state as it was written
	settings *settings
	stopped  chan struct{} // closed when the toolkit has ended

	previewing context.CancelFunc // nil before the first preview
	remake     remaking           // asked for by an export

	programs *extern.Programs // that chains name

	device ui.Device                   // chosen to compute
	card   func() (*gpu.Device, error) // the graphics card, opened at the first call
	asked  atomic.Bool                 // card was called
}

// wrongWords is the exit status for words that cannot be understood, as of the command line.
const wrongWords = 2

// runWindow opens the window with sources and returns the exit status when it has been closed.
func runWindow(args []string) (status int) {
	device, sources, err := windowWords(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "lamella: %v; lamella --help lists what works without a window\n", err)
		return wrongWords
	}
	if err := display(); err != nil {
		return noWindow(err.Error())
	}
	var early startLog
	early.hold()
	defer func() {
		if r := recover(); r != nil { // so the toolkit ends where the display or OpenGL fails
			status = noWindow(early.reason(r))
		}
	}()
	app.SetMetadata(metadata())
	w := &window{card: sync.OnceValues(gpu.Open), stopped: make(chan struct{})}
	w.app = app.New()
	if w.settings, err = openSettings(w.ownFile("settings.json"), w.app.Preferences()); err != nil {
		fmt.Fprintf(os.Stderr, "lamella: %v\n", err)
	}
	own := w.preferences()
	if err := heed(own); err != nil {
		fmt.Fprintf(os.Stderr, "lamella: %v\n", err)
	}
	w.engine = engine.New(engine.Options{Memory: own.Memory, Workers: own.Workers, Unwell: w.unwell})
	w.engine.TuneCollector(512 << 20)
	w.ctx, w.quitting = context.WithCancel(context.Background())
	w.app.SetIcon(metadata().Icon)
	w.build()
	w.runPrograms()
	w.app.Lifecycle().SetOnStarted(func() {
		early.release()
		w.view.Do(w.fitScreen)
		if device == "" {
			device = w.lastDevice()
		}
		w.compute(device)
		w.open(sources) // before, the toolkit has no goroutine to hand results to
		if len(sources) == 0 {
			w.offerLost()
		}
		go w.keep(w.ctx)
	})
	w.app.Lifecycle().SetOnStopped(func() {
		os.Remove(w.ownFile(toolkits)) // it is written anew after this, beside the end of the program
		close(w.stopped)
	})
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM) // the toolkit quits on these by itself
	go func() {
		<-ended
		w.view.Shut()
	}()
	w.win.ShowAndRun()
	w.end()
	return 0
}

func noWindow(why string) int {
	fmt.Fprintf(os.Stderr, "lamella: opening the window: %s; lamella --help lists what works without one\n", why)
	return 1
}

func (w *window) build() {
	look := ui.Look(w.settings.text("look", string(ui.System)))
	w.app.Settings().SetTheme(ui.Theme{Look: look})
	w.win = w.app.NewWindow("Lamella")
	w.view = ui.New(w.win, ui.Asks{
		OpenFile: w.askFile, OpenFolder: w.askFolder, Open: w.open, ChooseFile: w.chooseFile,
		ExportData: w.askData, ExportPicture: w.askPicture, ExportAll: w.askEverything, ExportMovie: w.askMovie, CopyPlane: w.copyPlane, CopyPicture: w.copyPicture, Convert: w.convert,
		Reload: w.reload, Follow: w.follow, Reopen: w.reopen, AxesShape: loaders.AxesShape, ImportRaw: w.askRaw, PreviewRaw: w.previewRaw, OpenRaw: w.openRaw,
		Quit: w.quit, Stop: w.stop, ClearRecent: w.clearRecent, SetLook: w.setLook, Preferences: w.askPreferences, SetDevice: w.chooseDevice, SetKeys: w.setKeys, ExportResults: w.saveResults, ExportProfile: w.saveProfile, ExportObjects: w.saveObjects, OpenROIs: w.askROIs, SaveROIs: w.saveROIs,
		SaveSession: w.saveSession, GoOn: w.goOn, KeepChains: w.keepChains,
		About: func() { w.view.ShowAbout(build()) },
		Samples: []ui.Recent{
			{Source: "sample:cells", Name: "sample.cells"},
			{Source: "sample:labels", Name: "sample.labels"},
			{Source: "sample:blobs?shape=256x1024x1024&chunk=32x128x128&dtype=uint16", Name: "sample.blobs"},
			{Source: "sample:ones?shape=1000000x1000x1000&dtype=int8&chunk=125x1000x1000", Name: "sample.ones"},
		},
	})
	w.view.SetLook(look)
	w.view.SetKeys(w.keys())
	w.view.SetKept(w.keptChains())
	w.view.SetRecent(w.recent())
	w.win.SetMaster()
	w.win.SetCloseIntercept(w.quit)
	w.win.SetOnDropped(w.dropped)
	p := w.settings
	w.view.SetPanelWidths(float32(p.number("left", 0)), float32(p.number("right", 0)))
	if p.yes("folded") {
		w.view.TogglePanels()
	}
	w.win.Resize(fyne.NewSize(float32(p.number("width", 1280)), float32(p.number("height", 800))))
}

func (w *window) setLook(l ui.Look) {
	w.remind(map[string]any{"look": string(l)})
	w.app.Settings().SetTheme(ui.Theme{Look: l})
	w.view.SetLook(l)
}

// stop ends what goes on beside showing, an opening before the newest file that is written, and reports whether there
// was anything.
func (w *window) stop() bool {
	switch {
	case w.opening != nil:
		w.opening()
		w.opening = nil
	case len(w.writing) > 0:
		w.writing[len(w.writing)-1].cancel()
	default:
		return false
	}
	return true
}

// quit ends the program at once, unless files are being written: then it asks.
func (w *window) quit() {
	if len(w.writing) > 0 {
		w.view.AskQuit(len(w.writing), w.quitNow)
		return
	}
	w.quitNow()
}

// quitNow ends the program, whatever goes on.
func (w *window) quitNow() {
	size := w.win.Canvas().Size()
	left, right := w.view.PanelWidths()
	w.remind(map[string]any{
		"width": float64(size.Width), "height": float64(size.Height), "left": float64(left), "right": float64(right), "folded": w.view.PanelsFolded(),
	})
	w.leave()
	w.view.Close()
	w.quitting()
	w.app.Quit()
}

// How long the program waits, when it ends, for unfinished files to be removed, and then for work to stop. What
// does not stop by then, such as a read from a server that is gone, ends with the process, which is safe
// everywhere: nothing of it outlives the process.
const (
	patience     = 3 * time.Second
	workPatience = 200 * time.Millisecond
)

// end runs after the toolkit has ended, also when a signal ended it. Files being written are removed; then the
// engine ends, and after it the graphics card, which may not go while work is on it.
func (w *window) end() {
	w.view.Close()
	w.quitting()
	waitFor(patience, w.jobs.Wait)
	w.programs.Close()
	waitFor(workPatience, func() {
		w.engine.Close()
		w.closeCard()
	})
	waitFor(workPatience, w.toolkitWritten)
}

// toolkits is the file of the toolkit's own preferences. They are none of ours (see settings) and empty, but half a file of them would be
// complained about at the next start.
const toolkits = "preferences.json"

// toolkitWritten returns when that file is whole.
func (w *window) toolkitWritten() {
	<-w.stopped
	for {
		if _, err := readSettings(w.ownFile(toolkits)); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// waitFor runs a function and returns when it has ended, or when it has taken too long.
func waitFor(d time.Duration, f func()) {
	done := make(chan struct{})
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(d):
	}
}
