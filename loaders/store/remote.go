package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// blockSize is how an object is cut for fetching and keeping. A read of a few bytes costs a block: on its
	// way over a network that takes about as long as the question.
	blockSize = 128 << 10

	// maxRun is the most blocks that one request asks for.
	maxRun = 32

	// window is how much of a long read is asked for at a time.
	window = 32 * blockSize
)

// An object is one that lies on the web, in blocks. Neighbouring blocks that readers wait for are fetched by one request.
type object struct {
	web            *web
	key, name      string
	size           int64
	etag, modified string
	tag            string // tells this content from others of the name
	stable         bool   // the tag is the server's, so that a later program may trust it
	ranged         bool   // the server gives parts

	// The rest belongs to the lock of web.
	blocks map[int64]*block // those that somebody waits for
	runs   []*run
	last   int64 // the block that was read last
	ahead  int64 // how many blocks to fetch beyond what is asked for
}

// A block is one that readers wait for.
type block struct {
	done    chan struct{} // closed when data or err is there
	data    []byte
	err     error
	waiters int
	run     *run // that fetches it, nil while there is none
	looking bool // in the cache on disk
	meter   *atomic.Int64
}

// A run is a request for the blocks from first to last.
type run struct {
	first, last int64
	next        int64 // the first of those that have not come
	cancel      context.CancelFunc
	meter       *atomic.Int64 // of the reader that it is made for
}

// errAbandoned is what a block gets that nobody waited for any more.
var errAbandoned = errors.New("nobody waits for it")

// closedAlready is the channel of what is there.
var closedAlready = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// A remote is an object that somebody has open.
type remote struct {
	*object
	once   sync.Once
	closed chan struct{}
}

func (f *remote) Name() string { return f.name }
func (f *remote) Size() int64  { return f.size }
func (f *remote) ID() string   { return fmt.Sprintf("%s|%d|%s", f.name, f.size, f.tag) }

// Close may be called at any time; reads under way end with ErrClosed.
func (f *remote) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

func (f *remote) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := inside(f.name, off, len(p), f.size); err != nil {
		return err
	}
	if off == 0 && int64(len(p)) == f.size {
		f.web.hungry(f.size)
	}
	for len(p) > 0 {
		n := min(len(p), int(window-off%blockSize))
		if err := f.read(ctx, f.closed, p[:n], off); err != nil {
			return err
		}
		p, off = p[n:], off+int64(n)
	}
	return ctx.Err()
}

// hungry notes that an object of the size was read whole, so that the next one is asked for whole at once.
func (w *web) hungry(size int64) {
	size = min((size+blockSize-1)/blockSize*blockSize, maxAppetite)
	for {
		now := w.appetite.Load()
		if size <= now || w.appetite.CompareAndSwap(now, size) {
			return
		}
	}
}

// read fills p, which takes a window of blocks at most.
func (o *object) read(ctx context.Context, closed <-chan struct{}, p []byte, off int64) error {
	first, last := off/blockSize, (off+int64(len(p))-1)/blockSize
	wanted, err := o.want(meterOf(ctx), first, last)
	if err != nil {
		return err
	}
	gone := false
	defer func() { o.leave(wanted, gone) }()
	for i, b := range wanted {
		select {
		case <-closed:
			gone = true
			return ErrClosed
		case <-ctx.Done():
			gone = true
			return ctx.Err()
		case <-b.done:
		}
		switch {
		case o.web.life.Err() != nil:
			return ErrClosed
		case errors.Is(b.err, errAbandoned): // by those who wanted it before
			start := max(off, (first+int64(i))*blockSize)
			return o.read(ctx, closed, p[start-off:], start)
		case b.err != nil:
			return b.err
		}
		start := (first + int64(i)) * blockSize
		if start >= off {
			copy(p[start-off:], b.data)
		} else {
			copy(p, b.data[off-start:])
		}
	}
	return nil
}

// want is the blocks from first to last. Those that are not at hand are on their way afterwards.
func (o *object) want(meter *atomic.Int64, first, last int64) ([]*block, error) {
	wanted := make([]*block, 0, last-first+1)
	var mine []int64
	o.web.mu.Lock()
	defer o.web.mu.Unlock()
	if o.web.life.Err() != nil {
		return nil, ErrClosed
	}
	switch {
	case first == o.last+1 || first == o.last && last > first: // one after the other
		o.ahead = min(max(1, 2*o.ahead), maxRun)
	case first != o.last || last != first:
		o.ahead = 0
	}
	o.last = last
	for n := first; n <= last; n++ {
		b := o.blocks[n]
		if b == nil {
			if data := recents.get(o, n); data != nil {
				wanted = append(wanted, &block{done: closedAlready, data: data})
				continue
			}
			b = &block{done: make(chan struct{}), meter: meter}
			o.blocks[n] = b
			i := slices.IndexFunc(o.runs, func(r *run) bool { return r.next <= n && n <= r.last })
			if i >= 0 {
				b.run = o.runs[i]
			} else {
				b.looking = o.stable && o.web.cache != nil
				mine = append(mine, n)
			}
		}
		b.waiters++
		wanted = append(wanted, b)
	}
	if len(mine) > 0 {
		o.web.work.Go(func() { o.load(mine) })
	}
	return wanted, nil
}

