package codec

// The inverse DCT is that of Loeffler, Ligtenberg and Moschytz (Practical fast 1-D DCT algorithms with
// 11 multiplications, ICASSP 1989), columns first, in integers with 13 bits of fraction for the
// factors and 2 more bits kept between the passes. Where it rounds decides the last bit of a sample,
// so these are the places where the Independent JPEG Group's library rounds.
const (
	dctBits = 13
	dctKeep = 2

	// Sums and differences of sqrt(2)*cos(k*pi/16), times 2^13.
	f0298 = 2446
	f0390 = 3196
	f0541 = 4433
	f0765 = 6270
	f0899 = 7373
	f1175 = 9633
	f1501 = 12299
	f1847 = 15137
	f1961 = 16069
	f2053 = 16819
	f2562 = 20995
	f3072 = 25172
)

// inverse writes the 8 x 8 samples of a block to dst. last is the last place in zigzag order that is
// not 0.
func inverse(dst []byte, stride int, b *[64]int32, last int) {
	if last == 0 {
		v := sample8(int(b[0]<<dctKeep+1<<(dctKeep+2)) >> (dctKeep + 3))
		for y := range 8 {
			row := dst[y*stride:][:8]
			for x := range row {
				row[x] = v
			}
		}
		return
	}
	for x := range 8 {
		c := b[x:]
		if c[8]|c[16]|c[24]|c[32]|c[40]|c[48]|c[56] == 0 {
			v := c[0] << dctKeep
			c[0], c[8], c[16], c[24], c[32], c[40], c[48], c[56] = v, v, v, v, v, v, v, v
			continue
		}
		o := inverse8([8]int{int(c[0]), int(c[8]), int(c[16]), int(c[24]), int(c[32]), int(c[40]), int(c[48]), int(c[56])})
		for i, v := range o {
			c[8*i] = int32((v + 1<<(dctBits-dctKeep-1)) >> (dctBits - dctKeep))
		}
	}
	for y := range 8 {
		r := b[8*y:][:8]
		o := inverse8([8]int{int(r[0]), int(r[1]), int(r[2]), int(r[3]), int(r[4]), int(r[5]), int(r[6]), int(r[7])})
		row := dst[y*stride:][:8]
		for i, v := range o {
			row[i] = sample8((v + 1<<(dctBits+dctKeep+2)) >> (dctBits + dctKeep + 3))
		}
	}
}

// inverse8 is the transform of one row or column, with dctBits bits of fraction.
func inverse8(in [8]int) [8]int {
	// The even frequencies: a butterfly on 0 and 4, a rotation of 2 and 6.
	turn := (in[2] + in[6]) * f0541
	low, high := turn+in[2]*f0765, turn-in[6]*f1847
	sum, diff := (in[0]+in[4])<<dctBits, (in[0]-in[4])<<dctBits
	e0, e3 := sum+low, sum-low
	e1, e2 := diff+high, diff-high

	// The odd ones: three rotations that share factors.
	both := (in[7] + in[3] + in[5] + in[1]) * f1175
	a, b := -(in[7]+in[1])*f0899, -(in[5]+in[3])*f2562
	c, d := both-(in[7]+in[3])*f1961, both-(in[5]+in[1])*f0390
	o0 := in[1]*f1501 + a + d
	o1 := in[3]*f3072 + b + c
	o2 := in[5]*f2053 + b + d
	o3 := in[7]*f0298 + a + c
	return [8]int{e0 + o0, e1 + o1, e2 + o2, e3 + o3, e3 - o3, e2 - o2, e1 - o1, e0 - o0}
}

// sample8 moves a value to the middle of the range of a byte, and cuts it there.
func sample8(v int) byte { return byte(max(0, min(255, v+128))) }
