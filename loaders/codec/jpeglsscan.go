package codec

import (
	"fmt"
	"io"
)

// A lsScan decodes components line by line (T.87, annex A). The names in the comments are those of
// the standard.
type lsScan struct {
	*JPEGLS
	which    []int
	bySample bool // components are coded pixel by pixel, not line by line
	shift    uint // bits that were dropped

	most, near    int    // MAXVAL, NEAR
	steps         [3]int // T1, T2, T3
	reset, spread int    // RESET, RANGE
	width         uint   // qbpp
	limit         int    // LIMIT
	contexts      [365 + 2]lsContext

	bits lsBits
}

// lsContext is the counters of one context: A, B, C and N; of the two for interrupted runs, b is Nn.
type lsContext struct{ a, b, c, n int }

// lsBits reads bits; a byte behind FF has only seven, and FF with a larger one ends the scan.
type lsBits struct {
	src  []byte
	acc  uint64
	have uint
	last byte
	end  int // bits that were made up behind the end
}

func (r *lsBits) fill() {
	for r.have <= 48 {
		b, n := byte(0), uint(8)
		switch {
		case len(r.src) == 0 || r.src[0] == 0xFF && (len(r.src) < 2 || r.src[1] >= 0x80):
			r.end += 8
		default:
			if b = r.src[0]; r.last == 0xFF {
				n = 7
			}
			r.last, r.src = b, r.src[1:]
		}
		r.acc |= uint64(b) << (64 - n - r.have)
		r.have += n
	}
}

func (r *lsBits) read(n uint) int {
	if n == 0 {
		return 0
	}
	if r.have < n {
		r.fill()
	}
	v := int(r.acc >> (64 - n))
	r.acc, r.have = r.acc<<n, r.have-n
	return v
}

func (r *lsBits) spent() bool { return int(r.have) < r.end }

// golomb reads a number of the limited code with k low bits (A.5.3).
func (l *lsScan) golomb(k uint, limit int) (int, error) {
	most := limit - int(l.width) - 1
	for u := 0; u <= most; u++ {
		if l.bits.read(1) == 0 {
			continue
		}
		if u < most {
			return u<<k | l.bits.read(k), nil
		}
		return l.bits.read(l.width) + 1, nil
	}
	return 0, fmt.Errorf("a number that is too long: %w", ErrCorrupt)
}

// decode fills in the scan's components, and gives what follows. Lines have a column before the first
// and one behind the last.
func (l *lsScan) decode(dst []uint16, src []byte) ([]byte, error) {
	l.bits = lsBits{src: src}
	n := len(l.which)
	prev, line := make([][]int, n), make([][]int, n)
	for k := range n {
		prev[k], line[k] = make([]int, l.Width+2), make([]int, l.Width+2)
	}
	runs := make([]int, n)
	for y := range l.Height {
		for k := range n {
			prev[k][l.Width+1] = prev[k][l.Width]
			line[k][0] = prev[k][1]
		}
		var err error
		if l.bySample {
			err = l.line(prev, line, &runs[0])
		} else {
			for k := 0; k < n && err == nil; k++ {
				err = l.line(prev[k:k+1], line[k:k+1], &runs[k])
			}
		}
		if err == nil && l.bits.spent() {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, fmt.Errorf("in row %d of %d: %w", y, l.Height, err)
		}
		for k, i := range l.which {
			for x, v := range line[k][1 : l.Width+1] {
				dst[(y*l.Width+x)*l.Components+i] = uint16(v << l.shift)
			}
		}
		prev, line = line, prev
	}
	s := l.bits.src
	for len(s) > 1 && (s[0] != 0xFF || s[1] < 0x80) {
		s = s[1:]
	}
	return s, nil
}

// line decodes one line of the components that are coded together.
func (l *lsScan) line(prev, line [][]int, run *int) error {
	var q [4]int
	for x := 1; x <= l.Width; {
		flat := true
		for k := range line {
			p := prev[k]
			rb, rc := p[x], p[x-1]
			q[k] = 81*l.quantise(p[x+1]-rb) + 9*l.quantise(rb-rc) + l.quantise(rc-line[k][x-1])
			flat = flat && q[k] == 0
		}
		if flat {
			var err error
			if x, err = l.run(prev, line, x, run); err != nil {
				return err
			}
			continue
		}
		for k := range line {
			v, err := l.sample(q[k], line[k][x-1], prev[k][x], prev[k][x-1])
			if err != nil {
				return err
			}
			line[k][x] = v
		}
		x++
	}
	return nil
}

