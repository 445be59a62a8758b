package filters

import (
	"math/bits"
	"slices"
)

// A network finds the value of one rank in a box by exchanges alone: each orders two values, for a whole row
// of voxels at once. The voxels of a box are sorted along z, then y, then x, which rows and columns of boxes
// beside each other share; what is sorted along all three axes leaves few that the rank can be among, and a
// network on those is cut down to the exchanges that can matter.
//
//	Batcher, Sorting networks and their applications, 1968.
//	Knuth, The Art of Computer Programming 3, 5.3.4: a network is right if it is for all inputs of 0 and 1.
type network struct {
	nz, ny, nx int
	alongZ     []exchange // of the nz voxels at each y and x
	alongY     []exchange // of wires z*ny + y
	alongX     []exchange // of wires (z*ny + y)*nx + x
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
	if nz*ny*nx > mostWires || divisions(nz, ny, nx) > mostDivisions {
		return nil
	}
	n := &network{nz: nz, ny: ny, nx: nx, alongZ: sorting(0, 1, nz)}
	for z := range nz {
		n.alongY = append(n.alongY, sorting(z*ny, 1, ny)...)
	}
	for zy := range nz * ny {
		n.alongX = append(n.alongX, sorting(zy*nx, 1, nx)...)
	}
	n.alongX = append(n.alongX, n.selection(rank)...)

	used := make([]bool, nz*ny*nx)
	used[n.result] = true
	n.alongX = lookedAt(n.alongX, used)
	columns := make([]bool, nz*ny)
	for w, u := range used {
		columns[w/nx] = columns[w/nx] || u
	}
	n.alongY = lookedAt(n.alongY, columns)
	return n
}

// sorting is Batcher's merge exchange on n wires from first on, step apart (Knuth 5.2.2, algorithm M).
func sorting(first, step, n int) []exchange {
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
					list = append(list, exchange{first + i*step, first + (i+d)*step, true, true})
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

// selection brings the value of a rank of a box that is sorted along all axes to the wire n.result.
func (n *network) selection(rank int) []exchange {
	all := n.nz * n.ny * n.nx
	low := make([]int, all)  // how many voxels are no greater than this one, whatever the input
	high := make([]int, all) // how many are no less
	var wires []int          // those that can be of the rank, from what stands low to what stands high
	below := 0
	for w := range all {
		z, y, x := w/n.nx/n.ny, w/n.nx%n.ny, w%n.nx
		low[w], high[w] = (z+1)*(y+1)*(x+1), (n.nz-z)*(n.ny-y)*(n.nx-x)
		switch {
		case low[w] > rank+1:
		case high[w] > all-rank:
			below++
		default:
			wires = append(wires, w)
		}
	}
	slices.SortStableFunc(wires, func(a, b int) int { return low[a] - high[a] - low[b] + high[b] })
	ones := n.divided()
	var list []exchange
	for _, e := range sorting(0, 1, len(wires)) {
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
	n.result = wires[rank-below]
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

// divided lists every way of dividing a sorted box into 0 and 1, as a set for each wire. A division is how many
// ones end each row along x; the counts fall neither along z nor along y.
func (n *network) divided() []set {
	ones := make([]set, n.nz*n.ny*n.nx)
	counts := make([]int, n.nz*n.ny)
	inputs := 0
	var divide func(row int)
	divide = func(row int) {
		if row == len(counts) {
			for w := range ones {
				if inputs%64 == 0 {
					ones[w] = append(ones[w], 0)
				}
				if w%n.nx >= n.nx-counts[w/n.nx] {
					ones[w][inputs/64] |= 1 << (inputs % 64)
				}
			}
			inputs++
			return
		}
		from := 0
		if row%n.ny > 0 {
			from = counts[row-1]
		}
		if row >= n.ny {
			from = max(from, counts[row-n.ny])
		}
		for c := from; c <= n.nx; c++ {
			counts[row] = c
			divide(row + 1)
		}
	}
	divide(0)
	return ones
}

// divisions is how many there are: MacMahon's count of plane partitions in a box.
func divisions(nz, ny, nx int) float64 {
	d := 1.0
	for z := range nz {
		for y := range ny {
			d *= float64(z+y+nx+1) / float64(z+y+1)
		}
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
