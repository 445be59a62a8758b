package store

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

const (
	maxWatched = 1 << 18 // directories and files that a Watch remembers; what is beyond is not looked at
	maxLooks   = 4096    // of either kind at a time
)

// A Watch tells whether anything below a folder of the disk was written, as by an acquisition that fills the chunks of
// an array whose metadata stay as they are. A new object changes the time of its directory; one that is written in place
// changes its own. Links are not followed. A Watch is for one goroutine.
type Watch struct {
	seen        map[string]stamp
	dirs, files ring
	again       bool // there was a change at the look before
}

// A stamp is one state of a directory or file; the zero one is that of what is not there.
type stamp struct {
	written time.Time
	size    int64
}

// A ring is paths that are looked at in turn.
type ring struct {
	paths []string
	next  int
}

// NewWatch looks at all there is in a folder: what is written from now on is a change.
func NewWatch(ctx context.Context, folder string) *Watch {
	w := &Watch{seen: map[string]stamp{}}
	w.meet(&w.dirs, folder)
	w.list(ctx, folder)
	return w
}

// Changed reports whether something was written since the look before, and once more at the next look: what was written
// within the grain of the file system's clock has the time that was seen already. It looks at 4096 directories and as
// many files; of a larger folder at the next ones each time.
func (w *Watch) Changed(ctx context.Context) bool {
	found := w.look(ctx, &w.dirs, func(dir string) { w.list(ctx, dir) })
	found = w.look(ctx, &w.files, func(string) {}) || found
	changed := found || w.again
	w.again = found
	return changed
}

// look goes on around a ring and hands over what is another than it was.
func (w *Watch) look(ctx context.Context, r *ring, changed func(path string)) bool {
	found := false
	for n := min(maxLooks, len(r.paths)); n > 0 && len(r.paths) > 0 && ctx.Err() == nil; n-- {
		if r.next >= len(r.paths) {
			r.next = 0
		}
		path := r.paths[r.next]
		now := stampOf(path)
		if now == w.seen[path] {
			r.next++
			continue
		}
		found = true
		if now == (stamp{}) { // it is gone, as what is written under another name and then renamed
			delete(w.seen, path)
			r.paths[r.next] = r.paths[len(r.paths)-1]
			r.paths = r.paths[:len(r.paths)-1]
			continue
		}
		w.seen[path] = now // before its names are read: what comes meanwhile is a change
		r.next++
		changed(path)
	}
	return found
}

// list takes in what lies in a directory, and below it, and was not there before. What cannot be listed changes nothing.
func (w *Watch) list(ctx context.Context, dir string) {
	if ctx.Err() != nil {
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if w.meet(&w.dirs, path) {
				w.list(ctx, path)
			}
		case e.Type().IsRegular():
			w.meet(&w.files, path)
		}
	}
}

// meet adds a path to a ring, unless it is known or there is no room, and reports whether it did.
func (w *Watch) meet(r *ring, path string) bool {
	if _, known := w.seen[path]; known || len(w.seen) >= maxWatched {
		return false
	}
	w.seen[path] = stampOf(path)
	r.paths = append(r.paths, path)
	return true
}

func stampOf(path string) stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	if info.IsDir() {
		return stamp{written: info.ModTime()} // its size is the file system's own matter
	}
	return stamp{info.ModTime(), info.Size()}
}