// quantise is the class of a difference (A.3.3).
func (l *lsScan) quantise(d int) int {
	s := 1
	if d < 0 {
		s, d = -1, -d
	}
	switch {
	case d <= l.near:
		return 0
	case d < l.steps[0]:
		return s
	case d < l.steps[1]:
		return 2 * s
	case d < l.steps[2]:
		return 3 * s
	}
	return 4 * s
}

// sample decodes one in the regular mode (A.4 to A.6).
func (l *lsScan) sample(q, ra, rb, rc int) (int, error) {
	sign := 1
	if q < 0 {
		sign, q = -1, -q
	}
	c := &l.contexts[q]
	p := ra + rb - rc
	if rc >= max(ra, rb) {
		p = min(ra, rb)
	} else if rc <= min(ra, rb) {
		p = max(ra, rb)
	}
	p = max(0, min(l.most, p+sign*c.c))
	k := uint(0)
	for c.n<<k < c.a {
		k++
	}
	m, err := l.golomb(k, l.limit)
	if err != nil {
		return 0, err
	}
	e := m >> 1
	if m&1 == 1 {
		e = -e - 1
	}
	if l.near == 0 && k == 0 && 2*c.b <= -c.n {
		e = -e - 1
	}
	c.b += e * (2*l.near + 1)
	c.a += max(e, -e)
	if c.n == l.reset {
		c.a, c.b, c.n = c.a>>1, c.b>>1, c.n>>1
	}
	c.n++
	if c.b <= -c.n {
		c.b = max(c.b+c.n, 1-c.n)
		c.c = max(c.c-1, -128)
	} else if c.b > 0 {
		c.b = min(c.b-c.n, 0)
		c.c = min(c.c+1, 127)
	}
	return l.rebuild(p, sign*e), nil
}

// rebuild adds an error to a prediction, modulo the range (A.4.5).
func (l *lsScan) rebuild(p, e int) int {
	v := p + e*(2*l.near+1)
	if whole := l.spread * (2*l.near + 1); v < -l.near {
		v += whole
	} else if v > l.most+l.near {
		v -= whole
	}
	return max(0, min(l.most, v))
}

// runBits is the order of the code of run lengths (A.2.1, J).
var runBits = [32]uint{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// run decodes a run from column x on and the samples that interrupt it (A.7), and gives the column
// behind.
func (l *lsScan) run(prev, line [][]int, x int, index *int) (int, error) {
	end := l.Width + 1
	fill := func(n int) {
		for k := range line {
			v := line[k][x-1]
			for i := x; i < x+n; i++ {
				line[k][i] = v
			}
		}
		x += n
	}
	for l.bits.read(1) == 1 {
		whole := 1 << runBits[*index]
		n := min(whole, end-x)
		fill(n)
		if n == whole {
			*index = min(*index+1, 31)
		}
		if x == end {
			return x, nil
		}
		if l.bits.spent() {
			return x, io.ErrUnexpectedEOF
		}
	}
	n := l.bits.read(runBits[*index])
	if n >= end-x {
		return x, fmt.Errorf("a run beyond the line: %w", ErrCorrupt)
	}
	fill(n)
	for k := range line {
		ra, rb := line[k][x-1], prev[k][x]
		same := 0 // RItype; samples that are coded together have the first only
		if d := ra - rb; len(line) == 1 && d <= l.near && -d <= l.near {
			same = 1
		}
		e, err := l.interruption(same, runBits[*index])
		if err != nil {
			return x, err
		}
		if same == 0 && ra > rb {
			e = -e
		}
		if same == 1 {
			rb = ra
		}
		line[k][x] = l.rebuild(rb, e)
	}
	*index = max(*index-1, 0)
	return x + 1, nil
}

// interruption decodes the error of a sample that ends a run (A.7.2).
func (l *lsScan) interruption(same int, order uint) (int, error) {
	c := &l.contexts[365+same]
	a := c.a
	if same == 1 {
		a += c.n >> 1
	}
	k := uint(0)
	for c.n<<k < a {
		k++
	}
	m, err := l.golomb(k, l.limit-int(order)-1)
	if err != nil {
		return 0, err
	}
	t := m + same
	e := (t + t&1) / 2
	if (k != 0 || 2*c.b >= c.n) == (t&1 == 1) {
		e = -e
	}
	if e < 0 {
		c.b++
	}
	c.a += (m + 1 - same) >> 1
	if c.n == l.reset {
		c.a, c.b, c.n = c.a>>1, c.b>>1, c.n>>1
	}
	c.n++
	return e, nil
}
