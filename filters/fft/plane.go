package fft

// Into makes plane z the transform along x and y of rows of voxels, X long, that fill writes; of rows outside ys it is
// not asked for any, and they are 0. A row that fill is given holds anything.
func (h *Hand) Into(s *Spectrum, z int, ys Span, fill func(y int, row []float32)) {
	h.groups(ys, func(y0 int) {
		h.each(y0, ys, fill)
		h.rowsIn(s, z, y0)
	})
	h.down(s, z, ys)
}

// OutOf is the other way round: it hands over the rows of ys. The plane is used up.
func (h *Hand) OutOf(s *Spectrum, z int, ys Span, take func(y int, row []float32)) {
	h.up(s, z, ys)
	h.groups(ys, func(y0 int) {
		h.rowsOut(s, z, y0)
		h.each(y0, ys, take)
	})
}

// Through is OutOf, and then Into with what change has made of the rows.
func (h *Hand) Through(s *Spectrum, z int, ys Span, change func(y int, row []float32)) {
	h.up(s, z, ys)
	h.groups(ys, func(y0 int) {
		h.rowsOut(s, z, y0)
		h.each(y0, ys, change)
		h.rowsIn(s, z, y0)
	})
	h.down(s, z, ys)
}

// groups visits the first row of each bundle of rows that a span touches.
func (h *Hand) groups(ys Span, visit func(y0 int)) {
	for y0 := ys.Min &^ (Lanes - 1); y0 < ys.Max; y0 += Lanes {
		visit(y0)
	}
}

// each visits the rows of a bundle that lie in a span, and clears the others.
func (h *Hand) each(y0 int, ys Span, visit func(y int, row []float32)) {
	for i := range Lanes {
		row := h.rows[i*h.pitch:][:h.grid.X]
		if ys.Has(y0 + i) {
			visit(y0+i, row)
		} else {
			clear(row)
		}
	}
}

// rowsIn transforms a bundle of rows of voxels along x.
func (h *Hand) rowsIn(s *Spectrum, z, y0 int) {
	g, a, b := h.grid, h.a, h.b
	k := &g.loops
	k.gather(a.re, a.im, Lanes, h.rows, h.pitch, up(g.X, 8))
	for i, from := range g.x.from {
		h.in[i] = from * Lanes
	}
	p := pass{srcRe: a.re, srcIm: a.im, in: h.in[:g.half], dstRe: b.re, dstIm: b.im, out: g.places[:g.half]}
	g.x.transform(k, p, &b, g.places)
	last := g.half * Lanes
	for i := range Lanes {
		re, im := b.re[i], b.im[i]
		b.re[i], b.im[i] = re+im, 0
		b.re[last+i], b.im[last+i] = re-im, 0
	}
	k.run(k.split, &pass{srcRe: b.re, srcIm: b.im, dstRe: b.re, dstIm: b.im, m: g.half, turns: g.ends})
	clear(b.re[last+Lanes : g.width*Lanes])
	clear(b.im[last+Lanes : g.width*Lanes])
	at := g.at(z, y0)
	k.scatter(s.data[at:], 2*g.width, b.re, b.re[Lanes:], 2*Lanes, g.width)
	k.scatter(s.data[at+g.width:], 2*g.width, b.im, b.im[Lanes:], 2*Lanes, g.width)
}

// rowsOut gives the voxels of a bundle of rows.
func (h *Hand) rowsOut(s *Spectrum, z, y0 int) {
	g, a, b := h.grid, h.a, h.b
	k := &g.loops
	at := g.at(z, y0)
	k.gather(b.re, b.re[Lanes:], 2*Lanes, s.data[at:], 2*g.width, g.width)
	k.gather(b.im, b.im[Lanes:], 2*Lanes, s.data[at+g.width:], 2*g.width, g.width)
	last := g.half * Lanes
	for i := range Lanes {
		dc, top := b.re[i], b.re[last+i]
		b.re[i], b.im[i] = dc+top, dc-top
	}
	k.run(k.merge, &pass{srcRe: b.re, srcIm: b.im, dstRe: b.re, dstIm: b.im, m: g.half, turns: g.ends})
	for i, from := range g.x.from {
		h.in[i] = from * Lanes
	}
	p := pass{srcRe: b.im, srcIm: b.re, in: h.in[:g.half], dstRe: a.im, dstIm: a.re, out: g.places[:g.half]}
	g.x.transform(k, p, &buffer{a.im, a.re}, g.places) // swapped parts make it the inverse
	k.scatter(h.rows, h.pitch, a.re, a.im, Lanes, up(g.X, 8))
}

// down transforms a plane along y, whose rows outside ys are taken for 0.
func (h *Hand) down(s *Spectrum, z int, ys Span) {
	g := h.grid
	base := g.at(z, 0)
	for i, y := range g.y.from {
		if h.in[i] = y * 2 * g.width; !ys.Has(y) {
			h.in[i] = s.zero - base
		}
		h.out[i] = i * 2 * g.width
	}
	p := pass{in: h.in[:g.Y], out: h.out[:g.Y]}
	for x := base; x < base+g.width; x += Lanes {
		p.srcRe, p.srcIm = s.data[x:], s.data[x+g.width:]
		p.dstRe, p.dstIm = p.srcRe, p.srcIm
		g.y.transform(&g.loops, p, &h.a, g.places)
	}
}

// up is the inverse along y, of which the rows outside ys are of no use.
func (h *Hand) up(s *Spectrum, z int, ys Span) {
	g := h.grid
	base, aside := g.at(z, 0), ys.outside(g.Y)
	for i, y := range g.y.from {
		h.in[i] = y * 2 * g.width
		if h.out[i] = i * 2 * g.width; !ys.Has(i) {
			h.out[i] = aside * 2 * g.width
		}
	}
	p := pass{in: h.in[:g.Y], out: h.out[:g.Y]}
	for x := base; x < base+g.width; x += Lanes {
		p.srcRe, p.srcIm = s.data[x+g.width:], s.data[x:]
		p.dstRe, p.dstIm = p.srcRe, p.srcIm
		g.y.transform(&g.loops, p, &buffer{h.a.im, h.a.re}, g.places)
	}
}
