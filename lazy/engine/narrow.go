package engine

import (
	"context"
	"errors"
	"fmt"

	"lamella/lazy"
)

// A MemoryError says that a request cannot be done within the budget however it is cut.
type MemoryError struct {
	What       string
	Needs, Has int64 // bytes
}

func (m *MemoryError) Error() string {
	unit, name := float64(1), "bytes"
	switch {
	case m.Needs >= 1<<30:
		unit, name = 1<<30, "GiB"
	case m.Needs >= 1<<20:
		unit, name = 1<<20, "MiB"
	case m.Needs >= 1<<10:
		unit, name = 1<<10, "KiB"
	}
	digits := 1
	if unit == 1 {
		digits = 0
	}
	return fmt.Sprintf("engine: memory: %s needs %.*f %s, has %.*f: allow more memory or ask for less at once",
		m.What, digits, float64(m.Needs)/unit, name, digits, float64(max(m.Has, 0))/unit)
}

// narrow computes a family whose blocks do not fit into the budget together: alone, one piece after
// another, each let go as soon as it has been copied to where it is needed. It is slow, and it is why a
// small budget still makes progress.
func (e *Engine) narrow(f *family) {
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	e.mu.Lock()
	f.stop = cancel
	if f.req.err != nil {
		cancel()
	}
	e.mu.Unlock()

	w := walker{e: e, ctx: ctx, f: f}
	en, err := w.block(f.req.array.Node(), f.req.layout, f.tile)

	e.mu.Lock()
	defer e.mu.Unlock()
	e.narrowing = false
	f.stop = nil
	if err != nil {
		if en != nil {
			e.cache.unpin(en)
		}
		e.cancel(f.req, err)
		e.done(f)
	} else {
		e.deliver(f, en)
		e.cache.unpin(en)
	}
	e.admit()
}

type walker struct {
	e   *Engine
	ctx context.Context
	f   *family
}

// block makes one piece and gives it pinned in the cache, which holds it as long as there is room.
func (w walker) block(n *lazy.Node, l lazy.Layout, tile lazy.Region) (*entry, error) {
	e := w.e
	key := lazy.Key{Hash: n.Hash, Tile: tile}
	e.mu.Lock()
	if en := e.cache.find(key); en != nil {
		e.cache.pin(en)
		e.mu.Unlock()
		return en, nil
	}
	e.mu.Unlock()
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	t := lazy.Task{Key: key, Node: n}
	if n.Op != nil {
		t.Needs = n.Op.Need(tile, n.InMetas())
	}
	bytes, scratch := footprint(t)
	if err := w.reserve(n, bytes+scratch); err != nil {
		return nil, err
	}
	m := w.make(t, l)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reserved -= bytes + scratch
	if m.err != nil {
		return nil, m.err
	}
	e.count(&job{task: t, owner: w.f.req}, m)
	cost := lazy.Cost{Tasks: 1, Chunks: w.f.req.planned.fresh([]lazy.Task{t})}
	w.f.req.stats.plan(cost, 0)
	e.totals.plan(cost, 0)
	en := e.file(t, m)
	e.use(en, w.f.req)
	e.cache.pin(en)
	return en, nil
}

func (w walker) make(t lazy.Task, l lazy.Layout) made {
	n, tile := t.Node, t.Key.Tile
	if n.Source != nil {
		return w.e.read(w.ctx, n, tile)
	}
	src := make([]*lazy.Block, len(n.In))
	for i, need := range t.Needs {
		in := n.In[i]
		g := lazy.GatherInto(w.e.block(w.ctx, need, in.Meta.DType), in.Meta.Shape, n.Op.Border())
		under := l.Input(n, i)
		for box := range n.Op.Border().Inside(need, in.Meta.Shape) {
			for piece := range under.Tiles(in, box) {
				if err := w.add(g, in, under, piece); err != nil {
					return made{err: err}
				}
			}
		}
		src[i] = g.Dst
	}
	defer w.e.recycle(src...)
	return w.e.compute(w.ctx, n, tile, src)
}

// add makes a piece and copies it to where it is needed. One that is lost with its device is made again.
func (w walker) add(g *lazy.Gather, n *lazy.Node, l lazy.Layout, piece lazy.Region) error {
	for {
		en, err := w.block(n, l, piece)
		if err != nil {
			return err
		}
		b, err := w.e.bring(w.ctx, en, w.f.req)
		if err == nil {
			g.Add(b)
		}
		w.e.mu.Lock()
		w.e.cache.unpin(en)
		w.e.mu.Unlock()
		if !errors.Is(err, errLost) {
			return err
		}
	}
}

func (w walker) reserve(n *lazy.Node, bytes int64) error {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	if w.e.reserve(bytes, Visible) {
		return nil
	}
	what := "a chunk of the file"
	if n.Op != nil {
		what = "a tile of " + n.Op.Name()
	}
	return &MemoryError{What: what, Needs: bytes, Has: w.e.budget - w.e.reserved - w.e.cache.pinned}
}
