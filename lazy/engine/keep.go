package engine

import (
	"container/list"
	"context"
	"errors"

	"lamella/lazy"
)

// An away is the copy of a block on a device. Its fields are guarded by the engine's lock; remote and err
// are set before ready is closed, and not changed after.
type away struct {
	dev    *device
	remote lazy.Remote
	bytes  int64
	busy   int           // tasks that look at it now
	left   bool          // its entry has let it go: it is freed when the last of those tasks ends
	ready  chan struct{} // closed once it is there, or could not be carried over; nil for what was made there
	err    error
	owner  *entry
	at     *list.Element
}

// errLost says that a block was only on a device, and cannot be had from there. Who needs it is planned
// again.
var errLost = errors.New("engine: a block is lost with its device")

// errCrowded says that a device cannot take a task now: the processor runs it.
var errCrowded = errors.New("engine: no room on the device")

// place notes that a block has a copy on a device, whose bytes are counted already.
func (e *Engine) place(en *entry, a *away) {
	a.owner, en.away = en, a
	a.at = a.dev.order.PushBack(a)
}

// unplace lets the copy of a block on a device go, once no task looks at it.
func (e *Engine) unplace(en *entry) {
	a := en.away
	if a == nil {
		return
	}
	en.away = nil
	a.dev.order.Remove(a.at)
	if a.left = true; a.busy == 0 {
		e.discard(a)
	}
}

// leave ends a task's look at a copy.
func (e *Engine) leave(a *away) {
	if a.busy--; a.busy == 0 && a.left {
		e.discard(a)
	}
}

// discard frees a copy on a device that is in no entry.
func (e *Engine) discard(a *away) {
	a.dev.used -= a.bytes
	if a.remote != nil {
		a.dev.keeper.Free(a.remote)
	}
}

// abandon lets go of all copies on a device that is no longer used, as far as the voxels are in memory too.
// What is only there is fetched when it is needed.
func (e *Engine) abandon(d *device) {
	if d == nil {
		return
	}
	for at := d.order.Front(); at != nil; {
		a := at.Value.(*away)
		if at = at.Next(); a.busy == 0 && a.owner.block != nil {
			e.unplace(a.owner)
		}
	}
}

// clearAway makes room on a device, if it can: it lets go of copies that no task looks at, the least
// recently used first. A block that is nowhere else goes only if nobody needs it, and for work that is not on view
// only if the newest visible request did not use it.
func (e *Engine) clearAway(d *device, need int64, t Tier) bool {
	room := d.keeper.Room()
	for at := d.order.Front(); at != nil && d.used+need > room; {
		a := at.Value.(*away)
		at = at.Next()
		switch {
		case a.busy > 0:
		case a.owner.block != nil:
			e.unplace(a.owner)
		case a.owner.pins == 0 && (t == Visible || a.owner.seen == 0 || a.owner.seen < e.mark):
			e.drop(a.owner)
		}
	}
	return d.used+need <= room
}

// lose takes an entry out of the cache whose voxels cannot be had any more.
func (e *Engine) lose(en *entry) {
	if !en.lost {
		en.lost = true
		e.cache.drop(en)
		e.unplace(en)
	}
}

// bring gives the block of a pinned entry, fetched from the device if it is only there. It gives errLost if
// that fails: the entry has then left the cache.
func (e *Engine) bring(ctx context.Context, en *entry, q *request) (*lazy.Block, error) {
	e.mu.Lock()
	for en.block == nil && en.fetching != nil {
		other := en.fetching
		e.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		e.mu.Lock()
	}
	if en.block != nil || en.lost {
		defer e.mu.Unlock()
		if en.block == nil {
			return nil, errLost
		}
		return en.block, nil
	}
	a, done := en.away, make(chan struct{})
	en.fetching = done
	a.busy++
	e.mu.Unlock()

	b := e.block(ctx, en.key.Tile, en.dtype)
	err := e.readBack(ctx, a, b)

	e.mu.Lock()
	defer e.mu.Unlock()
	en.fetching = nil
	close(done)
	e.leave(a)
	switch {
	case err == nil:
		en.block = b
		e.fetched(en.size, q)
		return b, nil
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return nil, context.Canceled
	}
	e.lose(en)
	return nil, errLost
}

// readBack copies a block from a device, with one more try when that is full.
func (e *Engine) readBack(ctx context.Context, a *away, b *lazy.Block) error {
	err := a.dev.keeper.Read(ctx, a.remote, b)
	if errors.Is(err, lazy.ErrNoRoom) {
		e.makeRoom(a.dev)
		err = a.dev.keeper.Read(ctx, a.remote, b)
	}
	e.blame(ctx, a.dev, err)
	return err
}

// makeRoom lets go of all that may go on a device.
func (e *Engine) makeRoom(d *device) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clearAway(d, d.keeper.Room(), Visible)
}

func (e *Engine) fetched(bytes int64, q *request) {
	for _, s := range []*Stats{&e.totals, &q.stats} {
		s.ReadBacks++
		s.BytesBack += bytes
	}
}