// leave takes back what a reader wanted. If it has gone without, what nobody wants any more is not fetched, or no further;
// else what is fetched ahead goes on.
func (o *object) leave(wanted []*block, gone bool) {
	o.web.mu.Lock()
	defer o.web.mu.Unlock()
	for _, b := range wanted {
		b.waiters--
	}
	for n, b := range o.blocks {
		if b.waiters == 0 && b.run == nil {
			delete(o.blocks, n)
		}
	}
	for _, r := range o.runs {
		if gone && !o.awaited(r) {
			r.cancel()
		}
	}
}

// awaited reports whether somebody waits for a block of a run.
func (o *object) awaited(r *run) bool {
	for n := r.next; n <= r.last; n++ {
		if b := o.blocks[n]; b != nil && b.waiters > 0 {
			return true
		}
	}
	return false
}

// finish hands out a block.
func (o *object) finish(n int64, data []byte, err error) {
	o.web.mu.Lock()
	defer o.web.mu.Unlock()
	if data != nil {
		recents.add(o, n, data)
	}
	b := o.blocks[n]
	if b == nil {
		return
	}
	delete(o.blocks, n)
	b.data, b.err = data, err
	close(b.done)
}

// load brings blocks: from the cache on disk, else by requests. Whoever gets a place for a request takes what lies beside
// its own and waits too, so that many small reads become few requests.
func (o *object) load(mine []int64) {
	for _, n := range mine {
		if data, ok := o.saved(n); ok {
			o.finish(n, data, nil)
		}
	}
	o.web.mu.Lock()
	for _, n := range mine {
		if b := o.blocks[n]; b != nil {
			b.looking = false
		}
	}
	o.web.mu.Unlock()
	for o.bring(mine) {
	}
}

// bring makes one request for some of these blocks and hands out what came, or why it did not. It reports whether
// there may be more to bring.
func (o *object) bring(mine []int64) bool {
	ctx, cancel := context.WithCancel(o.web.life)
	defer cancel()
	var f *fetching
	err := o.web.persist(ctx, o.name, func(ctx context.Context, alive func()) error {
		if f == nil { // now that there is a place for the request
			r := o.take(mine, cancel)
			if r == nil {
				return nil
			}
			f = &fetching{run: r, at: r.first * blockSize, end: min((r.last+1)*blockSize, o.size)}
		}
		return o.fetch(ctx, f, alive)
	})
	if errors.Is(err, context.Canceled) {
		err = errAbandoned
	}
	if f == nil {
		for _, n := range mine {
			if err != nil {
				o.fail(n, nil, err)
			}
		}
		return false
	}
	o.web.mu.Lock()
	o.runs = slices.DeleteFunc(o.runs, func(r *run) bool { return r == f.run })
	o.web.mu.Unlock()
	if err == nil {
		return true
	}
	for n := f.run.first; n <= f.run.last; n++ {
		o.fail(n, f.run, err)
	}
	return true
}

// fail hands out the error of a run, or of none, to a block that has not come with it.
func (o *object) fail(n int64, r *run, err error) {
	o.web.mu.Lock()
	defer o.web.mu.Unlock()
	if b := o.blocks[n]; b != nil && b.run == r {
		delete(o.blocks, n)
		b.err = err
		close(b.done)
	}
}

