package loaders

import (
	"math/bits"

	"lamella/lazy"
)

// Reduce gives the voxels of the next coarser level that b covers: half as many along the axes where factor is 2.
// Its first voxels must have even indices there; where b ends in an odd one, the last voxel is made of what there is.
//
// A voxel is the mean of those that it replaces; for integers rounded to nearest, halves away from zero, without
// overflow in any type, and for real numbers without those that are not a number. For labels, of which no mean
// makes sense, it is the most frequent value, the first of them in storage order if there are several.
func Reduce(b *lazy.Block, factor lazy.Shape, labels bool) *lazy.Block {
	out := lazy.NewBlock(reduced(b.Region, factor), b.DType)
	reduceInto(out, b, factor, labels)
	return out
}

// reduced is the voxels of the next coarser level that r covers.
func reduced(r lazy.Region, factor lazy.Shape) lazy.Region {
	for a := range lazy.Rank {
		r.Min[a], r.Max[a] = r.Min[a]/factor[a], (r.Max[a]+factor[a]-1)/factor[a]
	}
	return r
}

// reduceInto is Reduce into a block of all that b covers.
func reduceInto(out, b *lazy.Block, factor lazy.Shape, labels bool) {
	switch b.DType {
	case lazy.U8:
		reduce(out, b, factor, row[uint8](labels, narrowMean[uint8]))
	case lazy.I8:
		reduce(out, b, factor, row[int8](labels, narrowMean[int8]))
	case lazy.U16:
		reduce(out, b, factor, row[uint16](labels, narrowMean[uint16]))
	case lazy.I16:
		reduce(out, b, factor, row[int16](labels, narrowMean[int16]))
	case lazy.U32:
		reduce(out, b, factor, row[uint32](labels, narrowMean[uint32]))
	case lazy.I32:
		reduce(out, b, factor, row[int32](labels, narrowMean[int32]))
	case lazy.U64:
		reduce(out, b, factor, row[uint64](labels, wideMean[uint64]))
	case lazy.I64:
		reduce(out, b, factor, row[int64](labels, wideMean[int64]))
	case lazy.F32:
		reduce(out, b, factor, row[float32](labels, realMean[float32]()))
	case lazy.F64:
		reduce(out, b, factor, row[float64](labels, realMean[float64]()))
	}
}

// A reducer makes one row of rows that lie in the same place of the finer level. Along X it takes step voxels of
// each, at the end of a row as many as there are.
type reducer[E lazy.Number] func(dst []E, rows [][]E, step int)

func row[E lazy.Number](labels bool, mean reducer[E]) reducer[E] {
	if labels {
		return mode[E]
	}
	return mean
}

func reduce[E lazy.Number](out, b *lazy.Block, factor lazy.Shape, one reducer[E]) {
	dst, src := lazy.View[E](out), lazy.View[E](b)
	width, length := out.Region.Len(lazy.X), b.Region.Len(lazy.X)
	rows := make([][]E, 0, 8)
	line := out.Region
	line.Min[lazy.X], line.Max[lazy.X] = 0, 1
	for to := range line.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		var from lazy.Region
		for a := range lazy.Axis(lazy.X) {
			from.Min[a], from.Max[a] = to.Min[a]*factor[a], (to.Min[a]+1)*factor[a]
		}
		from.Min[lazy.X], from.Max[lazy.X] = b.Region.Min[lazy.X], b.Region.Min[lazy.X]+1
		rows = rows[:0]
		for at := range from.Intersect(b.Region).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
			rows = append(rows, src[b.Offset(at.Min):][:length])
		}
		to.Min[lazy.X] = out.Region.Min[lazy.X]
		one(dst[out.Offset(to.Min):][:width], rows, factor[lazy.X])
	}
}

// strip is how many voxels are summed side by side.
const strip = 64

