package viewer

import "image"

// finish draws what is complete, with the limits found that were to be found, and reports on it.
// samples hold the planes for limits that the cuts do not.
func (l *loop) finish(samples map[int]*Cut) {
	v := &l.shown
	for c, cut := range v.cuts {
		if c == overlaid {
			continue
		}
		rule := v.state.Channels[c].Rule
		if !rule.Pending || rule.Kind == Whole {
			continue
		}
		if s := samples[c]; s != nil {
			cut = s
		}
		limits, ok := Find(cut.block, rule)
		if !ok {
			limits = Limits{0, 1}
		}
		v.state = Found(c, rule, limits)(v.scene, v.state)
		l.found(v.scene, c, rule, limits)
	}
	l.drawShown()
	l.report.Levels = v.scene.levels()
	switch cut := v.cuts[v.state.Active()]; {
	case cut == nil:
		l.report.Histogram, l.report.NoFinite, l.counted = Histogram{High: 1, Most: 1}, false, nil
	case cut != l.counted:
		l.report.Histogram, l.counted = Count(cut.block), cut
		l.report.NoFinite = l.report.Histogram.Peak == 0
	}
	l.prefetch()
}

// drawShown draws the complete picture.
func (l *loop) drawShown() {
	if l.shown.scene == nil {
		return
	}
	l.publish(l.shown.state, l.shown, l.stands, nil)
}

// drawMoved draws, while the rest is under way, what is there of the plane that w asks for; of
// another plane the picture stands as it is until patience ends.
func (l *loop) drawMoved(w wish) {
	switch {
	case l.job.late:
		l.drawUnfinished()
	case l.shown.scene == nil: // a first picture: the backdrop
		l.publish(w.state, view{wish: w}, false, nil)
	case l.same(w):
		l.publish(w.state, view{w, l.shown.cuts}, false, nil)
	}
}

// same reports whether w looks at the plane that the shown cuts are of.
func (l *loop) same(w wish) bool {
	s := l.shown
	return s.scene != nil && s.scene.chain == w.scene.chain && s.scene.slab == w.scene.slab && s.state.plane() == w.state.plane()
}

// drawStale greys what was on view.
func (l *loop) drawStale(w wish) {
	if l.shown.scene != nil {
		l.publish(w.state, l.shown, !l.same(w), nil)
	}
}

// drawUnfinished draws what there is for the job's plane: a coarse level; else the channels that are complete, and the others
// as they were; or a plane before, greyed. On it come the pieces that are there.
func (l *loop) drawUnfinished() {
	j := l.job
	j.news = false
	w := j.guessed()
	switch {
	case j.preview != nil && j.waiting == 0:
		l.publish(w.state, view{w, j.preview}, false, j)
	case l.shown.scene == nil || l.same(w):
		cuts := j.complete()
		for c, cut := range l.shown.cuts {
			if cuts[c] == nil {
				cuts[c] = cut
			}
		}
		l.publish(w.state, view{w, cuts}, false, j)
	default:
		l.publish(w.state, l.shown, true, j)
	}
}

// publish draws the cuts of v as s looks at them, greyed if stale, and on them the pieces of a job
// that goes on, and hands the frame over.
func (l *loop) publish(s State, v view, stale bool, j *job) {
	if s.Size.X <= 0 || s.Size.Y <= 0 {
		return
	}
	f := l.frames.spare(s.Size)
	p := picture{
		geometry: v.scene.Geometry(s), sampling: s.Sampling, backdrop: l.o.Backdrop,
		stale: stale, clip: f.Image.Rect, blend: s.Blend, layers: l.layers(0, v), over: l.overlayOf(s, v, j), waiting: len(s.Shown()) > 0,
	}
	l.composer.compose(f.Image, p)
	f.Geometry, f.State, f.Stale = p.geometry, s, stale
	f.Partial = j != nil || l.job != nil
	f.Level, f.Preview = level(v.cuts)
	if j != nil && len(j.ready) > 0 {
		over := p
		over.layers, over.stale, over.geometry = l.layers(1, view{wish{j.scene, s}, j.cuts}), false, j.scene.Geometry(s)
		for _, piece := range j.ready {
			over.clip = pixels(over.geometry, over.layers, piece)
			l.composer.compose(f.Image, over)
		}
	}
	if f.Cells = nil; !stale && j == nil {
		f.Cells = v.cells(p.geometry, s, f.Image)
	}
	l.report.Frame++
	f.Number = l.report.Frame
	l.report.Level, l.report.Preview = f.Level, f.Preview
	l.frames.publish(f)
	if l.o.OnFrame != nil {
		l.o.OnFrame()
	}
}

// layers are the cuts of v with their colours. Two sets of tables (0 and 1) serve a picture and
// the pieces laid over it.
func (l *loop) layers(set int, v view) []layer {
	all := l.drawn[set][:0]
	for _, c := range v.state.Shown() {
		cut := v.cuts[c]
		if cut == nil {
			continue
		}
		for len(l.looks[set]) <= c {
			l.looks[set] = append(l.looks[set], &look{})
		}
		k := l.looks[set][c]
		k.set(v.state.Channels[c], v.state.HiLo, palette(v.scene, c), cut.Array.Meta())
		all = append(all, layer{cut, k})
	}
	l.drawn[set] = all
	return all
}

// palette is the file's own table for a channel.
func palette(sc *Scene, c int) [][3]uint8 {
	if c < len(sc.Image.Channels) {
		return sc.Image.Channels[c].LUT
	}
	return nil
}

// level is the coarsest level among cuts, and whether it is a preview.
func level(cuts map[int]*Cut) (level int, preview bool) {
	for n, c := range cuts {
		if n == overlaid {
			continue
		}
		level, preview = max(level, c.Level), preview || c.Preview
	}
	return level, preview
}

// pixels is the part of the viewport that shows a piece, of which the first layer that holds it
// knows the place.
func pixels(g Geometry, layers []layer, p piece) image.Rectangle {
	for _, l := range layers {
		c := l.cut
		if p.cols.max > c.cols.max || p.rows.max > c.rows.max {
			continue
		}
		edge := func(k int, i int) float64 { return c.place[k].shift + c.place[k].scale*(float64(i)-0.5) }
		x0, y0 := g.Pixel(edge(0, p.cols.min), edge(1, p.rows.min))
		x1, y1 := g.Pixel(edge(0, p.cols.max), edge(1, p.rows.max))
		return image.Rect(pixelFrom(x0, g.W), pixelFrom(y0, g.H), pixelFrom(x1, g.W), pixelFrom(y1, g.H))
	}
	return image.Rectangle{}
}
