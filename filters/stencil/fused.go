package stencil

import "math"

// The loops that do at once what would take several. Their steps and the order of their steps are those
// of the loops that they stand for.

func sumDivide[E scalar](dst, a, b, c []E, by E) {
	sum3(dst, a, b, c)
	divide(dst, dst, by)
}

func sumFloorDiv[E scalar](dst, a, b, c []E, by E) {
	sum3(dst, a, b, c)
	floorDivBy(dst, dst, by)
}

func sumRoundDiv[E scalar](dst, a, b, c []E, by E) {
	sum3(dst, a, b, c)
	roundDivBy(dst, dst, by)
}

func boxDivide[E scalar](dst, a, b, c []E, by E) {
	n := len(dst)
	a, b, c = a[:n+2], b[:n+2], c[:n+2]
	for i := range dst {
		dst[i] = (a[i] + a[i+1] + a[i+2] + b[i] + b[i+1] + b[i+2] + c[i] + c[i+1] + c[i+2]) / by
	}
}

func columnsDivide[E scalar](dst, a, b, c []E, by E) {
	n := len(dst)
	a, b, c = a[:n+2], b[:n+2], c[:n+2]
	column := func(i int) E { return a[i] + b[i] + c[i] }
	for i := range dst {
		dst[i] = (column(i) + column(i+1) + column(i+2)) / by
	}
}

func edge2[E scalar](dst, a, b, c []E) {
	n := len(dst)
	a, b, c = a[:n+2], b[:n+2], c[:n+2]
	smooth := func(i int) E { return a[i] + E(2*b[i]) + c[i] }
	for i := range dst {
		y, x := (c[i]-a[i])+E(2*(c[i+1]-a[i+1]))+(c[i+2]-a[i+2]), smooth(i+2)-smooth(i)
		dst[i] = E(math.Sqrt(float64(E(y*y) + E(x*x))))
	}
}

func slope2[E scalar](dst, a, b []E) {
	n := len(dst)
	a, b = a[:n+2], b[:n+2]
	for i := range dst {
		y, x := a[i]+E(2*a[i+1])+a[i+2], b[i+2]-b[i]
		dst[i] = E(math.Sqrt(float64(E(y*y) + E(x*x))))
	}
}

func slope3[E scalar](dst, a, b, c []E) {
	n := len(dst)
	a, b, c = a[:n+2], b[:n+2], c[:n+2]
	for i := range dst {
		z, y, x := a[i]+E(2*a[i+1])+a[i+2], b[i]+E(2*b[i+1])+b[i+2], c[i+2]-c[i]
		dst[i] = E(math.Sqrt(float64(E(z*z) + E(y*y) + E(x*x))))
	}
}
