package zarr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"lamella/loaders"
)

// growing is a folder that is being written: a part, which takes its name when it is whole. One run may write it,
// or several.
type growing struct {
	path, part string
	overwrite  bool
	way        loaders.Way
	of         int               // shares, if the way is Share
	objects    map[string][]byte // metadata

	held   *os.Root    // the part, open, so that no other folder can be taken for it
	made   fs.FileInfo // the same
	last   string      // made last
	own    string      // folder of this run in the part
	log    *os.File    // its journal
	drafts int         // made in it
}

// begin makes the part, or goes on with one, and writes the metadata objects into it.
func (g *growing) begin(want request) error {
	var err error
	if g.way == loaders.Afresh {
		err = g.make(want)
	} else {
		err = g.join(want)
	}
	if err == nil {
		g.held, err = os.OpenRoot(g.part)
	}
	if err == nil {
		g.made, err = g.held.Stat(".")
	}
	if err == nil {
		err = g.enter()
	}
	if err == nil && g.way == loaders.Share {
		err = g.divide()
	}
	for key, text := range g.objects {
		if err == nil && !holds(os.DirFS(g.part), key, text) {
			err = g.put(key, text)
		}
	}
	if err != nil && g.held != nil {
		g.leave()
	}
	return plain(err)
}

// make makes a part that nothing is in.
func (g *growing) make(want request) error {
	if err := g.vacant(g.path); err != nil {
		return err
	}
	err := g.vacant(g.part)
	if err == nil {
		err = plain(os.RemoveAll(g.part))
	}
	if err == nil {
		err = g.plant(want)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, loaders.ErrExists) && !g.overwrite {
		return fmt.Errorf("%s %w: an earlier export left it, or another is writing it now; go on with it (--resume), remove it, or use --overwrite", filepath.Base(g.part), loaders.ErrExists)
	}
	return err
}

// plant makes a part that holds the request and nothing else, at once, so that of a part that has no request it is
// known that it is whole, not that it has just been begun. The error wraps fs.ErrExist if there is one.
func (g *growing) plant(want request) error {
	text, err := json.MarshalIndent(want, "", "  ")
	if err != nil {
		return err
	}
	for range 100 {
		seed := g.part + "-" + strconv.FormatUint(rand.Uint64(), 36) // nobody else's
		if err = os.Mkdir(seed, 0o777); err == nil {
			err = os.Mkdir(filepath.Join(seed, inside), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(seed, inside, "request"), append(text, '\n'), 0o666)
		}
		if err == nil {
			err = os.Rename(seed, g.part)
		}
		if err == nil {
			return nil
		}
		uproot(seed)
		if there(g.part) {
			return fs.ErrExist
		}
		if !errors.Is(err, fs.ErrNotExist) || !there(filepath.Dir(g.part)) {
			break
		} // else another run has swept the seed away
	}
	return err
}

// sweep takes away the seeds of runs that were killed while they planted. One that is at it plants another.
func (g *growing) sweep() {
	seeds, _ := filepath.Glob(escaped(g.part) + "-*")
	for _, seed := range seeds {
		there, err := os.ReadDir(seed)
		if err != nil || len(there) > 1 || len(there) == 1 && there[0].Name() != inside {
			continue // somebody's folder
		}
		swept := seed + ".old"
		if os.Rename(seed, swept) == nil { // so that what was swept is not planted
			uproot(swept)
		}
	}
}

// uproot removes a seed, and of a folder that is none nothing.
func uproot(seed string) {
	os.Remove(filepath.Join(seed, inside, "request"))
	os.Remove(filepath.Join(seed, inside))
	os.Remove(seed)
}

