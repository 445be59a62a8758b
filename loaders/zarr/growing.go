package zarr

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
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

	held   *os.File // the part, open, so that another folder in its place can be told from it
	last   string   // made last
	own    string   // folder of this run in the part
	log    *os.File // its journal
	drafts int      // made in it
}

// begin makes the part, or goes on with one, and writes the metadata objects into it.
func (g *growing) begin(want request) error {
	var err error
	if g.way == loaders.Afresh {
		err = g.make()
	} else {
		err = g.join(want)
	}
	if err == nil {
		g.held, err = os.Open(g.part)
	}
	if err == nil {
		err = g.enter()
	}
	if err == nil {
		err = g.claim(want)
	}
	if err == nil && g.way == loaders.Share {
		err = g.divide()
	}
	for key, text := range g.objects {
		if err == nil && !g.holds(g.part, key, text) {
			err = g.put(key, text)
		}
	}
	if err != nil && g.held != nil {
		g.leave()
	}
	return plain(err)
}

// make makes a part that nothing is in.
func (g *growing) make() error {
	if err := g.vacant(g.path); err != nil {
		return err
	}
	err := g.vacant(g.part)
	if err == nil {
		err = plain(os.RemoveAll(g.part))
	}
	if err == nil {
		err = os.Mkdir(g.part, 0o777)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, loaders.ErrExists) && !g.overwrite {
		return fmt.Errorf("%s %w: an earlier export left it, or another is writing it now; go on with it (--resume), remove it, or use --overwrite", filepath.Base(g.part), loaders.ErrExists)
	}
	return err
}

// join finds a part to go on with, or makes one. The error wraps loaders.ErrComplete if there is nothing left to do.
func (g *growing) join(want request) error {
	if _, err := os.Lstat(g.path); err == nil {
		if g.all(g.path) {
			return loaders.ErrComplete
		}
		if err := g.vacant(g.path); err != nil {
			return fmt.Errorf("%w, and was not made by this request; remove it, or use --overwrite", err)
		}
	}
	if err := os.Mkdir(g.part, 0o777); !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, err := g.request()
	empty := g.empty()
	if errors.Is(err, fs.ErrNotExist) && !empty {
		there, err = g.request() // another run may have begun meanwhile
	}
	switch {
	case err == nil:
		err = there.differs(want)
	case !errors.Is(err, fs.ErrNotExist):
	case g.all(g.part): // a run was stopped on the last step
		if err = g.rename(); err == nil {
			err = loaders.ErrComplete
		}
		return err
	case empty:
		err = nil
	default:
		err = errors.New("it has no journal")
	}
	if err == nil {
		return nil
	}
	if g.way == loaders.Resume && g.overwrite {
		return g.make()
	}
	return fmt.Errorf("%s %w and cannot be gone on with: %w; remove it, or begin again with --overwrite", filepath.Base(g.part), loaders.ErrExists, err)
}

// empty reports whether nothing was written into the part yet.
func (g *growing) empty() bool {
	there, err := os.ReadDir(g.part)
	return err == nil && (len(there) == 0 || len(there) == 1 && there[0].Name() == inside)
}

// holds reports whether a folder holds an object.
func (g *growing) holds(folder, key string, text []byte) bool {
	at := filepath.Join(folder, filepath.FromSlash(key))
	info, err := os.Lstat(at)
	if err != nil || info.Size() != int64(len(text)) {
		return false
	}
	is, err := os.ReadFile(at)
	return err == nil && bytes.Equal(is, text)
}

// all reports whether a folder that is no longer written holds all objects of metadata.
func (g *growing) all(folder string) bool {
	for key, text := range g.objects {
		if !g.holds(folder, key, text) {
			return false
		}
	}
	return true
}

// mine says whether the part is still the folder that begin found: another export that was told to
// overwrite may have put its own there, and voxels of the two must not mix.
func (g *growing) mine() error {
	now, err := os.Lstat(g.part)
	if err == nil {
		made, e := g.held.Stat()
		if err = e; err == nil && os.SameFile(now, made) {
			return nil
		}
	}
	return fmt.Errorf("%s was removed or replaced by another program while it was being written", filepath.Base(g.part))
}

// closed reports whether another run that went on with the part has finished it meanwhile. Both write the same bytes, so
// nothing is left to do.
func (g *growing) closed() bool {
	if g.way == loaders.Afresh {
		return false
	}
	if _, err := g.request(); errors.Is(err, fs.ErrNotExist) && g.all(g.part) {
		g.rename() // as the other is about to; one of the two succeeds
	}
	return g.all(g.path)
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
	if err := g.note(key, note{crc32.Checksum(p, castagnoli), int64(len(p))}); err != nil {
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
	g.held.Close() // some systems do not rename an open folder
	// A part without a request is whole: a run that finds it gives it its name.
	err := os.Remove(filepath.Join(g.part, inside, "request"))
	if err == nil || errors.Is(err, fs.ErrNotExist) && g.way != loaders.Afresh {
		err = g.rename()
	}
	switch {
	case err == nil:
	case g.way == loaders.Afresh:
		os.RemoveAll(g.part) // it was ours a moment ago, and can no longer be told from another
	case g.all(g.path):
		err = nil // another run was there before
	}
	return err
}

func (g *growing) rename() error {
	// Other runs may still write into their folders of the journal, which can only be removed when nobody finds it.
	gone := filepath.Join(g.part, inside+".old")
	if err := os.RemoveAll(gone); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(g.part, inside), gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(gone); err != nil {
		return err
	}
	err := os.Rename(g.part, g.path)
	if err == nil || !g.overwrite || !there(g.part) || !there(g.path) {
		return err
	}
	old := g.path + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(g.path, old); err != nil {
		return err
	}
	if err := os.Rename(g.part, g.path); err != nil {
		os.Rename(old, g.path)
		return err
	}
	return os.RemoveAll(old)
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
	case !mine || g.log == nil:
	case g.way == loaders.Afresh:
		os.RemoveAll(g.part)
	default:
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
