package filters

import (
	"math/bits"
	"slices"
)

// A network finds the value of one rank in a box by exchanges alone: each orders two values, for a whole row
// of voxels at once. The voxels of each column of z and y are sorted first, which the boxes beside each other
// along x share, and then along x. What is sorted along both leaves few that the rank can be among, and a network on
// those is cut down to the exchanges that can matter.
//
//	Batcher, Sorting networks and their applications, 1968.
//	Knuth, The Art of Computer Programming 3, 5.3.4: a network is right if it is for all inputs of 0 and 1.
type network struct {
	nz, ny, nx int
	alongZ     []exchange // of the nz voxels at each y and x
	alongY     []exchange // of wires z*ny + y: sorts the column
	column     []int      // the wires of a column from the least to the greatest
	alongX     []exchange // of wires k*nx + x, where k counts the column from the least
	result     int        // the wire that holds the value of the rank
}

// An exchange leaves the lesser of two wires on lo and the greater on hi, as far as anyone looks at them.
type exchange struct {
	lo, hi       int
	less, greats bool // which of the two is looked at
}

// Bounds of a network: voxels of the box, and ways in which a sorted box can be divided into low and high.
const (
	mostWires     = 64
	mostDivisions = 5000
)

// newNetwork is the network for a box, or nil if the box is too large for one.
func newNetwork(nz, ny, nx, rank int) *network {
	column, box := matrix{nz, ny}, matrix{nz * ny, nx}
	if nz*ny*nx > mostWires || column.divisions() > mostDivisions || box.divisions() > mostDivisions {
		return nil
	}
	n := &network{nz: nz, ny: ny, nx: nx, alongZ: sorting(0, nz)}
	for z := range nz {
		n.alongY = append(n.alongY, sorting(z*ny, ny)...)
	}
	n.column = column.candidates(-1)
	n.alongY = append(n.alongY, column.settle(n.column)...)
	for k := range nz * ny {
		n.alongX = append(n.alongX, sorting(k*nx, nx)...)
	}
	middle := box.candidates(rank)
	n.alongX = append(n.alongX, box.settle(middle)...)
	n.result = middle[rank-box.below(rank)]

	used := make([]bool, nz*ny*nx)
	used[n.result] = true
	n.alongX = lookedAt(n.alongX, used)
	columns := make([]bool, nz*ny)
	for w, u := range used {
		columns[n.column[w/nx]] = columns[n.column[w/nx]] || u
	}
	n.alongY = lookedAt(n.alongY, columns)
	return n
}

// sorting is Batcher's merge exchange on n wires from first on (Knuth 5.2.2, algorithm M).
func sorting(first, n int) []exchange {
	var list []exchange
	if n < 2 {
		return nil
	}
	top := 1 << (bits.Len(uint(n-1)) - 1)
	for p := top; p > 0; p /= 2 {
		q, r, d := top, 0, p
		for {
			for i := 0; i < n-d; i++ {
				if i&p == r {
					list = append(list, exchange{first + i, first + i + d, true, true})
				}
			}
			if q == p {
				break
			}
			d, q, r = q-p, q/2, p
		}
	}
	return list
}

// A matrix of wires row*cols + col is sorted along both.
type matrix struct{ rows, cols int }

// bounds is how many values are no greater than that of a wire, and how many are no less, whatever the input.
func (m matrix) bounds(wire int) (low, high int) {
	r, c := wire/m.cols, wire%m.cols
	return (r + 1) * (c + 1), (m.rows - r) * (m.cols - c)
}

// candidates lists the wires that can hold the value of a rank (all of them for rank -1), from what stands low to
// what stands high.
func (m matrix) candidates(rank int) []int {
	var wires []int
	all := m.rows * m.cols
	for w := range all {
		if low, high := m.bounds(w); rank < 0 || low <= rank+1 && high <= all-rank {
			wires = append(wires, w)
		}
	}
	slices.SortStableFunc(wires, func(a, b int) int {
		lowA, highA := m.bounds(a)
		lowB, highB := m.bounds(b)
		return lowA - highA - lowB + highB
	})
	return wires
}

// below is how many wires that are no candidates hold lesser values.
func (m matrix) below(rank int) int {
	n := 0
	for w := range m.rows * m.cols {
		if low, high := m.bounds(w); low <= rank+1 && high > m.rows*m.cols-rank {
			n++
		}
	}
	return n
}

// settle sorts the values of some wires and lists the wires anew from the least value to the greatest. It makes the
// exchanges that can change anything for an input that is sorted as the matrix is.
func (m matrix) settle(wires []int) []exchange {
	ones := m.divided()
	var list []exchange
	for _, e := range sorting(0, len(wires)) {
		a, b := wires[e.lo], wires[e.hi]
		switch {
		case ones[a].within(ones[b]): // in order already, whatever the input
			continue
		case ones[b].within(ones[a]): // always the wrong way round
			wires[e.lo], wires[e.hi] = b, a
			continue
		}
		ones[a].exchange(ones[b])
		list = append(list, exchange{a, b, true, true})
	}
	return list
}

// A set holds, for one wire, the inputs of 0 and 1 for which it carries a 1.
type set []uint64

func (s set) within(o set) bool {
	for i := range s {
		if s[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

func (s set) exchange(o set) {
	for i := range s {
		s[i], o[i] = s[i]&o[i], s[i]|o[i]
	}
}

// divided lists every way of dividing the matrix into 0 and 1, as a set for each wire. A division is how many ones
// end each row; the count does not fall from row to row.
func (m matrix) divided() []set {
	ones := make([]set, m.rows*m.cols)
	counts := make([]int, m.rows)
	inputs := 0
	var divide func(row, from int)
	divide = func(row, from int) {
		if row < m.rows {
			for counts[row] = from; counts[row] <= m.cols; counts[row]++ {
				divide(row+1, counts[row])
			}
			return
		}
		for w := range ones {
			if inputs%64 == 0 {
				ones[w] = append(ones[w], 0)
			}
			if w%m.cols >= m.cols-counts[w/m.cols] {
				ones[w][inputs/64] |= 1 << (inputs % 64)
			}
		}
		inputs++
	}
	divide(0, 0)
	return ones
}

// divisions is how many there are: paths through a grid.
func (m matrix) divisions() float64 {
	d := 1.0
	for k := range m.cols {
		d *= float64(m.rows+k+1) / float64(k+1)
	}
	return d
}

// lookedAt leaves out what does not reach the wires in used, and adds to used the wires looked at before.
func lookedAt(list []exchange, used []bool) []exchange {
	var kept []exchange
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		if e.less, e.greats = used[e.lo], used[e.hi]; e.less || e.greats {
			used[e.lo], used[e.hi] = true, true
			kept = append(kept, e)
		}
	}
	slices.Reverse(kept)
	return kept
}
