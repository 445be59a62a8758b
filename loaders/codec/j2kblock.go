package codec

import (
	"fmt"
)

// Styles of code blocks that are known (T.800, table A.19).
const (
	j2kReset       = 2
	j2kPredictable = 16
	j2kMarks       = 32
)

// mqState is one row of the table of probabilities (table C.2).
type mqState struct {
	q          uint32
	more, less uint8
	turn       bool
}

var mqStates = [47]mqState{
	{0x5601, 1, 1, true}, {0x3401, 2, 6, false}, {0x1801, 3, 9, false}, {0x0AC1, 4, 12, false}, {0x0521, 5, 29, false}, {0x0221, 38, 33, false},
	{0x5601, 7, 6, true}, {0x5401, 8, 14, false}, {0x4801, 9, 14, false}, {0x3801, 10, 14, false}, {0x3001, 11, 17, false}, {0x2401, 12, 18, false},
	{0x1C01, 13, 20, false}, {0x1601, 29, 21, false}, {0x5601, 15, 14, true}, {0x5401, 16, 14, false}, {0x5101, 17, 15, false}, {0x4801, 18, 16, false},
	{0x3801, 19, 17, false}, {0x3401, 20, 18, false}, {0x3001, 21, 19, false}, {0x2801, 22, 19, false}, {0x2401, 23, 20, false}, {0x2201, 24, 21, false},
	{0x1C01, 25, 22, false}, {0x1801, 26, 23, false}, {0x1601, 27, 24, false}, {0x1401, 28, 25, false}, {0x1201, 29, 26, false}, {0x1101, 30, 27, false},
	{0x0AC1, 31, 28, false}, {0x09C1, 32, 29, false}, {0x08A1, 33, 30, false}, {0x0521, 34, 31, false}, {0x0441, 35, 32, false}, {0x02A1, 36, 33, false},
	{0x0221, 37, 34, false}, {0x0141, 38, 35, false}, {0x0111, 39, 36, false}, {0x0085, 40, 37, false}, {0x0049, 41, 38, false}, {0x0025, 42, 39, false},
	{0x0015, 43, 40, false}, {0x0009, 44, 41, false}, {0x0005, 45, 42, false}, {0x0001, 45, 43, false}, {0x5601, 46, 46, false},
}

// mq is the arithmetic decoder (annex C.3).
type mq struct {
	src  []byte
	at   int
	c, a uint32
	ct   int
	ctx  [19]struct{ state, likely uint8 }
}

func (m *mq) byteAt(i int) uint32 {
	if i < len(m.src) {
		return uint32(m.src[i])
	}
	return 0xFF
}

func (m *mq) start(src []byte) {
	*m = mq{src: src}
	m.reset()
	m.c = m.byteAt(0) << 16
	m.next()
	m.c <<= 7
	m.ct -= 7
	m.a = 0x8000
}

func (m *mq) reset() {
	for i := range m.ctx {
		m.ctx[i].state, m.ctx[i].likely = 0, 0
	}
	m.ctx[0].state, m.ctx[runContext].state, m.ctx[plainContext].state = 4, 3, 46
}

func (m *mq) next() {
	if m.byteAt(m.at) == 0xFF {
		if b := m.byteAt(m.at + 1); b > 0x8F {
			m.c += 0xFF00
			m.ct = 8
		} else {
			m.at++
			m.c += b << 9
			m.ct = 7
		}
		return
	}
	m.at++
	m.c += m.byteAt(m.at) << 8
	m.ct = 8
}

func (m *mq) bit(i int) int {
	x := &m.ctx[i]
	s := &mqStates[x.state]
	d := x.likely
	m.a -= s.q
	if m.c>>16 < s.q {
		if m.a < s.q {
			x.state = s.more
		} else {
			d ^= 1
			if s.turn {
				x.likely ^= 1
			}
			x.state = s.less
		}
		m.a = s.q
	} else {
		m.c -= s.q << 16
		if m.a&0x8000 != 0 {
			return int(d)
		}
		if m.a < s.q {
			d ^= 1
			if s.turn {
				x.likely ^= 1
			}
			x.state = s.less
		} else {
			x.state = s.more
		}
	}
	for {
		if m.ct == 0 {
			m.next()
		}
		m.a <<= 1
		m.c <<= 1
		m.ct--
		if m.a&0x8000 != 0 {
			return int(d)
		}
	}
}

const (
	signContext  = 9
	finerContext = 14
	runContext   = 17
	plainContext = 18
)

// Kinds of bands.
const (
	bandLL = iota
	bandHL
	bandLH
	bandHH
)

// A blockDecoder decodes the coefficients of a code block (annex D), which is surrounded by a border of
// insignificant ones. Values are in halves, so that the middle of what is not known can be said.
type blockDecoder struct {
	mq
	w, h, stride int
	kind         int
	value        []int32
	flags        []uint8
}

const (
	significant = 1 << iota
	negative
	visited
	refined
)

