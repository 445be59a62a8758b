package viewer

import (
	"context"
	"math/bits"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// A Sample is what is known of the values of one channel in the whole image: from chunks spread evenly over it,
// on the coarsest level, more and more of them while there is nothing else to do, but never all of a large image.
type Sample struct {
	Histogram Histogram
	Seen, Of  int // chunks of that level and channel
}

// So many chunks are looked at, and so many values in each. Limits are found when the first ones have been seen.
const (
	sampleFirst  = 24
	sampleMost   = 240
	sampleValues = 1 << 13
)

// SampleWhole has the histogram be of the whole image, sampled, or of the plane on view.
func SampleWhole(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Sampled = on
		return s
	}
}

// strata are chunks of channel c on the coarsest level, at most so many, one in the middle of each of even parts of
// the axes; the first ones of the list are spread as evenly as the whole. of is how many chunks there are.
func (sc *Scene) strata(c, most int) (regions []lazy.Region, of int) {
	m := sc.Shown[sc.levels()-1].Meta()
	var n, k lazy.Index
	of = 1
	for a := range lazy.Rank {
		n[a], k[a] = (m.Shape[a]+m.Chunk[a]-1)/m.Chunk[a], 1
		if lazy.Axis(a) == lazy.C {
			n[a] = 1
		}
		of *= n[a]
	}
	for total := 1; ; { // another part for the axis whose parts are longest
		longest := -1
		for a := range lazy.Rank {
			if k[a] < n[a] && (longest < 0 || float64(n[a])/float64(k[a]) > float64(n[longest])/float64(k[longest])) {
				longest = a
			}
		}
		if longest < 0 || total/k[longest]*(k[longest]+1) > most {
			break
		}
		total = total / k[longest] * (k[longest] + 1)
		k[longest]++
	}
	parts := lazy.Region{Max: k}
	for part := range parts.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		var r lazy.Region
		for a := range lazy.Rank {
			i := (2*part.Min[a] + 1) * n[a] / (2 * k[a])
			r.Min[a], r.Max[a] = i*m.Chunk[a], min(m.Shape[a], (i+1)*m.Chunk[a])
		}
		r.Min[lazy.C], r.Max[lazy.C] = c, c+1
		z := (r.Min[lazy.Z] + r.Max[lazy.Z]) / 2 // one plane of a chunk says enough
		regions = append(regions, r.With(lazy.Z, z, z+1))
	}
	return shuffled(regions), of
}

// shuffled visits a list in the order of its indices' bits read backwards, which spreads every beginning of it.
func shuffled(in []lazy.Region) []lazy.Region {
	width := bits.Len(uint(len(in) - 1))
	out := make([]lazy.Region, 0, len(in))
	for i := range 1 << width {
		if j := int(bits.Reverse64(uint64(i)) >> (64 - width) & (1<<width - 1)); j < len(in) {
			out = append(out, in[j])
		}
	}
	return out
}

// A sampling is the sample of a channel of a scene as it grows.
type sampling struct {
	scene   *Scene
	channel int
	left    []lazy.Region
	seen    int
	of      int
	values  *lazy.Block // of which the first n are there
	n       int
	busy    bool
	ctx     context.Context
	stop    context.CancelFunc
}

// A sampledChunk is a chunk that has come for a sample, nil if it cannot be read.
type sampledChunk struct {
	of    *sampling
	block *lazy.Block
}

// sample goes on with the sample that the State asks for, one chunk at a time and behind all other work. A sample of
// other filters or another channel ends.
func (l *loop) sample() {
	w := l.shown.wish
	if l.report.Pane > 0 || w.scene == nil || w.scene.Fault != nil {
		return
	}
	c := w.state.Active()
	for i, ch := range w.state.Channels { // limits that are waited for come first
		if ch.Rule.Pending && ch.Rule.Kind == Whole {
			c = i
			break
		}
	}
	if c >= len(w.state.Channels) {
		return
	}
	if rule := w.state.Channels[c].Rule; !w.state.Sampled && !(rule.Pending && rule.Kind == Whole) {
		return
	}
	if p := l.sampling; p == nil || p.scene != w.scene || p.channel != c {
		if p != nil {
			p.stop()
		}
		p = &sampling{scene: w.scene, channel: c}
		p.left, p.of = w.scene.strata(c, sampleMost)
		p.values = lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 1, len(p.left) * sampleValues}}, w.scene.Meta().DType)
		p.ctx, p.stop = context.WithCancel(l.ctx)
		l.sampling = p
	}
	l.limitsOfWhole()
	p := l.sampling
	if p.busy || len(p.left) == 0 || l.job != nil {
		return
	}
	p.busy = true
	region, array := p.left[0], w.scene.Shown[w.scene.levels()-1]
	l.work.Go(func() {
		b, _, err := l.o.Engine.Get(p.ctx, array, region, engine.Priority{Tier: engine.Background, Near: region.Min})
		if err != nil {
			b = nil // what cannot be read is told where it is looked at
		}
		select {
		case l.chunks <- sampledChunk{p, b}:
		case <-p.ctx.Done():
		}
	})
}

// take takes a chunk into a sample.
func (p *sampling) take(b *lazy.Block) {
	p.busy, p.left = false, p.left[1:]
	if b == nil {
		return
	}
	p.seen++
	every := max(1, (b.Len()+sampleValues-1)/sampleValues)
	size := b.DType.Size()
	from, to := b.Bytes(), p.values.Bytes()
	for i := 0; i < b.Len(); i += every {
		copy(to[p.n*size:(p.n+1)*size], from[i*size:])
		p.n++
	}
}

// block is the values so far.
func (p *sampling) block() *lazy.Block {
	b := lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 1, max(1, p.n)}}, p.values.DType)
	copy(b.Bytes(), p.values.Bytes())
	return b
}

// limitsOfWhole finds the limits that are waited for, once enough chunks have been seen.
func (l *loop) limitsOfWhole() {
	p := l.sampling
	if p.scene != l.shown.scene || p.seen < sampleFirst && len(p.left) > 0 {
		return
	}
	rule := l.shown.state.Channels[p.channel].Rule
	if !rule.Pending || rule.Kind != Whole {
		return
	}
	limits, ok := Limits{0, 1}, p.n > 0
	if ok {
		limits, ok = Find(p.block(), Rule{Kind: Robust, Press: rule.Press})
	}
	if !ok {
		limits = Limits{0, 1}
	}
	l.shown.state = Found(p.channel, rule, limits)(p.scene, l.shown.state)
	l.drawShown()
	l.found(p.scene, p.channel, rule, limits)
}

// hearSample takes in a chunk, and looks for the next one.
func (l *loop) hearSample(c sampledChunk) {
	p := c.of
	if p != l.sampling {
		return
	}
	p.take(c.block)
	if p.n > 0 && l.shown.state.Sampled && p.channel == l.shown.state.Active() {
		l.report.Sample = Sample{Count(p.block()), p.seen, p.of}
		l.tell()
	}
	l.sample()
}
