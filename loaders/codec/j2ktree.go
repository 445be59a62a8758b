package codec

// tagBits reads the header of a packet; a byte behind FF has seven bits (T.800, B.10.1).
type tagBits struct {
	src   []byte
	at    int
	have  int
	cur   byte
	spent bool
}

func (b *tagBits) read() int {
	if b.have == 0 {
		last := b.cur
		if b.at >= len(b.src) {
			b.spent = true
			return 0
		}
		b.cur, b.have = b.src[b.at], 8
		b.at++
		if last == 0xFF && b.at > 1 {
			b.have = 7
		}
	}
	b.have--
	return int(b.cur>>b.have) & 1
}

func (b *tagBits) number(n int) int {
	v := 0
	for range n {
		v = v<<1 | b.read()
	}
	return v
}

// passes is how many passes follow (table B.4).
func (b *tagBits) passes() int {
	if b.read() == 0 {
		return 1
	}
	if b.read() == 0 {
		return 2
	}
	if n := b.number(2); n < 3 {
		return 3 + n
	}
	if n := b.number(5); n < 31 {
		return 6 + n
	}
	return 37 + b.number(7)
}

// rest is what follows the header, whose last byte is filled up.
func (b *tagBits) rest() []byte {
	if b.cur == 0xFF && b.at > 0 && b.at < len(b.src) {
		b.at++ // a byte that was put in behind FF
	}
	return b.src[b.at:]
}

// A tagTree is a quadtree of least values (B.10.2), its leaves first.
type tagTree struct {
	levels []tagLevel
}

type tagLevel struct {
	across int
	value  []int // the least that is known
	done   []bool
}

func newTagTree(across, down int) tagTree {
	var t tagTree
	for {
		t.levels = append(t.levels, tagLevel{across, make([]int, across*down), make([]bool, across*down)})
		if across*down <= 1 {
			return t
		}
		across, down = (across+1)/2, (down+1)/2
	}
}

// below reads on until it is known whether the value of a leaf is below a bound.
func (t *tagTree) below(b *tagBits, x, y, bound int) bool {
	least := 0
	for l := len(t.levels) - 1; l >= 0; l-- {
		v := &t.levels[l]
		i := y>>l*v.across + x>>l
		v.value[i] = max(v.value[i], least)
		for !v.done[i] && v.value[i] < bound {
			if b.read() == 1 {
				v.done[i] = true
			} else {
				v.value[i]++
			}
		}
		least = v.value[i]
		if l == 0 {
			return v.done[i] && v.value[i] < bound
		}
	}
	return false
}