// decode gives the coefficients in rows of w. planes is how many bit planes there are, of which passes
// passes are coded.
func (d *blockDecoder) decode(src []byte, w, h, kind, planes, passes int, style byte) ([]int32, error) {
	if planes > 30 || passes > 3*planes-2 {
		return nil, fmt.Errorf("a block of %d passes for %d bit planes: %w", passes, planes, ErrCorrupt)
	}
	d.w, d.h, d.stride, d.kind = w, h, w+2, kind
	n := d.stride * (h + 2)
	if cap(d.value) < n {
		d.value, d.flags = make([]int32, n), make([]uint8, n)
	}
	d.value, d.flags = d.value[:n], d.flags[:n]
	clear(d.value)
	clear(d.flags)
	d.start(src)
	for p, pass := planes, 2; passes > 0; passes-- {
		one := int32(1) << p // of the plane, in halves
		switch pass {
		case 0:
			d.spread(one)
		case 1:
			d.refine(one)
		default:
			d.clean(one)
			if style&j2kMarks != 0 {
				for range 4 {
					d.bit(plainContext)
				}
			}
		}
		if style&j2kReset != 0 {
			d.reset()
		}
		if pass++; pass == 3 {
			pass = 0
			p--
		}
	}
	return d.value, nil
}

// around counts the significant neighbours: beside, above and below, and at the corners.
func (d *blockDecoder) around(i int) (h, v, x int) {
	f, s := d.flags, d.stride
	h = int(f[i-1]&1) + int(f[i+1]&1)
	v = int(f[i-s]&1) + int(f[i+s]&1)
	x = int(f[i-s-1]&1) + int(f[i-s+1]&1) + int(f[i+s-1]&1) + int(f[i+s+1]&1)
	return h, v, x
}

// zero is the context of a coefficient that is not significant yet (table D.1).
func (d *blockDecoder) zero(i int) int {
	h, v, x := d.around(i)
	if d.kind == bandHH {
		n := h + v
		switch {
		case x >= 3:
			return 8
		case x == 2:
			return 6 + min(n, 1)
		case x == 1:
			return 3 + min(n, 2)
		}
		return min(n, 2)
	}
	if d.kind == bandHL {
		h, v = v, h
	}
	switch {
	case h == 2:
		return 8
	case h == 1 && v > 0:
		return 7
	case h == 1:
		return 5 + min(x, 1)
	case v > 0:
		return 2 + v
	}
	return min(x, 2)
}

// sign decodes the sign of a coefficient that becomes significant (table D.3).
func (d *blockDecoder) sign(i int, one int32) {
	of := func(k int) int {
		f := d.flags[k]
		if f&significant == 0 {
			return 0
		}
		return 1 - int(f&negative)
	}
	clip := func(v int) int { return max(-1, min(1, v)) }
	h, v := clip(of(i-1)+of(i+1)), clip(of(i-d.stride)+of(i+d.stride))
	flip := 0
	if h < 0 || h == 0 && v < 0 {
		h, v, flip = -h, -v, 1
	}
	context := signContext + 3*h + v
	if d.bit(context)^flip == 1 {
		d.flags[i] |= negative
	}
	d.flags[i] |= significant
	d.value[i] = one | one>>1
}

// stripes visits the block in stripes of four rows, column by column.
func (d *blockDecoder) stripes(visit func(i, rows int)) {
	for y := 0; y < d.h; y += 4 {
		for x := range d.w {
			visit((y+1)*d.stride+x+1, min(4, d.h-y))
		}
	}
}

// spread is the pass over what lies beside significant coefficients (D.3.1).
func (d *blockDecoder) spread(one int32) {
	d.stripes(func(i, rows int) {
		for range rows {
			if d.flags[i]&significant == 0 {
				if c := d.zero(i); c > 0 {
					if d.bit(c) == 1 {
						d.sign(i, one)
					}
					d.flags[i] |= visited
				}
			}
			i += d.stride
		}
	})
}

// refine is the pass over what is significant already (D.3.3).
func (d *blockDecoder) refine(one int32) {
	d.stripes(func(i, rows int) {
		for range rows {
			if f := d.flags[i]; f&(significant|visited) == significant {
				c := finerContext + 2
				if f&refined == 0 {
					h, v, x := d.around(i)
					c = finerContext + min(h+v+x, 1)
				}
				if d.bit(c) == 1 {
					d.value[i] += one >> 1
				} else {
					d.value[i] -= one >> 1
				}
				d.flags[i] |= refined
			}
			i += d.stride
		}
	})
}

// clean is the pass over what is left (D.3.4).
func (d *blockDecoder) clean(one int32) {
	d.stripes(func(i, rows int) {
		row := 0
		if rows == 4 && d.quiet(i) {
			if d.bit(runContext) == 0 {
				return
			}
			row = d.bit(plainContext)<<1 | d.bit(plainContext)
			d.sign(i+row*d.stride, one)
			row++
		}
		for k := row; k < rows; k++ {
			at := i + k*d.stride
			if d.flags[at]&(significant|visited) == 0 && d.bit(d.zero(at)) == 1 {
				d.sign(at, one)
			}
		}
	})
	for i := range d.flags {
		d.flags[i] &^= visited
	}
}

// quiet reports whether a column of four has nothing significant in it or around it.
func (d *blockDecoder) quiet(i int) bool {
	for range 4 {
		if d.flags[i]&(significant|visited) != 0 || d.zero(i) != 0 {
			return false
		}
		i += d.stride
	}
	return true
}
