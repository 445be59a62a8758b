package lazy

import "math"

// Convert is v in type E: floats keep it as well as they can; integers are rounded to nearest, halves
// away from zero, and clamped to the range of E; NaN becomes 0.
func Convert[E Number](v float64) E {
	d := TypeOf[E]()
	if d.Float() {
		return E(v)
	}
	if v != v {
		return 0
	}
	lo, hi := d.Range()
	v = math.Round(v)
	if v <= lo {
		return minOf[E](d)
	}
	if v >= hi {
		return maxOf[E](d)
	}
	return E(v)
}

// minOf and maxOf are exact where a float64 is not: the ends of 64-bit integers.
func minOf[E Number](d DType) E {
	if d == I64 {
		n := int64(math.MinInt64)
		return E(n)
	}
	lo, _ := d.Range()
	return E(lo)
}

func maxOf[E Number](d DType) E {
	switch d {
	case U64:
		n := uint64(math.MaxUint64)
		return E(n)
	case I64:
		n := int64(math.MaxInt64)
		return E(n)
	}
	_, hi := d.Range()
	return E(hi)
}
