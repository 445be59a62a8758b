package codec

import (
	"fmt"
	"math"
)

// Decode fills dst with the components of each pixel side by side, row by row; it has to measure
// Width x Height x Components.
func (j *JPEG2000) Decode(dst []uint16) error {
	if len(dst) != j.Width*j.Height*j.Components {
		return fmt.Errorf("codec: jpeg 2000: room for %d samples of %d x %d pixels of %d components", len(dst), j.Width, j.Height, j.Components)
	}
	parts, err := j.parts()
	tiles := ceilDiv(j.x1-j.tx, j.tw) * ceilDiv(j.y1-j.ty, j.th)
	if err == nil && len(parts) != tiles {
		err = fmt.Errorf("%d of %d tiles: %w", len(parts), tiles, ErrCorrupt)
	}
	for n := 0; n < tiles && err == nil; n++ {
		if parts[n] == nil {
			err = fmt.Errorf("tile %d is missing: %w", n, ErrCorrupt)
		} else if err = parts[n].decodeTile(dst, n, parts[n].packets); err != nil {
			err = fmt.Errorf("tile %d: %w", n, err)
		}
	}
	if err != nil {
		return fmt.Errorf("codec: jpeg 2000: %w", err)
	}
	return nil
}

func (j *JPEG2000) decodeTile(dst []uint16, n int, body []byte) error {
	t, err := j.tile(n)
	if err != nil {
		return err
	}
	t.body = body
	if err := j.readPackets(t); err != nil {
		return err
	}
	w, h := t.x1-t.x0, t.y1-t.y0
	planes := make([][]float32, j.Components)
	var d blockDecoder
	for c := range planes {
		if planes[c], err = j.component(t, c, &d); err != nil {
			return fmt.Errorf("component %d: %w", c, err)
		}
	}
	if j.mix {
		j.unmix(planes)
	}
	shift, least, most := 0.0, -float64(int(1)<<(j.Bits-1)), float64(int(1)<<(j.Bits-1)-1)
	if !j.Signed {
		shift, least, most = -least, 0, float64(int(1)<<j.Bits-1)
	}
	for c, p := range planes {
		for y := range h {
			at := ((t.y0-j.y0+y)*j.Width+t.x0-j.x0)*j.Components + c
			for x, v := range p[y*w : (y+1)*w] {
				dst[at+x*j.Components] = uint16(int32(max(least, min(most, math.RoundToEven(float64(v))+shift))))
			}
		}
	}
	return nil
}

func floor(v float64) float64 {
	f := float64(int64(v))
	if f > v {
		f--
	}
	return f
}

// unmix turns the first three components back into red, green and blue (T.800, annex G).
func (j *JPEG2000) unmix(p [][]float32) {
	if j.coding[0].reversible {
		for i, y := range p[0] {
			b, r := p[1][i], p[2][i]
			g := y - float32(floor(float64(b+r)/4))
			p[0][i], p[1][i], p[2][i] = r+g, g, b+g
		}
		return
	}
	for i, y := range p[0] {
		b, r := p[1][i], p[2][i]
		p[0][i] = y + float32(1.402*r)
		p[1][i] = y - float32(0.34413*b) - float32(0.71414*r)
		p[2][i] = y + float32(1.772*b)
	}
}

