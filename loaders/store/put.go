package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Put stores an object of size bytes under a key, in place of what lies there: in a bucket by S3's PutObject, signed, on
// a server of the web by PUT. S3 shows an object when it is whole. Attempts are made as for reading. Other stores, and
// servers that take nothing, give errors.ErrUnsupported.
func Put(ctx context.Context, s Store, key string, body io.ReaderAt, size int64) error {
	w, ok := s.(*web)
	if !ok {
		return fmt.Errorf("store: %s: cannot be written through: %w", s.Name(), errors.ErrUnsupported)
	}
	return w.change(ctx, change{http.MethodPut, key, body, size, emptyPayload})
}

// Remove takes an object away. That there is none is no error.
func Remove(ctx context.Context, s Store, key string) error {
	w, ok := s.(*web)
	if !ok {
		return fmt.Errorf("store: %s: cannot be written through: %w", s.Name(), errors.ErrUnsupported)
	}
	return w.change(ctx, change{method: http.MethodDelete, key: key, sum: emptyPayload})
}

// RemoveAll takes objects away, at most so many at a time, each within the patience. It ends with the first that cannot be,
// and gives that error.
func RemoveAll(ctx context.Context, s Store, keys []string, most int, patience time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	var first sync.Once
	var failed error
	turns := make(chan struct{}, most)
	for _, key := range keys {
		if ctx.Err() != nil {
			break
		}
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			ctx, done := context.WithTimeout(ctx, patience)
			defer done()
			if err := Remove(ctx, s, key); err != nil {
				first.Do(func() { failed = err })
				cancel()
			}
		})
	}
	all.Wait()
	return failed
}

// A change is one PUT or DELETE.
type change struct {
	method, key string
	body        io.ReaderAt // nil if nothing is sent
	size        int64
	sum         string // SHA-256 of the body, for the signature
}

// mostObject is the most that S3 takes in one request.
const mostObject = 5 << 30

func (w *web) change(ctx context.Context, c change) error {
	name := w.called(c.key)
	if err := CheckKey(c.key); err != nil {
		return fmt.Errorf("store: %s: %w", w.Name(), err)
	}
	if c.size > mostObject {
		return fmt.Errorf("store: %s: %d bytes, more than an object may have that is sent at once: %w", name, c.size, errors.ErrUnsupported)
	}
	if w.at.bucket != nil && c.body != nil {
		h := sha256.New()
		if _, err := io.Copy(h, io.NewSectionReader(c.body, 0, c.size)); err != nil {
			return fmt.Errorf("store: %s: reading what is to be sent: %w", name, err)
		}
		c.sum = fmt.Sprintf("%x", h.Sum(nil))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.life, cancel)()
	defer w.renew(c.key) // even after an error: it may be there
	err := w.persist(ctx, name, func(ctx context.Context, alive func()) error { return w.try(ctx, c, alive) })
	if err != nil && w.life.Err() != nil {
		return ErrClosed
	}
	return err
}

// renew forgets what is known of a key.
func (w *web) renew(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e := w.objects[key]; e != nil && e.looking == nil {
		delete(w.objects, key)
	}
}

// try makes one attempt at a change.
func (w *web) try(ctx context.Context, c change, alive func()) error {
	name, b := w.called(c.key), w.at.bucket
	for moves := 0; ; moves++ {
		r, signed, err := w.deliver(ctx, c, alive)
		if err != nil {
			return unsent(err, name)
		}
		alive()
		if r.StatusCode >= 200 && r.StatusCode < 300 || c.method == http.MethodDelete && r.StatusCode == http.StatusNotFound {
			_, err := io.Copy(io.Discard, io.LimitReader(r.Body, 64<<10))
			r.Body.Close()
			if err != nil {
				return passing{err: fmt.Errorf("the answer broke off: %w", unexpected(err))}
			}
			if b != nil {
				b.prove(signed)
			}
			return nil
		}
		if b != nil && b.endpoint == nil && moves < 2 && b.moved(r.Header.Get("X-Amz-Bucket-Region")) {
			r.Body.Close()
			continue
		}
		err = refusal(r, name)
		if r.StatusCode == http.StatusMethodNotAllowed || r.StatusCode == http.StatusNotImplemented {
			err = fmt.Errorf("store: %s: the server takes no %s (it answers %s): %w", name, c.method, r.Status, errors.ErrUnsupported)
		}
		io.CopyN(io.Discard, r.Body, 64<<10)
		r.Body.Close()
		return err
	}
}

// deliver sends a change once, with credentials if there are some.
func (w *web) deliver(ctx context.Context, c change, alive func()) (*http.Response, bool, error) {
	traffic.requests.Add(1)
	r, err := http.NewRequestWithContext(ctx, c.method, w.address(ask{key: c.key}), nil)
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", errAddress, unwrapURL(err))
	}
	r.Header.Set("User-Agent", "lamella")
	if c.body != nil {
		body := func() (io.ReadCloser, error) {
			return io.NopCloser(told{io.NewSectionReader(c.body, 0, c.size), alive}), nil
		}
		if r.ContentLength, r.GetBody, r.Body = c.size, body, http.NoBody; c.size > 0 {
			r.Body, _ = body() // which cannot fail
		}
	}
	return w.dispatch(ctx, r, c.sum)
}

// told tells of every piece that is taken from it.
type told struct {
	from  io.Reader
	alive func()
}

func (t told) Read(p []byte) (int, error) {
	t.alive()
	return t.from.Read(p)
}

// Uploads puts objects into a store several at a time, since each waits for the network most of its time.
type Uploads struct {
	to    Store
	turns chan struct{}
	work  sync.WaitGroup
	life  context.Context // of all that is under way: whoever began it may be done with its own
	end   context.CancelFunc

	mu   sync.Mutex
	err  error    // the first
	done []string // keys
}

// NewUploads puts at most so many objects at once.
func NewUploads(to Store, most int) *Uploads {
	u := &Uploads{to: to, turns: make(chan struct{}, most)}
	u.life, u.end = context.WithCancel(context.Background())
	return u
}

// Put begins to put an object, whose bytes stay as they are until after is called, and waits only for its turn, as long as
// ctx. The error may be that of an object before, after which nothing more is put; after is called then too.
func (u *Uploads) Put(ctx context.Context, key string, body io.ReaderAt, size int64, after func()) error {
	select {
	case u.turns <- struct{}{}:
	case <-ctx.Done():
		after()
		return ctx.Err()
	}
	if err := u.failed(); err != nil {
		<-u.turns
		after()
		return err
	}
	u.work.Go(func() {
		defer func() { <-u.turns }()
		defer after()
		err := Put(u.life, u.to, key, body, size)
		u.mu.Lock()
		defer u.mu.Unlock()
		if err == nil {
			u.done = append(u.done, key)
		} else if u.err == nil {
			u.err = err
		}
	})
	return nil
}

func (u *Uploads) failed() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.err
}

// Done is the keys of the objects that are there and were not told of before.
func (u *Uploads) Done() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	done := u.done
	u.done = nil
	return done
}

// Stop ends what is under way, and waits until it has ended.
func (u *Uploads) Stop() {
	u.end()
	u.work.Wait()
}

// Wait waits for all that was begun, and gives the error of what failed first.
func (u *Uploads) Wait() error {
	u.work.Wait()
	return u.failed()
}