// narrowMean sums in 64 bits, which integers of up to 32 do not fill.
func narrowMean[E uint8 | int8 | uint16 | int16 | uint32 | int32](dst []E, rows [][]E, step int) {
	var sums [strip]int64
	for at := 0; at < len(dst); at += strip {
		part := dst[at:min(at+strip, len(dst))]
		sum := sums[:len(part)]
		clear(sum)
		for _, r := range rows {
			r = r[at*step : min((at+len(part))*step, len(r))]
			if step == 1 {
				for i, v := range r {
					sum[i] += int64(v)
				}
				continue
			}
			for i := range len(r) / 2 {
				sum[i] += int64(r[2*i]) + int64(r[2*i+1])
			}
			if len(r)%2 == 1 {
				sum[len(sum)-1] += int64(r[len(r)-1])
			}
		}
		for i, v := range sum {
			part[i] = E(rounded(v, len(rows)*(min((at+i+1)*step, len(rows[0]))-(at+i)*step)))
		}
	}
}

// rounded is sum / n, n a power of two, rounded to nearest, halves away from zero.
func rounded(sum int64, n int) int64 {
	shift := bits.TrailingZeros(uint(n))
	half := int64(n) >> 1
	if sum < 0 {
		return -((-sum + half) >> shift)
	}
	return (sum + half) >> shift
}

// wideMean sums what n goes into each value, and what is left of it, apart: neither can overflow.
func wideMean[E uint64 | int64](dst []E, rows [][]E, step int) {
	for i := range dst {
		first, last := i*step, min((i+1)*step, len(rows[0]))
		n := len(rows) * (last - first)
		shift := bits.TrailingZeros(uint(n))
		var whole, left E
		for _, r := range rows {
			for _, v := range r[first:last] {
				whole += v >> shift
				left += v & E(n-1)
			}
		}
		whole += left >> shift
		if left = 2 * (left & E(n-1)); left > E(n) || left == E(n) && n > 1 && whole >= 0 {
			whole++
		}
		dst[i] = whole
	}
}

// realMean sums without looking for what is no number, and does again what it finds in the sum. The sums are made once: for
// each row they would cost more than the adding.
func realMean[E float32 | float64]() reducer[E] {
	sums := make([]float64, strip)
	return func(dst []E, rows [][]E, step int) {
		whole := len(rows[0]) / step        // beyond them is the one voxel that ends a row of odd length
		part := 1 / float64(len(rows)*step) // a power of two, so that to multiply by it rounds like a division
		for at := 0; at < whole; at += strip {
			out := dst[at:min(at+strip, whole)]
			sum := sums[:len(out)]
			clear(sum)
			for _, r := range rows {
				addRow(sum, r[at*step:(at+len(out))*step], step)
			}
			for i, v := range sum {
				if v != v {
					out[i] = meanOfNumbers(rows, (at+i)*step, (at+i+1)*step)
					continue
				}
				out[i] = E(v * part)
			}
		}
		if whole < len(dst) {
			dst[whole] = meanOfNumbers(rows, whole*step, len(rows[0]))
		}
	}
}

// addRow adds to each sum its one or two values of a row.
func addRow[E float32 | float64](sum []float64, r []E, step int) {
	if step == 1 {
		for i, v := range r {
			sum[i] += float64(v)
		}
		return
	}
	done := 0
	if f, ok := any(r).([]float32); ok {
		done = addPairs(sum, f)
	}
	for i := done; i < len(sum); i++ {
		sum[i] += float64(r[2*i]) + float64(r[2*i+1])
	}
}

// addPairs adds pairs of values with the processor's vectors, where it has them, and gives how many sums it added to.
var addPairs = func(sum []float64, r []float32) int { return 0 }

// meanOfNumbers leaves out what is not a number; of none it is not a number.
func meanOfNumbers[E float32 | float64](rows [][]E, first, last int) E {
	sum, n := 0.0, 0
	for _, r := range rows {
		for _, v := range r[first:last] {
			if v == v {
				sum += float64(v)
				n++
			}
		}
	}
	return E(sum / float64(n))
}

func mode[E lazy.Number](dst []E, rows [][]E, step int) {
	var seen [8]E
	for i := range dst {
		n := 0
		for _, r := range rows {
			n += copy(seen[n:], r[i*step:min((i+1)*step, len(r))])
		}
		best := 0
		for k, v := range seen[:n] {
			count := 0
			for _, w := range seen[k:n] {
				if v == w {
					count++
				}
			}
			if count > best {
				best, dst[i] = count, v
			}
		}
		if best == 0 {
			dst[i] = seen[0] // none of them is a number
		}
	}
}
