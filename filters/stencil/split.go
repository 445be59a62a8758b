package stencil

import "slices"

// A box is a sum in which every voxel of some rows and columns around the output voxel has a weight, and
// the weights are products of one for the row and one for the column.
type box struct {
	value        Value
	rows, cols   []int // offsets, ascending
	down, across []float64
}

// boxOf finds the rows, columns and weights of a sum over a box, if it is one.
func boxOf(terms []Term) (box, bool) {
	b := box{value: terms[0].Value}
	for _, t := range terms {
		if t.Value != b.value || t.Weight == 0 {
			return b, false
		}
		b.rows, b.cols = with(b.rows, t.DY), with(b.cols, t.DX)
	}
	if len(b.rows)*len(b.cols) != len(terms) {
		return b, false
	}
	weight := make([][]float64, len(b.rows))
	for n := range weight {
		weight[n] = make([]float64, len(b.cols))
	}
	for _, t := range terms {
		y, x := slices.Index(b.rows, t.DY), slices.Index(b.cols, t.DX)
		if weight[y][x] != 0 {
			return b, false // a voxel that is there twice leaves another out
		}
		weight[y][x] = t.Weight
	}
	return b, b.factor(weight)
}

// factor writes the weights as products of integers, if they are.
func (b *box) factor(weight [][]float64) bool {
	d := 0.0
	for _, w := range weight[0] {
		d = divisor(d, w)
	}
	for _, w := range weight[0] {
		b.across = append(b.across, w/d)
	}
	for _, row := range weight {
		times := row[0] / b.across[0]
		for x, w := range row {
			if w != times*b.across[x] {
				return false
			}
		}
		b.down = append(b.down, times)
	}
	return true
}

// divisor is the greatest common divisor of the magnitudes of two integers.
func divisor(a, b float64) float64 {
	m, n := int64(max(a, -a)), int64(max(b, -b))
	for n != 0 {
		m, n = n, m%n
	}
	return float64(m)
}

// with is an ascending list with a number in it.
func with(list []int, n int) []int {
	at, found := slices.BinarySearch(list, n)
	if found {
		return list
	}
	return slices.Insert(list, at, n)
}