// component decodes the blocks of a tile's component and undoes the wavelet transform.
func (j *JPEG2000) component(t *j2kTile, c int, d *blockDecoder) ([]float32, error) {
	k := j.coding[c]
	var low []float32
	for r := range t.comps[c] {
		res := &t.comps[c][r]
		w, h := res.x1-res.x0, res.y1-res.y0
		out := make([]float32, w*h)
		if r > 0 {
			below := &t.comps[c][r-1]
			spreadBand(out, w, res, bandLL, below.x0, below.y0, below.x1, below.y1, low)
		}
		for b := range res.bands {
			band := &res.bands[b]
			bw := band.x1 - band.x0
			values := make([]float32, max(0, bw*(band.y1-band.y0)))
			for m := range band.precincts {
				for i := range band.precincts[m].blocks {
					block := &band.precincts[m].blocks[i]
					if block.passes == 0 {
						continue
					}
					planes := band.planes - block.planes
					if planes < 1 {
						return nil, fmt.Errorf("a block of %d bit planes: %w", planes, ErrCorrupt)
					}
					bx, by := block.x1-block.x0, block.y1-block.y0
					got, err := d.decode(block.data, bx, by, band.kind, planes, block.passes, k.style)
					if err != nil {
						return nil, err
					}
					for y := range by {
						to := values[(block.y0-band.y0+y)*bw+block.x0-band.x0:][:bx]
						from := (y+1)*(bx+2) + 1
						for x := range to {
							v := float32(got[from+x]) * float32(band.step/2)
							if k.reversible {
								v = float32(got[from+x] >> 1)
							}
							if d.flags[from+x]&negative != 0 {
								v = -v
							}
							to[x] = v
						}
					}
				}
			}
			if r == 0 {
				copy(out, values)
			} else {
				spreadBand(out, w, res, band.kind, band.x0, band.y0, band.x1, band.y1, values)
			}
		}
		if r > 0 {
			inverseWave(out, w, h, res.x0, res.y0, k.reversible)
		}
		low = out
	}
	return low, nil
}

// spreadBand puts the coefficients of a band at every second place of a resolution (F.3.3).
func spreadBand(out []float32, w int, res *j2kResolution, kind, x0, y0, x1, y1 int, values []float32) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			out[(2*y+kind>>1-res.y0)*w+2*x+kind&1-res.x0] = values[(y-y0)*(x1-x0)+x-x0]
		}
	}
}

// inverseWave undoes one level of the transform: rows, then columns.
func inverseWave(p []float32, w, h, x0, y0 int, reversible bool) {
	if w < 1 || h < 1 {
		return
	}
	line := make([]float32, max(w, h)+8)
	for y := range h {
		inverseLine(p[y*w:(y+1)*w], 1, w, x0&1, line, reversible)
	}
	for x := range w {
		inverseLine(p[x:], w, h, y0&1, line, reversible)
	}
}

// inverseLine undoes the transform of n values, step apart, of which the first is odd or even (F.3.6 to
// F.3.8). The line goes on beyond its ends as its mirror image.
func inverseLine(p []float32, step, n, odd int, line []float32, reversible bool) {
	if n == 1 {
		if odd == 1 {
			p[0] = float32(floorIf(float64(p[0])/2, reversible))
		}
		return
	}
	const e = 4
	v := line[:n+2*e]
	for i := range n {
		v[e+i] = p[i*step]
	}
	mirror := func() {
		for i := 1; i <= e; i++ {
			a, b := i%(2*(n-1)), (n-1-i)%(2*(n-1))
			if a > n-1 {
				a = 2*(n-1) - a
			}
			if b < 0 {
				b += 2 * (n - 1)
			}
			if b > n-1 {
				b = 2*(n-1) - b
			}
			v[e-i], v[e+n-1+i] = v[e+a], v[e+b]
		}
	}
	mirror()
	// Index i of v is even in the picture when i - e + odd is.
	first := func(parity, from int) int {
		for (from-e+odd)&1 != parity {
			from++
		}
		return from
	}
	if reversible {
		for i := first(0, e-1); i < e+n+1; i += 2 {
			v[i] -= float32(floor(float64(v[i-1]+v[i+1]+2) / 4))
		}
		for i := first(1, e); i < e+n; i += 2 {
			v[i] += float32(floor(float64(v[i-1]+v[i+1]) / 2))
		}
	} else {
		// The constants have as many digits as OpenJPEG gives them, so that roundings are the same.
		const even, uneven float32 = 1.230174105, 1.625732422 / 2
		for i := range v {
			if (i-e+odd)&1 == 0 {
				v[i] *= even
			} else {
				v[i] *= uneven
			}
		}
		lift := func(parity, margin int, by float32) {
			for i := first(parity, e-margin); i < e+n+margin; i += 2 {
				more := float32((v[i-1] + v[i+1]) * by) // rounded before it is added
				v[i] += more
			}
		}
		lift(0, 3, -0.443506852)
		lift(1, 2, -0.882911075)
		lift(0, 1, 0.052980118)
		lift(1, 0, 1.586134342)
	}
	for i := range n {
		p[i*step] = v[e+i]
	}
}

func floorIf(v float64, whole bool) float64 {
	if whole {
		return floor(v)
	}
	return v
}