// take makes a run of one of these blocks, if somebody waits for one that is in no run, and of its neighbours. A gap of one block
// is read along: that is cheaper than a request of its own; and so is what follows, for one who reads on and on.
func (o *object) take(mine []int64, cancel context.CancelFunc) *run {
	w := o.web
	w.mu.Lock()
	defer w.mu.Unlock()
	waiting := func(n int64) bool {
		b := o.blocks[n]
		return b != nil && b.run == nil && !b.looking && b.waiters > 0
	}
	i := slices.IndexFunc(mine, waiting)
	if i < 0 {
		return nil
	}
	r := &run{first: mine[i], last: mine[i], cancel: cancel, meter: o.blocks[mine[i]].meter}
	for more := true; more && r.last-r.first+2 < maxRun; {
		switch {
		case waiting(r.last + 1):
			r.last++
		case waiting(r.first - 1):
			r.first--
		case waiting(r.last+2) && o.blocks[r.last+1] == nil:
			r.last += 2
		default:
			more = false
		}
	}
	for n, end := r.last+1, min(r.last+o.ahead, (o.size-1)/blockSize); n <= end && r.last-r.first+1 < maxRun && o.blocks[n] == nil && recents.get(o, n) == nil; n++ {
		r.last = n
	}
	if !o.ranged {
		r.first, r.last = 0, (o.size-1)/blockSize
	}
	r.next = r.first
	for n := r.first; n <= r.last; n++ {
		if b := o.blocks[n]; b != nil && b.run == nil {
			b.run = r
		}
	}
	o.runs = append(o.runs, r)
	return r
}

// A fetching is how far a run has come.
type fetching struct {
	*run
	at, end int64  // the next byte, and where the run ends
	part    []byte // of the block that at lies in
}

// fetch makes one attempt at the blocks of a run, from where the last one broke off.
func (o *object) fetch(ctx context.Context, f *fetching, alive func()) error {
	begun := f.at
	q := ask{key: o.key}
	if o.ranged {
		q.from, q.to = f.at, f.end
	}
	answer, err := o.web.send(ctx, q)
	if err != nil {
		if errors.As(err, new(passing)) || errors.Is(err, context.Canceled) {
			return err
		}
		return fmt.Errorf("store: %s: it could be opened before, and now: %v", o.name, err) // gone is not the same as empty
	}
	alive()
	defer answer.Body.Close()
	until, skip, err := o.check(answer, f.at, f.end)
	if err != nil {
		return err
	}
	body, err := unpack(answer, pulse{answer.Body, alive}, o.name)
	if err == nil {
		_, err = io.CopyN(io.Discard, body, skip)
	}
	for err == nil && f.at < until {
		if f.part == nil {
			f.part = make([]byte, 0, min(blockSize, o.size-f.at))
		}
		have := len(f.part)
		var n int
		n, err = io.ReadFull(body, f.part[have:min(int64(cap(f.part)), int64(have)+until-f.at)])
		f.part, f.at = f.part[:have+n], f.at+int64(n)
		if len(f.part) == cap(f.part) {
			o.came(f.run, f.at, f.part)
			f.part = nil
		}
	}
	switch {
	case err != nil:
		err = fmt.Errorf("the connection broke off: %w", unexpected(err))
	case f.at < f.end:
		err = errors.New("the server gave less than it was asked for")
	default:
		return nil
	}
	return passing{err: err, moved: f.at-begun >= blockSize}
}

// came hands out the block that ends at a byte.
func (o *object) came(r *run, end int64, data []byte) {
	n := (end - 1) / blockSize
	o.web.mu.Lock()
	r.next = n + 1
	o.web.mu.Unlock()
	count(r.meter, len(data))
	o.finish(n, data, nil)
	o.save(n, data)
}

// check holds an answer against what was asked and what is known of the object. It says where the bytes end that are of use, and
// how many come before them.
func (o *object) check(r *http.Response, at, end int64) (until, skip int64, err error) {
	etag, modified := r.Header.Get("ETag"), r.Header.Get("Last-Modified")
	changed := o.etag != "" && etag != "" && o.etag != etag || o.etag == "" && o.modified != "" && modified != "" && o.modified != modified
	size := r.ContentLength
	switch r.StatusCode {
	case http.StatusOK:
		if packedAs(r) != "" {
			size = -1
		}
		if o.size > maxWhole {
			return 0, 0, fmt.Errorf("store: %s: asked for %d of %d bytes, the server gives all; it gave parts before", o.name, end-at, o.size)
		}
		until, skip = end, at
	case http.StatusPartialContent:
		var from int64
		var ok bool
		from, until, size, ok = contentRange(r.Header.Get("Content-Range"))
		if !ok || from != at || until > end || packedAs(r) != "" || r.ContentLength >= 0 && r.ContentLength != until-from {
			return 0, 0, fmt.Errorf("store: %s: asked for bytes %d to %d of %d, the server gives %q and sends %d bytes", o.name, at, end, o.size, r.Header.Get("Content-Range"), r.ContentLength)
		}
	default: // 416, or a 304 that nobody asked for
		changed = true
	}
	if changed || size >= 0 && size != o.size {
		return 0, 0, fmt.Errorf("store: %s: has changed on the server since it was opened; reload it", o.name)
	}
	return until, skip, nil
}
