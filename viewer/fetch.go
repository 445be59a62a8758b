package viewer

import (
	"math"
	"slices"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// An event is what a fetch has to say: a block for a cut, or (block nil) that it has ended.
type event struct {
	job   *job
	cut   *Cut
	kind  fetchKind
	block *lazy.Block
	seen  chan struct{} // to be closed when nobody looks at the block any more
	stats engine.Stats
	err   error
}

// fetchKind is what a cut is fetched for.
type fetchKind uint8

const (
	forPicture fetchKind = iota
	forLimits
	forPreview
	forLabels
)

// fetch has the engine stream the voxels of a cut, on a goroutine of its own, to the loop.
func (l *loop) fetch(j *job, c *Cut, k fetchKind) {
	q := c.Request // the cut itself belongs to the loop
	p := engine.Priority{Tier: engine.Visible, Level: q.Level, Near: l.near(j.wish, q)}
	say := func(e event) error {
		e.job, e.cut, e.kind = j, c, k
		select {
		case l.events <- e:
			return nil
		case <-j.ctx.Done():
			return j.ctx.Err()
		}
	}
	// The loop copies what it needs of a block; until it has, the block is its own.
	show := func(b *lazy.Block) (keeps bool, err error) {
		seen := make(chan struct{})
		if err := say(event{block: b, seen: seen}); err != nil {
			return false, err
		}
		select {
		case <-seen:
			return false, nil
		case <-j.ctx.Done():
			return true, j.ctx.Err()
		}
	}
	var done, total int
	progress := func(d, t int) {
		j.done.Add(int64(d - done))
		j.total.Add(int64(t - total))
		done, total = d, t
	}
	if k != forPicture {
		progress = nil
	}
	l.work.Go(func() {
		stats, err := l.o.Engine.Lend(j.ctx, q.Array, q.Region, p, show, progress)
		if j.ctx.Err() == nil {
			say(event{stats: stats, err: err})
		}
	})
}

// near is the voxel of a request's level that work should begin at: the one under the pointer, or in
// the middle of the view.
func (l *loop) near(w wish, q Request) lazy.Index {
	g := w.scene.Geometry(w.state)
	px, py := float64(g.W)/2, float64(g.H)/2
	if l.pointer != nil {
		px, py = l.pointer.x, l.pointer.y
	}
	across, down := g.Position(px, py)
	m := w.scene.levelMap(q.Level)
	at := q.Region.Min
	at[g.Across] = int(math.Round((across - m.shift[g.Across]) / m.scale[g.Across]))
	at[g.Down] = int(math.Round((down - m.shift[g.Down]) / m.scale[g.Down]))
	return at
}

// aheadMost is how many planes are computed before the wheel gets there, at most.
const aheadMost = 24

// distances are how many steps ahead planes are computed: as the engine advises, and more the longer it goes one way.
func (s scroll) distances(chunk int) []int {
	far := engine.Ahead(chunk)
	for k := 1; k <= min(aheadMost, s.run); k++ {
		if !slices.Contains(far, k) {
			far = append(far, k)
		}
	}
	return far
}

// prefetch has the engine compute the planes that the scroll is heading for, as far as they are small beside
// its memory.
func (l *loop) prefetch() {
	w, step := l.shown.wish, l.scroll.step
	l.ahead = nil
	if _, _, normal := w.state.Cut.Axes(); step == 0 || l.scroll.axis != normal && l.scroll.axis != lazy.T {
		return
	}
	var regions []lazy.Region
	var array lazy.Array
	_, budget := l.o.Engine.Memory()
	var bytes int64
	for _, k := range l.scroll.distances(w.scene.Meta().Chunk[l.scroll.axis]) {
		s := w.state
		s.At[l.scroll.axis] += k * step
		if s.At[l.scroll.axis] < 0 || s.At[l.scroll.axis] >= w.scene.Meta().Shape[l.scroll.axis] {
			continue
		}
		for _, c := range s.Shown() {
			q, ok := w.scene.Request(s, c)
			if !ok {
				continue
			}
			if bytes += int64(q.Region.Voxels() * q.Array.Meta().DType.Size()); bytes > budget/4 {
				break
			}
			array, regions = q.Array, append(regions, q.Region)
		}
		if bytes > budget/4 {
			break
		}
		l.ahead = append(l.ahead, s.At)
	}
	if len(regions) > 0 {
		l.o.Engine.Prefetch(l.ctx, array, regions...)
	}
}
