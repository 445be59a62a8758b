package fft

import "math"

// Good is the least length, n or more, that has no prime factors but 2, 3 and 5: what a Grid can be made of.
func Good(n int) int {
	for n = max(1, n); !good(n); n++ {
	}
	return n
}

// GoodReal is Good for the axis along x, whose length is even.
func GoodReal(n int) int { return 2 * Good((max(2, n)+1)/2) }

func good(n int) bool {
	for _, p := range []int{2, 3, 5} {
		for n%p == 0 {
			n /= p
		}
	}
	return n == 1
}

// A line is the plan of a complex transform of n values.
type line struct {
	n      int
	from   []int // at each place of the first stage, the index of the value that it takes
	stages []stage
}

// A stage makes transforms of radix·m values out of radix transforms of m values.
type stage struct {
	radix, m int
	turns    []float32 // for each of the m places the radix-1 twiddles, real and imaginary parts
}

func newLine(n int) line {
	l := line{n: n, from: []int{0}}
	m := 1
	for _, r := range factors(n) {
		s := stage{radix: r, m: m}
		if m > 1 {
			for j := range m {
				for q := 1; q < r; q++ {
					s.turns = append(s.turns, turn(q*j, r*m)...)
				}
			}
		}
		l.stages = append(l.stages, s)
		m *= r
	}
	// The transforms of m values that a stage joins are those of every radix-th value, from its own on.
	for _, s := range l.stages {
		next := make([]int, 0, len(l.from)*s.radix)
		for q := range s.radix {
			for _, i := range l.from {
				next = append(next, i*s.radix+q)
			}
		}
		l.from = next
	}
	return l
}

// turn is e^(-2πi k/n).
func turn(k, n int) []float32 {
	s, c := math.Sincos(-2 * math.Pi * float64(k%n) / float64(n))
	return []float32{float32(c), float32(s)}
}

// factors are radices in the order of the stages: 4 first, which needs the fewest operations.
func factors(n int) []int {
	var f []int
	for _, r := range []int{4, 2, 3, 5} {
		for n%r == 0 {
			f = append(f, r)
			n /= r
		}
	}
	if f == nil {
		f = []int{1}
	}
	return f
}
