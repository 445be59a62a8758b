//go:build !headless

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
	"lamella/viewer"
	"lamella/viewer/ui"
)

// beat is how often what is followed is looked at.
const beat = 2 * time.Second

// A following is an acquisition that is looked at while it grows.
type following struct {
	end     context.CancelFunc
	trouble string // that has been told
}

// reload reads what is open again, and keeps the view, the chain and the limits.
func (w *window) reload() {
	if w.view.Session() == nil || w.opening != nil {
		return
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.opening = cancel
	sources, options, join, name := w.sources, w.options, w.join, title(w.sources)
	reading := w.again()
	go func() {
		set, err := openAll(ctx, sources, options, join, reading)
		w.view.Do(func() {
			stopped := ctx.Err() != nil
			if !stopped {
				w.opening = nil
			}
			cancel()
			switch {
			case stopped:
				closeSet(&set)
			case err != nil && len(set.Images) == 0:
				closeSet(&set)
				w.view.Fail(fmt.Errorf("%s", ui.Say("app.gone", "Name", name, "Why", reasonOf(err))))
			case sameVoxels(w.view.Session().Opened(), &set):
				closeSet(&set)
				w.view.Note(ui.Say("app.nothingnew", "Name", name))
			case w.swap(&set, nil):
				w.view.Note(ui.Say("app.reloaded", "Name", name))
			}
		})
	}()
}

// again numbers what is read, so that nothing of an earlier reading is taken for it.
func (w *window) again() int { return int(w.readings.Add(1)) }

// reopen reads what is open with its dimensions in another order; "" is the file's own.
func (w *window) reopen(axes string) {
	options := w.options
	options.Axes = axes
	w.openThen(w.sources, options, w.join, viewer.Open)
	w.session = ""
}

// swap shows a dataset that was read again in place of the one on view, and reports whether it could. It says when
// there is less of it than before.
func (w *window) swap(set *lazy.Dataset, then viewer.Action) bool {
	o := w.sessionOptions()
	was := w.view.Session()
	s, err := viewer.Reopen(set, was, then, o)
	if err != nil {
		closeSet(set)
		w.view.Fail(err)
		return false
	}
	before, now := was.Scene().Meta().Shape, s.Scene().Meta().Shape
	if scattered(set) { // what the engine has of the older reading is of no use any more
		w.engine.Clear()
	}
	w.view.Swap(s)
	for _, a := range []lazy.Axis{lazy.T, lazy.Z, lazy.C, lazy.Y, lazy.X} {
		if now[a] < before[a] {
			w.view.Note(ui.Say("app.shorter", "Name", title(w.sources), "Was", length(a, before[a]), "Now", length(a, now[a])))
			return false
		}
	}
	return true
}

func length(a lazy.Axis, n int) string { return fmt.Sprintf("%s %d", strings.ToUpper(a.String()), n) }

// follow begins or ends following what is open.
func (w *window) follow(on bool) {
	if w.followed.end != nil {
		w.followed.end()
		w.followed = following{}
	}
	if w.view.Session() == nil {
		return
	}
	w.view.SetFollow(on)
	name := title(w.sources)
	if !on {
		w.view.Note(ui.Say("app.notfollowing", "Name", name))
		return
	}
	ctx, end := context.WithCancel(w.ctx)
	w.followed = following{end: end}
	w.view.Note(ui.Say("app.following", "Name", name))
	var folders []string
	if scattered(w.view.Session().Opened()) {
		folders = foldersOf(w.sources)
	}
	go w.look(ctx, w.sources, w.options, w.join, folders)
}

// unfollow ends it, for something else is open.
func (w *window) unfollow() {
	if w.followed.end != nil {
		w.followed.end()
		w.followed = following{}
	}
}

// look reads what is followed at every beat, beside the window, and hands over what has changed. A plain file whose
// size and time are as before is not read. Objects in the folders hold voxels: when any was written all are read again.
func (w *window) look(ctx context.Context, sources []string, options loaders.Options, join ui.Joining, folders []string) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	last, reading := mark(sources), int(w.readings.Load())
	var watches []*store.Watch
	for _, f := range folders {
		watches = append(watches, store.NewWatch(ctx, f))
	}
	written := len(watches) > 0 // perhaps, before they were watched
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := mark(sources)
		if now != "" && now == last && len(watches) == 0 {
			continue
		}
		for _, f := range watches {
			written = f.Changed(ctx) || written
		}
		if written {
			reading = w.again()
		}
		set, err := openAll(ctx, sources, options, join, reading)
		if err == nil {
			last, written = now, false
		}
		taken := make(chan struct{})
		w.view.Do(func() {
			defer close(taken)
			if ctx.Err() != nil || w.opening != nil {
				closeSet(&set)
				return
			}
			w.looked(&set, err)
		})
		select {
		case <-taken:
		case <-ctx.Done():
			return
		}
	}
}

// looked shows what following has found.
func (w *window) looked(set *lazy.Dataset, err error) {
	if len(set.Images) == 0 {
		closeSet(set)
		if why := ui.Say("app.gone", "Name", title(w.sources), "Why", reasonOf(err)); why != w.followed.trouble {
			w.followed.trouble = why // said once, not at every beat
			w.view.Fail(fmt.Errorf("%s", why))
		}
		return
	}
	w.followed.trouble = ""
	was := w.view.Session()
	if sameVoxels(was.Opened(), set) {
		closeSet(set)
		return
	}
	w.swap(set, viewer.Latest(was))
}

// mark tells one state of plain files from another; "" for what has none, such as folders.
func mark(sources []string) string {
	var b strings.Builder
	for _, s := range sources {
		info, err := os.Stat(s)
		if err != nil || !info.Mode().IsRegular() {
			return ""
		}
		fmt.Fprint(&b, info.Size(), " ", info.ModTime().UnixNano(), "|")
	}
	return b.String()
}

// scattered reports whether voxels lie, or may lie, in many objects beside the metadata that say what they are. Those may
// have been written again while the metadata stayed.
func scattered(set *lazy.Dataset) bool {
	return slices.Contains([]string{"zarr", "ome-zarr", "n5", "several"}, set.Format)
}

// foldersOf is the folders of this machine that sources are, or that they are the metadata of.
func foldersOf(sources []string) []string {
	var folders []string
	for _, s := range sources {
		info, err := os.Stat(s)
		switch name := filepath.Base(s); {
		case err != nil:
		case info.IsDir():
			folders = append(folders, s)
		case strings.HasPrefix(name, ".z") || filepath.Ext(name) == ".json" || filepath.Ext(name) == ".xml":
			folders = append(folders, filepath.Dir(s))
		}
	}
	return folders
}

// sameVoxels reports whether two datasets are the same voxels in the same places.
func sameVoxels(a, b *lazy.Dataset) bool {
	if len(a.Images) != len(b.Images) {
		return false
	}
	for i := range a.Images {
		p, q := a.Images[i].Levels, b.Images[i].Levels
		if len(p) != len(q) {
			return false
		}
		for l := range p {
			if p[l].Array.Node().Hash != q[l].Array.Node().Hash || p[l].Array.Meta() != q[l].Array.Meta() {
				return false
			}
		}
	}
	return true
}

// opened is how the error of a loader begins before its reason, if it tells more than that: the package, and what it opened.
var opened = regexp.MustCompile(`^[a-z0-9]+: (?:opening [^:]+: )?`)

// reasonOf is the reason in an error of opening, for a text that names what was opened.
func reasonOf(err error) string {
	if err == nil {
		return "?"
	}
	return opened.ReplaceAllString(err.Error(), "")
}
