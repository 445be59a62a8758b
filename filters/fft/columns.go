package fft

// A Factor says what a spectrum is multiplied by.
type Factor uint8

// The factors: another spectrum, or its conjugate, which turns a convolution into a correlation.
const (
	Times Factor = iota
	TimesConjugate
)

// Columns transforms row y of every plane along z, multiplies it by that of another spectrum, and transforms it back.
// Planes outside in are taken for 0, and those outside out are left with anything.
func (h *Hand) Columns(s *Spectrum, y int, in, out Span, by *Spectrum, how Factor) {
	g := h.grid
	k := &g.loops
	h.alongIn(s, y, in)
	aside := out.outside(g.Z)
	for z := range g.Z {
		if h.out[z] = g.at(z, y); !out.Has(z) {
			h.out[z] = g.at(aside, y)
		}
	}
	multiply := k.times
	if how == TimesConjugate {
		multiply = k.timesConj
	}
	a, b := &h.a, &h.b
	back, rows := h.back[:g.Z], h.rowsAt[:g.Z]
	for i, z := range g.z.from {
		back[i], rows[i] = z*Lanes, g.at(i, y)
	}
	for x := 0; x < g.width; x += Lanes {
		re, im := s.data[x:], s.data[x+g.width:]
		g.z.transform(k, pass{srcRe: re, srcIm: im, in: h.in[:g.Z], dstRe: a.re, dstIm: a.im, out: g.places[:g.Z]}, a, g.places)
		k.run(multiply, &pass{srcRe: by.data[x:], srcIm: by.data[x+g.width:], in: rows, dstRe: a.re, dstIm: a.im})
		g.z.transform(k, pass{srcRe: a.im, srcIm: a.re, in: back, dstRe: im, dstIm: re, out: h.out[:g.Z]}, &buffer{b.im, b.re}, g.places)
	}
}

// Along transforms row y of every plane along z, and leaves it there.
func (h *Hand) Along(s *Spectrum, y int, in Span) {
	g := h.grid
	h.alongIn(s, y, in)
	for z := range g.Z {
		h.out[z] = g.at(z, y)
	}
	for x := 0; x < g.width; x += Lanes {
		re, im := s.data[x:], s.data[x+g.width:]
		g.z.transform(&g.loops, pass{srcRe: re, srcIm: im, in: h.in[:g.Z], dstRe: re, dstIm: im, out: h.out[:g.Z]}, &h.a, g.places)
	}
}

// alongIn sets the table of the rows that a transform along z reads.
func (h *Hand) alongIn(s *Spectrum, y int, in Span) {
	for i, z := range h.grid.z.from {
		if h.in[i] = h.grid.at(z, y); !in.Has(z) {
			h.in[i] = s.zero
		}
	}
}