// join finds a part to go on with, or makes one. The error wraps loaders.ErrComplete if there is nothing left to do.
func (g *growing) join(want request) error {
	if there(g.path) {
		if g.complete() {
			return loaders.ErrComplete
		}
		if err := g.vacant(g.path); err != nil {
			return fmt.Errorf("%w, and was not made by this request; remove it, or use --overwrite", err)
		}
	}
	if g.way == loaders.Finish && !there(g.part) {
		return fmt.Errorf("there is no %s: no share is done", filepath.Base(g.part))
	}
	err := g.plant(want)
	if err == nil && g.complete() { // another run has finished its part, which made room for this one
		os.RemoveAll(g.part)
		return loaders.ErrComplete
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	begun, err := g.request()
	switch {
	case err == nil:
		err = begun.differs(want)
	case errors.Is(err, fs.ErrNotExist) && g.closed(): // a run was stopped on the last step, or is at it
		return loaders.ErrComplete
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("it has no journal")
	}
	if err == nil {
		return nil
	}
	if g.way == loaders.Resume && g.overwrite {
		return g.make(want)
	}
	return fmt.Errorf("%s %w and cannot be gone on with: %w; remove it, or begin again with --overwrite", filepath.Base(g.part), loaders.ErrExists, err)
}

// holds reports whether a folder holds an object.
func holds(folder fs.FS, key string, text []byte) bool {
	info, err := fs.Lstat(folder, key)
	if err != nil || info.Size() != int64(len(text)) {
		return false
	}
	is, err := fs.ReadFile(folder, key)
	return err == nil && bytes.Equal(is, text)
}

// all reports whether a folder holds all objects of metadata.
func (g *growing) all(folder fs.FS) bool {
	for key, text := range g.objects {
		if !holds(folder, key, text) {
			return false
		}
	}
	return true
}

// complete reports whether the folder has its name.
func (g *growing) complete() bool { return g.all(os.DirFS(g.path)) }

// mine says whether the part is still the folder that begin found: another export that was told to
// overwrite may have put its own there, and voxels of the two must not mix.
func (g *growing) mine() error {
	if !isStill(g.part, g.made) {
		return g.replaced()
	}
	return nil
}

func (g *growing) replaced() error {
	return fmt.Errorf("%s was removed or replaced by another program while it was being written", filepath.Base(g.part))
}

// isStill reports whether a path still names a folder.
func isStill(path string, folder fs.FileInfo) bool {
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(now, folder)
}

// closed reports whether another run that went on with the part has finished it meanwhile. Both write the same bytes, so
// nothing is left to do. If it has not given the part its name yet, or was stopped before, that is done here.
func (g *growing) closed() bool {
	if g.way == loaders.Afresh {
		return false
	}
	if part, err := os.OpenRoot(g.part); err == nil {
		// A part has its request from its beginning until it is whole. Both questions go to one folder, even if
		// the part of another run takes its place between them.
		_, err := part.Lstat(filepath.Join(inside, "request"))
		if errors.Is(err, fs.ErrNotExist) && g.all(part.FS()) {
			g.rename(part) // of several that do so one succeeds
		}
		part.Close()
	}
	return g.complete()
}

// draft is a new file of this run's own for what has no name yet. The part must still be the one that was begun.
func (g *growing) draft() (*os.File, error) {
	if err := g.mine(); err != nil {
		return nil, err
	}
	g.drafts++
	return os.OpenFile(filepath.Join(g.own, strconv.Itoa(g.drafts)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// settle gives a whole object its name.
func (g *growing) settle(draft, key string) error {
	file := filepath.Join(g.part, filepath.FromSlash(key))
	if folder := filepath.Dir(file); folder != g.last {
		if err := g.folders(key); err != nil {
			return err
		}
		g.last = folder
	}
	return os.Rename(draft, file)
}

// folders makes those above an object, but never the part itself: another run may have given that its name.
func (g *growing) folders(key string) error {
	for i, r := range key {
		if r != '/' {
			continue
		}
		if err := os.Mkdir(filepath.Join(g.part, filepath.FromSlash(key[:i])), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// put writes one object.
func (g *growing) put(key string, p []byte) error {
	f, err := g.draft()
	if err != nil {
		return err
	}
	_, err = f.Write(p)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = g.settle(f.Name(), key)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// chunk writes one object of voxels, and notes it.
func (g *growing) chunk(key string, p []byte) error {
	if err := g.note(key, note{crc(p), int64(len(p))}); err != nil {
		return err
	}
	return g.put(key, p)
}

// end gives the folder its name. An old one in its place is removed only then.
func (g *growing) end() error {
	if err := g.vacant(g.path); err != nil {
		return err
	}
	if err := g.mine(); err != nil {
		return err
	}
	g.log.Close()
	err := g.held.Remove(filepath.Join(inside, "request"))
	if err == nil || errors.Is(err, fs.ErrNotExist) && g.way != loaders.Afresh {
		err = g.rename(g.held)
	}
	if err != nil && g.way != loaders.Afresh && g.complete() {
		return nil // another run was there before
	}
	if err != nil && g.way == loaders.Afresh && g.mine() == nil {
		os.RemoveAll(g.part)
	}
	g.held.Close()
	return err
}

// rename gives a whole part its name, and closes it.
func (g *growing) rename(part *os.Root) error {
	// Other runs may still write into their folders of the journal, which can only be removed when nobody finds it.
	gone := inside + ".old"
	if err := part.RemoveAll(gone); err != nil {
		return err
	}
	if err := part.Rename(inside, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := part.RemoveAll(gone); err != nil {
		return err
	}
	whole, err := part.Stat(".")
	if err != nil {
		return err
	}
	part.Close() // some systems do not rename an open folder
	err = g.place(whole)
	if err == nil || !g.overwrite || !isStill(g.part, whole) || !there(g.path) {
		return err
	}
	old := g.path + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(g.path, old); err != nil {
		return err
	}
	if err := g.place(whole); err != nil {
		os.Rename(old, g.path)
		return err
	}
	return os.RemoveAll(old)
}

// place moves the part to where it belongs, if it is the folder that is whole and not one that took its place.
func (g *growing) place(whole fs.FileInfo) error {
	if !isStill(g.part, whole) {
		return g.replaced()
	}
	if err := os.Rename(g.part, g.path); err != nil {
		return err
	}
	if !isStill(g.path, whole) { // it did at the last moment
		os.Rename(g.path, g.part)
		return g.replaced()
	}
	g.sweep()
	return nil
}

// there reports whether something has a name.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// leave lets go of the part. One that was begun afresh is taken away, if it is still ours; from others what this run
// has not finished.
func (g *growing) leave() {
	mine := g.mine() == nil
	g.held.Close()
	if g.log != nil {
		g.log.Close()
	}
	switch {
	case !mine:
	case g.way == loaders.Afresh, g.complete(): // nobody will go on with it
		os.RemoveAll(g.part)
	case g.log != nil:
		g.tidy()
	}
}

// tidy removes what only this run could have finished.
func (g *growing) tidy() {
	there, _ := os.ReadDir(g.own)
	for _, e := range there {
		if info, err := e.Info(); e.Name() != "journal" || err == nil && info.Size() == 0 {
			os.Remove(filepath.Join(g.own, e.Name()))
		}
	}
	os.Remove(g.own) // which goes if it is empty
}

// vacant refuses a place that is taken. Even when it may be replaced, a folder has to be Zarr: a
// mistyped name must not cost anyone a folder of other things.
func (g *growing) vacant(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return plain(err)
	case !g.overwrite:
		return fmt.Errorf("%s %w", filepath.Base(path), loaders.ErrExists)
	case info.IsDir():
		for _, name := range append(metadata, inside) {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
				return nil
			}
		}
		return fmt.Errorf("%s is a folder of other things: it %w", filepath.Base(path), loaders.ErrExists)
	}
	return nil
}

// plain is err without the system call and the path that package os adds: messages name the file.
func plain(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
