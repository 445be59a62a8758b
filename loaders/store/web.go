package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A web is the store of what lies below an address. Objects are known by their names alone; what is found out
// about one is remembered, so that a shard that is opened for each of its chunks costs one look.
type web struct {
	at    place
	o     Web
	cache *disk // nil if it is switched off
	slots chan struct{}

	life context.Context // of all requests
	end  context.CancelFunc

	work     sync.WaitGroup
	answered atomic.Bool // the server gave something
	appetite atomic.Int64

	mu      sync.Mutex
	objects map[string]*entry
	trouble error     // the last failure that was none of a single object
	fallen  time.Time // when the server stopped answering
}

// An entry is what is known of a key.
type entry struct {
	object  *object // nil if err says why there is none
	err     error
	checked time.Time
	looking *look // under way
}

// A look is a request for what lies under a key, which several may wait for. The last to leave ends it.
type look struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int
}

const (
	// fresh is how long an object is taken to be as it was last seen.
	fresh = 10 * time.Second

	// respite is for how long a server that does not answer is not asked again: whatever waits for it fails at once.
	respite = 5 * time.Second

	// maxObjects is how many objects are remembered.
	maxObjects = 1 << 13
)

func newWeb(at place, o Web) *web {
	w := &web{at: at, o: o, cache: diskAt(o.Cache, o.CacheSize), slots: make(chan struct{}, o.AtOnce), objects: map[string]*entry{}}
	w.life, w.end = context.WithCancel(context.Background())
	w.appetite.Store(blockSize)
	return w
}

func (w *web) Name() string { return w.called("") }
func (w *web) ID() string   { return w.called("") }

// Close ends all requests, and waits until what runs for them has come to its end.
func (w *web) Close() error {
	w.mu.Lock() // nothing begins any more
	w.end()
	w.mu.Unlock()
	w.work.Wait()
	recents.drop(w)
	return nil
}

// called is the address of a key in messages.
func (w *web) called(key string) string {
	if w.at.escaped {
		key = escape(key)
	}
	return below(below(w.at.name, strings.TrimPrefix(w.at.path, "/")), key)
}

// address is where a request goes.
func (w *web) address(q ask) string {
	if b := w.at.bucket; b != nil {
		if q.list != nil {
			return b.address("") + "?" + q.list.Encode()
		}
		return b.address(below(w.at.path, q.key))
	}
	a := w.at.scheme + "://" + w.at.host + w.at.path + "/" + escape(q.key)
	if w.at.query != "" {
		a += "?" + w.at.query
	}
	return a
}

// Get is a whole object.
func (w *web) Get(ctx context.Context, key string, max int64) ([]byte, error) {
	f, err := w.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > max {
		return nil, fmt.Errorf("store: %s: %d bytes, at most %d were expected", f.Name(), f.Size(), max)
	}
	p := make([]byte, f.Size())
	return p, f.ReadAt(ctx, p, 0)
}

func (w *web) Open(ctx context.Context, key string) (File, error) {
	if err := CheckKey(key); err != nil {
		return nil, fmt.Errorf("store: %s: %w", w.Name(), err)
	}
	o, err := w.find(ctx, key)
	if err != nil {
		return nil, err
	}
	return &remote{object: o, closed: make(chan struct{})}, nil
}

// find is the object of a key: as it is remembered, if that is fresh, else after a look.
func (w *web) find(ctx context.Context, key string) (*object, error) {
	for {
		w.mu.Lock()
		if w.life.Err() != nil {
			w.mu.Unlock()
			return nil, ErrClosed
		}
		e := w.objects[key]
		if e == nil {
			if len(w.objects) >= maxObjects {
				w.forget()
			}
			e = &entry{}
			w.objects[key] = e
		}
		if (e.object != nil || e.err != nil) && time.Since(e.checked) < fresh {
			w.mu.Unlock()
			return e.object, e.err
		}
		l := e.looking
		if l == nil {
			l = &look{done: make(chan struct{})}
			e.looking = l
			var running context.Context
			running, l.cancel = context.WithCancel(w.life)
			known, meter := e.object, meterOf(ctx)
			w.work.Go(func() { w.see(running, e, l, key, known, meter) })
		}
		l.waiters++
		w.mu.Unlock()

		select {
		case <-l.done:
		case <-ctx.Done():
		}
		w.mu.Lock()
		if l.waiters--; l.waiters == 0 {
			l.cancel()
		}
		object, err := e.object, e.err
		w.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case w.life.Err() != nil:
			return nil, ErrClosed
		case errors.Is(err, context.Canceled): // of those who left before; look again
		default:
			return object, err
		}
	}
}

// see looks at a key and enters what it found. Only an object, or that there is none, is remembered.
func (w *web) see(ctx context.Context, e *entry, l *look, key string, known *object, meter *atomic.Int64) {
	o, err := w.look(ctx, key, known, meter)
	w.mu.Lock()
	e.object, e.err, e.checked, e.looking = o, err, time.Now(), nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.checked = time.Time{}
		w.note(err)
	}
	w.mu.Unlock()
	l.cancel()
	close(l.done)
}

// forget drops what is remembered of objects that nobody looks at now.
func (w *web) forget() {
	for key, e := range w.objects {
		if e.looking == nil {
			delete(w.objects, key)
		}
	}
}

// note keeps a failure as the reason for what follows from it. The first one says most.
func (w *web) note(err error) {
	if w.trouble == nil && !errors.Is(err, context.Canceled) {
		w.trouble = err
	}
}

// fell notes that the server does not answer.
func (w *web) fell(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trouble, w.fallen = err, time.Now()
}

// down is the reason not to ask the server just now.
func (w *web) down() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.fallen.IsZero() && time.Since(w.fallen) < respite {
		return w.trouble
	}
	return nil
}

// Far reports whether reading from a store takes requests over a network, so that many small reads are slow.
func Far(s Store) bool {
	switch s := s.(type) {
	case *web:
		return true
	case sub:
		return Far(s.of)
	case *archive:
		_, far := s.file.(*remote)
		return far
	}
	return false
}

// Trouble is why a store could not be read, if that was no matter of a single object that is missing: the server
// did not answer, or refused. Drivers that look for their metadata take such a failure for metadata that are not there.
func Trouble(s Store) error {
	w, ok := s.(*web)
	if !ok {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trouble
}
