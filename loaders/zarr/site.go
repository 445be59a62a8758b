package zarr

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"lamella/loaders"
	"lamella/loaders/store"
)

// A site is where an image is written: a folder of this machine, or a place of a storage of objects. Whole objects
// appear at once under their names; the image appears when all are there.
type site interface {
	// begin makes the part of a request, or goes on with it. The error wraps loaders.ErrComplete if all is there.
	begin(want request) error

	// chunk puts an object of voxels there, and notes it. after is called when p is no longer needed.
	chunk(ctx context.Context, key string, p []byte, after func()) error

	// draft is a new file of this run's own, of this machine, and seal makes it an object.
	draft() (*os.File, error)
	seal(ctx context.Context, draft, key string, n note) error

	// mine says whether nobody else has taken the place of the part.
	mine() error

	// notes are those of all runs, and finished and verified what is there of an object that was noted.
	notes() (map[string]note, error)
	finished(key string, n note) bool
	verified(ctx context.Context, key string, n note) (bool, error)

	// back is the store to read finished objects from, as an image that has its metadata.
	back() (store.Store, error)

	mark(r loaders.Run) error // that a share is there
	undone() string           // which shares are not
	closed() bool             // another run has finished the image
	end() error               // makes the part the image
	leave()                   // lets go of a part that is not whole
}

// siteOf is where an image of a path or an address is written.
func siteOf(path string, d loaders.Description, objects map[string][]byte) (site, error) {
	if store.IsAddress(path) {
		return newFar(path, d, objects)
	}
	return local{&growing{path: path, part: path + ".part", overwrite: d.Overwrite, way: d.Run.Way, of: d.Run.Of, objects: objects}}, nil
}

// local is a folder of this machine.
type local struct{ *growing }

func (l local) chunk(_ context.Context, key string, p []byte, after func()) error {
	defer after()
	return l.growing.chunk(key, p)
}

func (l local) seal(_ context.Context, draft, key string, n note) error {
	if err := l.note(key, n); err != nil {
		return err
	}
	return l.settle(draft, key)
}

// verified asks the folder that begin found, whatever its name is by now.
func (l local) verified(_ context.Context, key string, n note) (bool, error) {
	p, err := l.held.ReadFile(key)
	if err != nil {
		return false, err
	}
	if n.of(p) {
		return true, nil
	}
	return false, l.held.Remove(key)
}

func (l local) back() (store.Store, error) { return store.Folder(l.part) }

// shareName is what the journal calls a share.
func shareName(share, of int) string { return fmt.Sprintf("%d-of-%d", share, of) }

// missingShares says which of so many shares are not done.
func missingShares(of int, done func(share int) bool) string {
	const told = 20
	var missing []string
	more := ""
	for i := range of {
		if done(i) {
			continue
		}
		if len(missing) == told {
			more = " and more"
			break
		}
		missing = append(missing, strconv.Itoa(i))
	}
	if len(missing) == 0 {
		return "a share may have to be run again"
	}
	return fmt.Sprintf("of %d shares these are not done: %s%s", of, strings.Join(missing, ", "), more)
}

// deepestFirst puts keys in an order in which a reader finds no group before its arrays.
func deepestFirst(keys []string) []string {
	slices.SortFunc(keys, func(a, b string) int {
		if d := strings.Count(b, "/") - strings.Count(a, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return keys
}
