package zarr

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"lamella/loaders"
	"lamella/loaders/store"
)

// far is an image in a storage of objects, a bucket or a server of the web that takes PUT. Nothing can be renamed there,
// so that objects of voxels have their names from the beginning, and the metadata, without which no reader finds an
// image, come last. What a part has is in objects beside it, until it is whole:
//
//	.lamella/request           what it is to become
//	.lamella/H/shares          how many there are; H names the request
//	.lamella/H/run-0           what runs have written: checksums, lengths and names, as in the journal of a folder
//	.lamella/H/2-of-64-0       what share 2 has
//	.lamella/H/done-2-of-64    share 2 is there, with all of it
//
// An object is noted after it is there, since S3 shows whole ones only.
type far struct {
	ctx       context.Context // of the whole work
	to        store.Store
	uploads   *store.Uploads
	overwrite bool
	run       loaders.Run
	objects   map[string][]byte // metadata

	request []byte
	journal string   // folder of it
	lines   int      // journal objects of runs such as this
	logs    []string // keys of all journal objects that are known
	of      int      // shares, 0 if nothing is divided
	marked  map[int]bool

	all     map[string]note  // of what is there
	sizes   map[string]int64 // of what was there when this run began; nil if that cannot be told
	pending map[string]note  // of what is being sent
	fresh   []string         // keys that no journal object has yet
	own     []string         // keys of this run
	scratch string           // folder of drafts
}

const (
	// inFlight is how many objects are sent at a time: their chunks are memory.
	inFlight = 8

	// perJournal is how many objects are noted together: those that a run which is killed has to write again.
	perJournal = 128

	// parting is how long a run that failed takes to leave.
	parting = 20 * time.Second

	// grace is how long any one step of that may take: what fails then fails for the others too.
	grace = 2 * time.Second
)

func newFar(address string, d loaders.Description, objects map[string][]byte) (*far, error) {
	if strings.HasPrefix(strings.ToLower(address), "gs:") {
		return nil, unsupported("writing to gs:// addresses; s3:// and http(s):// can be written")
	}
	to, err := store.RemoteFolder(address, store.Web{CacheSize: -1})
	if err != nil {
		return nil, err
	}
	ctx := d.Context
	if ctx == nil {
		ctx = context.Background()
	}
	return &far{
		ctx: ctx, to: to, uploads: store.NewUploads(to, inFlight), overwrite: d.Overwrite, run: d.Run, objects: objects,
		marked: map[int]bool{}, all: map[string]note{}, pending: map[string]note{},
	}, nil
}

func (f *far) begin(want request) (err error) {
	ctx := f.ctx
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if f.request, err = json.MarshalIndent(want, "", "  "); err != nil {
		return err
	}
	f.journal = fmt.Sprintf("%s/%x", inside, sha256.Sum256(f.request))[:len(inside)+17]
	if f.run.Way != loaders.Afresh && f.complete() {
		return loaders.ErrComplete
	}
	for _, name := range metadata {
		if text, err := f.get(ctx, name); err == nil && loaders.IsPage(text) {
			return fmt.Errorf("the server gives a web page for %s, so what lies there cannot be told; check the address", name)
		} else if err == nil {
			return fmt.Errorf("an image of this name %w, and objects cannot be replaced all at once; remove it, or choose another name", loaders.ErrExists)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := f.claim(ctx, want); err != nil || f.run.Way == loaders.Afresh {
		return err
	}
	if err := f.divide(ctx); err != nil {
		return err
	}
	if err := f.recollect(ctx); err != nil || len(f.all) == 0 {
		return err
	}
	f.sizes, err = store.Sizes(ctx, f.to)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) { // what was noted is believed
		f.sizes, err = nil, nil
	}
	return err
}

// claim makes the place that of the request, if it is no other's.
func (f *far) claim(ctx context.Context, want request) error {
	text, err := f.get(ctx, inside+"/request")
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.run.Way == loaders.Finish:
		return errors.New("no share is done")
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case f.run.Way == loaders.Afresh && !f.overwrite:
		return fmt.Errorf("a part of an image of this name %w: an earlier export left it, or another is writing it now; go on with it (--resume), remove it, or use --overwrite", loaders.ErrExists)
	case f.run.Way != loaders.Afresh && !bytes.Equal(text, f.request):
		var begun request
		err := errors.New("its journal is damaged")
		if json.Unmarshal(text, &begun) == nil {
			err = begun.differs(want)
		}
		if f.run.Way != loaders.Resume || !f.overwrite {
			return fmt.Errorf("a part of an image of this name %w and cannot be gone on with: %w; remove it, or begin again with --overwrite", loaders.ErrExists, err)
		}
	case bytes.Equal(text, f.request):
		return nil
	}
	return f.put(ctx, inside+"/request", f.request)
}

