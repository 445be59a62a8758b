//go:build !headless

package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"lamella/app/export"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// A writing is a file that is being written beside the window. Several may be; what is on view is computed before them.
type writing struct {
	name        string
	done, total int
	pace        export.Pace
	left        time.Duration // 0 while that cannot be said
	cancel      context.CancelFunc
}

// write runs an export beside the window and tells how it goes.
func (w *window) write(path string, replace bool, run func(ctx context.Context, progress func(done, total int)) error) {
	w.writeThen(path, replace, run, func() { w.view.Note(ui.Say("app.exported", "Name", path)) }, "app.notwritten")
}

// writeThen is write with what is to be done when it is there, and the key of what is said when it was stopped.
func (w *window) writeThen(path string, replace bool, run func(ctx context.Context, progress func(done, total int)) error, done func(), stoppedKey string) {
	if err := w.mayWrite(path, replace); err != nil {
		w.view.Fail(err)
		return
	}
	ctx, cancel := context.WithCancel(w.ctx)
	j := &writing{name: filepath.Base(path), cancel: cancel}
	w.writing = append(w.writing, j)
	w.tellJobs()
	var told atomic.Bool
	progress := func(done, total int) {
		if done < total && !told.Swap(true) {
			w.view.Do(func() {
				told.Store(false)
				j.done, j.total = done, total
				j.left, _ = j.pace.Left(done, total, time.Now())
				w.tellJobs()
			})
		}
	}
	w.jobs.Go(func() {
		err := run(ctx, progress)
		w.view.Do(func() {
			stopped := ctx.Err() != nil
			cancel()
			w.writing = slices.DeleteFunc(w.writing, func(o *writing) bool { return o == j })
			switch {
			case err == nil:
				done()
			case stopped && errors.Is(err, context.Canceled):
				w.view.Note(ui.Say(stoppedKey, "Name", j.name))
			default:
				w.view.Fail(err)
			}
			w.tellJobs() // the last one may end the program
		})
	})
}

// mayWrite refuses files that exist, unless they are to be replaced, and those that are read.
func (w *window) mayWrite(path string, replace bool) error {
	s := w.view.Session()
	if s == nil {
		return export.Check(path, w.source, replace)
	}
	return mayWrite(path, replace, w.sources, s.Set().Files, s.State())
}

// mayWrite spares all sources of what is on view, what else was found beside them, and what filters read.
func mayWrite(path string, replace bool, sources, beside []string, state viewer.State) error {
	for _, source := range sources {
		if err := export.Check(path, source, replace); err != nil {
			return err
		}
	}
	if err := export.Spare(path, "it is a part of the source", beside); err != nil {
		return err
	}
	return export.Spare(path, "a filter reads it", append(state.Chain.Files(), state.Aside.Files()...))
}

// tellJobs has the window list what is being written.
func (w *window) tellJobs() {
	var all []ui.Job
	for _, j := range w.writing {
		all = append(all, ui.Job{Name: j.name, Done: j.done, Total: j.total, Left: j.left.Seconds(), Cancel: j.cancel})
	}
	w.view.SetJobs(all)
}
