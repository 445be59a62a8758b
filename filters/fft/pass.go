package fft

import "unsafe"

// Lanes is how many lines are transformed side by side.
const Lanes = 16

// A pass is what a loop goes over: rows of Lanes floats of the two parts of complex values.
type pass struct {
	srcRe, srcIm, dstRe, dstIm []float32
	in, out                    []int // where the row of each place begins
	m                          int
	turns                      []float32
	lane                       int // the first lane of a loop of fewer lanes
}

// pointers are the slices for loops that check no bounds. The tables of a pass are right by construction: tests run
// the plain loops, which check, over all that there are.
func (p *pass) pointers() (srcRe, srcIm, dstRe, dstIm unsafe.Pointer) {
	return unsafe.Pointer(&p.srcRe[p.lane]), unsafe.Pointer(&p.srcIm[p.lane]), unsafe.Pointer(&p.dstRe[p.lane]), unsafe.Pointer(&p.dstIm[p.lane])
}

// kernels are the loops.
type kernels struct {
	first, stage     [6]func(*pass) // by radix; those named first have no twiddles
	split, merge     func(*pass)
	times, timesConj func(*pass)
	gather           func(even, odd []float32, step int, rows []float32, pitch, n int)
	scatter          func(rows []float32, pitch int, even, odd []float32, step, n int)
	lanes            int // that a loop goes over at once
}

// loops are those that run. A file for one processor may put faster ones in.
var loops = plain

var plain = kernels{
	first: [6]func(*pass){1: first1, 2: first2, 3: first3, 4: first4, 5: first5},
	stage: [6]func(*pass){2: stage2, 3: stage3, 4: stage4, 5: stage5},
	split: split, merge: merge, times: times, timesConj: timesConj,
	gather: gather, scatter: scatter, lanes: Lanes,
}

// run does a pass on all lanes.
func (k *kernels) run(loop func(*pass), p *pass) {
	for p.lane = 0; p.lane < Lanes; p.lane += k.lanes {
		loop(p)
	}
}

// first1 is the transform of one value.
func first1(p *pass) {
	for k, i := range p.in {
		o := p.out[k]
		copy(p.dstRe[o+p.lane:o+Lanes], p.srcRe[i+p.lane:i+Lanes])
		copy(p.dstIm[o+p.lane:o+Lanes], p.srcIm[i+p.lane:i+Lanes])
	}
}

// transform does a line's stages: from rows of src, in the order of the line's own table, over the buffer, to rows of
// dst. identity is where the rows of the buffer begin.
func (l *line) transform(k *kernels, p pass, buffer *buffer, identity []int) {
	last := len(l.stages) - 1
	src, dst := p, p
	for i, s := range l.stages {
		p.m, p.turns = s.m, s.turns
		p.srcRe, p.srcIm, p.in = buffer.re, buffer.im, identity[:l.n]
		p.dstRe, p.dstIm, p.out = buffer.re, buffer.im, identity[:l.n]
		if i == 0 {
			p.srcRe, p.srcIm, p.in = src.srcRe, src.srcIm, src.in
		}
		if i == last {
			p.dstRe, p.dstIm, p.out = dst.dstRe, dst.dstIm, dst.out
		}
		if i == 0 {
			k.run(k.first[s.radix], &p)
		} else {
			k.run(k.stage[s.radix], &p)
		}
	}
}

// A buffer holds the rows of a bundle of lines.
type buffer struct{ re, im []float32 }

func newBuffer(rows int) buffer {
	return buffer{make([]float32, rows*Lanes), make([]float32, rows*Lanes)}
}
