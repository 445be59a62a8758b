package movie

import (
	"cmp"
	"image"
	"slices"
)

// A bin is the pixels of a frame whose colours share their leading five bits.
type bin struct {
	at    [3]uint8 // those bits
	sum   [3]int
	count int
}

// quantized finds at most 256 colours for a frame by the median cut (Heckbert 1982) and gives each pixel the
// number of its own. A frame of no more colours than that keeps them exactly.
func quantized(frame *image.RGBA) (colors [][3]byte, pixels []byte) {
	n := frame.Rect.Dx() * frame.Rect.Dy()
	pixels = make([]byte, n)
	exact := map[[3]byte]byte{}
	for i := range n {
		c := [3]byte(frame.Pix[4*i:])
		k, ok := exact[c]
		if !ok {
			if len(exact) == 256 {
				return cut(frame, pixels)
			}
			k = byte(len(exact))
			exact[c] = k
			colors = append(colors, c)
		}
		pixels[i] = k
	}
	return colors, pixels
}

// cut divides the bins in halves of equal count until there are 256 groups, the longest side of the fullest first.
func cut(frame *image.RGBA, pixels []byte) ([][3]byte, []byte) {
	var all [1 << 15]bin
	place := func(p []byte) int { return int(p[0]>>3)<<10 | int(p[1]>>3)<<5 | int(p[2]>>3) }
	for i := range pixels {
		p := frame.Pix[4*i : 4*i+3]
		b := &all[place(p)]
		b.count++
		for k := range 3 {
			b.at[k] = p[k] >> 3
			b.sum[k] += int(p[k])
		}
	}
	var used []bin
	for _, b := range all {
		if b.count > 0 {
			used = append(used, b)
		}
	}
	groups := [][]bin{used}
	for len(groups) < 256 {
		best, side, most := -1, 0, 0
		for i, g := range groups {
			if k, long := longest(g); long > 0 && long*weight(g) > most {
				best, side, most = i, k, long*weight(g)
			}
		}
		if best < 0 {
			break
		}
		a, b := halves(groups[best], side)
		groups[best] = a
		groups = append(groups, b)
	}
	var number [1 << 15]byte
	colors := make([][3]byte, len(groups))
	for i, g := range groups {
		var sum [3]int
		n := 0
		for _, b := range g {
			n += b.count
			for k := range 3 {
				sum[k] += b.sum[k]
			}
			number[int(b.at[0])<<10|int(b.at[1])<<5|int(b.at[2])] = byte(i)
		}
		for k := range 3 {
			colors[i][k] = byte((sum[k] + n/2) / n)
		}
	}
	for i := range pixels {
		pixels[i] = number[place(frame.Pix[4*i:4*i+3])]
	}
	return colors, pixels
}

// longest is the part of the colour in which a group differs most, and by how much.
func longest(g []bin) (side, long int) {
	for k := range 3 {
		lo, hi := g[0].at[k], g[0].at[k]
		for _, b := range g {
			lo, hi = min(lo, b.at[k]), max(hi, b.at[k])
		}
		if d := int(hi - lo); d > long {
			side, long = k, d
		}
	}
	return side, long
}

func weight(g []bin) (n int) {
	for _, b := range g {
		n += b.count
	}
	return n
}

// halves divides a group where half of its pixels lie on each side; neither half is empty.
func halves(g []bin, side int) (a, b []bin) {
	slices.SortStableFunc(g, func(a, b bin) int { return cmp.Compare(a.at[side], b.at[side]) })
	half, n, at := weight(g)/2, 0, 0
	for at < len(g)-1 && n+g[at].count <= half {
		n += g[at].count
		at++
	}
	at = max(1, min(len(g)-1, at))
	return g[:at], g[at:]
}