// makeAway runs a job on a device, and reads the block back at once if a request waits for it.
func (e *Engine) makeAway(ctx context.Context, d *device, j *job) (m made) {
	defer recovered(j.task.Node.Op.Name(), &m.err)
	a, err := e.tryAway(ctx, d, j)
	if errors.Is(err, lazy.ErrNoRoom) {
		e.makeRoom(d)
		a, err = e.tryAway(ctx, d, j)
	}
	if err != nil {
		if !errors.Is(err, errCrowded) && !errors.Is(err, errLost) {
			e.blame(ctx, d, err)
		}
		if ctx.Err() != nil {
			return made{err: ctx.Err()}
		}
		return made{declined: true}
	}
	e.mu.Lock()
	wanted := len(j.families) > 0
	e.mu.Unlock()
	if !wanted {
		return made{away: a, onDevice: true}
	}
	b := e.block(ctx, j.task.Key.Tile, j.task.Node.Meta.DType)
	err = e.readBack(ctx, a, b)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case err == nil:
		e.fetched(a.bytes, j.owner)
		return made{block: b, away: a, onDevice: true}
	case ctx.Err() != nil:
		e.discard(a)
		return made{err: ctx.Err()}
	}
	e.discard(a)
	return made{declined: true}
}

// tryAway carries over what a job needs and is not on the device, and makes the block there.
func (e *Engine) tryAway(ctx context.Context, d *device, j *job) (*away, error) {
	l := load{e: e, d: d, j: j, parts: map[lazy.Key]*away{}}
	defer l.settle()
	if err := l.carry(ctx); err != nil {
		return nil, err
	}
	t := j.task
	w := lazy.Work{Node: t.Node, Tile: t.Key.Tile, Needs: t.Needs, Parts: make([][]lazy.RemotePart, len(t.Needs))}
	for _, p := range t.Parts {
		w.Parts[p.Input] = append(w.Parts[p.Input], lazy.RemotePart{Region: p.Key.Tile, Remote: l.parts[p.Key].remote})
	}
	r, err := d.keeper.Make(ctx, w)
	if err != nil {
		return nil, err
	}
	l.result = j.bytes
	return &away{dev: d, remote: r, bytes: j.bytes}, nil
}

// A load is what one job uses of a device while it runs there.
type load struct {
	e       *Engine
	d       *device
	j       *job
	parts   map[lazy.Key]*away
	working int64 // bytes counted for the block and for what making it takes
	result  int64 // what remains of them
}

// carry sees to it that all inputs are on the device, each carried over once however many tasks need it.
func (l *load) carry(ctx context.Context) error {
	missing, err := l.claim()
	if err != nil {
		return err
	}
	var failed error
	for _, a := range missing { // all of them, since others may wait for each
		if failed == nil {
			a.remote, a.err = l.d.keeper.Upload(ctx, a.owner.block)
			failed = a.err
		} else {
			a.err = failed
		}
		close(a.ready)
	}
	if failed != nil {
		return failed
	}
	for _, a := range l.parts {
		if a.ready == nil {
			continue
		}
		select {
		case <-a.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if a.err != nil {
			return errCrowded // whose upload it was tells why
		}
	}
	return nil
}

// claim marks the copies that the job looks at, and makes place for those that are not there.
func (l *load) claim() (missing []*away, err error) {
	e, d := l.e, l.d
	e.mu.Lock()
	defer e.mu.Unlock()
	scratch := l.j.scratch
	if s, ok := d.keeper.(Sizer); ok {
		if bytes, differs := s.Scratch(l.j.task.Node, l.j.task.Key.Tile); differs {
			scratch = bytes
		}
	}
	working := l.j.bytes + scratch
	need := working
	for key, en := range l.j.inputs {
		switch {
		case en.lost:
			return nil, errLost
		case en.away != nil && en.away.dev != d && (en.block == nil || en.away.busy > 0):
			return nil, errCrowded // on the device that was in use before this one
		case en.away != nil && en.away.dev != d:
			e.unplace(en)
			fallthrough
		case en.away == nil:
			need += en.size
		default:
			en.away.busy++
			d.order.MoveToBack(en.away.at)
			l.parts[key] = en.away
		}
	}
	if !e.clearAway(d, need, l.j.owner.priority.Tier) {
		return nil, errCrowded
	}
	d.used += need
	l.working = working
	for key, en := range l.j.inputs {
		if l.parts[key] != nil {
			continue
		}
		a := &away{dev: d, bytes: en.size, busy: 1, ready: make(chan struct{})}
		e.place(en, a)
		l.parts[key] = a
		missing = append(missing, a)
		for _, s := range []*Stats{&e.totals, &l.j.owner.stats} {
			s.Uploads++
			s.BytesUp += en.size
		}
	}
	return missing, nil
}

// settle ends what the job claimed.
func (l *load) settle() {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	for _, a := range l.parts {
		if l.e.leave(a); a.busy == 0 && a.err != nil && a.owner.away == a {
			l.e.unplace(a.owner)
		}
	}
	l.d.used -= l.working - l.result
}