// get is a small object.
func (f *far) get(ctx context.Context, key string) ([]byte, error) {
	return f.to.Get(ctx, key, maxConsolidated)
}

func (f *far) put(ctx context.Context, key string, p []byte) error {
	return store.Put(ctx, f.to, key, bytes.NewReader(p), int64(len(p)))
}

func (f *far) chunk(ctx context.Context, key string, p []byte, after func()) error {
	return f.send(ctx, key, note{crc(p), int64(len(p))}, bytes.NewReader(p), after)
}

func (f *far) seal(ctx context.Context, draft, key string, n note) error {
	file, err := os.Open(draft)
	if err != nil {
		return err
	}
	return f.send(ctx, key, n, file, func() {
		file.Close()
		os.Remove(draft)
	})
}

// send begins to send an object, and notes those that have come.
func (f *far) send(ctx context.Context, key string, n note, body interface {
	ReadAt(p []byte, off int64) (int, error)
}, after func()) error {
	f.gather()
	if len(f.fresh) >= perJournal {
		if err := f.flush(ctx); err != nil {
			after()
			return err
		}
	}
	f.pending[key] = n
	f.own = append(f.own, key)
	return f.uploads.Put(ctx, key, body, n.length, after)
}

// gather takes over what has come.
func (f *far) gather() {
	for _, key := range f.uploads.Done() {
		f.all[key] = f.pending[key]
		f.fresh = append(f.fresh, key)
		delete(f.pending, key)
	}
}

func (f *far) draft() (*os.File, error) {
	if f.scratch == "" {
		var err error
		if f.scratch, err = os.MkdirTemp("", "lamella-part-"); err != nil {
			return nil, err
		}
	}
	return os.CreateTemp(f.scratch, "")
}

func (f *far) mine() error { return nil } // which end asks

// notes waits for what is being sent.
func (f *far) notes() (map[string]note, error) {
	err := f.uploads.Wait()
	f.gather()
	return f.all, err
}

// taken is the note of an object that was taken away.
var taken = note{length: -1}

func (f *far) finished(key string, n note) bool {
	if f.sizes == nil {
		return n != taken
	}
	size, ok := f.sizes[key]
	return ok && size == n.length
}

func (f *far) verified(ctx context.Context, key string, n note) (bool, error) {
	p, err := f.to.Get(ctx, key, max(n.length, 1))
	if err == nil && n.of(p) {
		return true, nil
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	f.all[key] = taken
	f.fresh = append(f.fresh, key)
	return false, store.Remove(ctx, f.to, key)
}

// back is what is there, with the metadata that are not yet.
func (f *far) back() (store.Store, error) { return withMetadata{f.to, f.objects}, nil }

type withMetadata struct {
	store.Store
	objects map[string][]byte
}

func (w withMetadata) Open(ctx context.Context, key string) (store.File, error) {
	if p, ok := w.objects[key]; ok {
		return store.Bytes(store.NameOf(w.Name(), key), p), nil
	}
	return w.Store.Open(ctx, key)
}

// complete reports whether all metadata are there, which come last.
func (f *far) complete() bool {
	for key, text := range f.objects {
		if is, err := f.get(f.ctx, key); err != nil || !bytes.Equal(is, text) {
			return false
		}
	}
	return true
}

func (f *far) closed() bool { return f.run.Way != loaders.Afresh && f.complete() }

// end puts the metadata there, those of the image last, and takes the journal away; what of that stays does no harm.
func (f *far) end() error {
	ctx := f.ctx
	if _, err := f.notes(); err != nil {
		return err
	}
	if text, err := f.get(ctx, inside+"/request"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if !bytes.Equal(text, f.request) && !f.closed() {
		return errors.New("the part was removed or replaced by another program while it was being written")
	}
	for _, key := range deepestFirst(slices.Collect(maps.Keys(f.objects))) {
		if err := f.put(ctx, key, f.objects[key]); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, parting)
	defer cancel()
	store.RemoveAll(ctx, f.to, f.journals(ctx), inFlight, grace)
	f.close()
	return nil
}

// leave takes away what was begun afresh, and of others notes what is there.
func (f *far) leave() {
	f.uploads.Stop() // what failed was told
	f.gather()
	ctx, cancel := context.WithTimeout(context.Background(), parting)
	defer cancel()
	if f.run.Way == loaders.Afresh {
		store.RemoveAll(ctx, f.to, append(append(f.own, f.journals(ctx)...), inside+"/request"), inFlight, grace)
	} else {
		f.flush(ctx) // what is not noted is written again
	}
	f.close()
}

func (f *far) close() {
	f.to.Close()
	if f.scratch != "" {
		os.RemoveAll(f.scratch)
	}
}

var _ site = (*far)(nil)
