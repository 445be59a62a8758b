package sample

import "lamella/lazy"

// Blobs stand one in each cell of a lattice, at a random place in it, so that a row finds the few
// that touch it without a list of all.
const (
	blobLattice = 24 // voxels
	blobReach   = 12 // largest radius, in voxels
)

// blobs is a field of soft round spots on a noisy background, as numbers of 12 bits, or of 7 in a
// type of 8 bits.
func blobs(name string, w words) lazy.Source {
	s := w.seed
	return newComputed(name, w, map[lazy.DType]rowFunc{
		lazy.U8: blobRow[uint8](s, 1./32), lazy.I8: blobRow[int8](s, 1./32), lazy.U16: blobRow[uint16](s, 1), lazy.I16: blobRow[int16](s, 1),
		lazy.U32: blobRow[uint32](s, 1), lazy.I32: blobRow[int32](s, 1), lazy.U64: blobRow[uint64](s, 1), lazy.I64: blobRow[int64](s, 1),
		lazy.F32: blobRow[float32](s, 1), lazy.F64: blobRow[float64](s, 1),
	}[w.meta.DType])
}

// blobRow, like the other makers of rows, is not inlined: within the table of all types the compiler would leave the calls in
// its loop as they are.
//
//go:noinline
func blobRow[E lazy.Number](seed uint64, gain float32) rowFunc {
	return func(b *lazy.Block, at lazy.Index) {
		row := rowOf[E](b, at)
		var some [512]float32 // rows of usual chunks leave no garbage
		signal := some[:min(len(row), len(some))]
		if len(row) > len(some) {
			signal = make([]float32, len(row))
		}
		addBlobs(signal, seed, at)
		noise := rowHash(^seed, at)
		for i, s := range signal {
			v := 140 + s + 12*bell(mix(noise+uint64(at[lazy.X]+i)))
			row[i] = E(max(0, min(4095, v)) * gain)
		}
	}
}

// addBlobs adds to the row from at on what each blob near it has there: amplitude times
// (1 - d²/radius²)², which is 0 from the radius on.
func addBlobs(row []float32, seed uint64, at lazy.Index) {
	z, y, x0 := at[lazy.Z], at[lazy.Y], at[lazy.X]
	volume := hash(seed, at[lazy.T], at[lazy.C])
	for cz := latticeCell(z - blobReach); cz <= latticeCell(z+blobReach); cz++ {
		for cy := latticeCell(y - blobReach); cy <= latticeCell(y+blobReach); cy++ {
			line := hash(volume, cz, cy)
			for cx := latticeCell(x0 - blobReach); cx <= latticeCell(x0+len(row)-1+blobReach); cx++ {
				h := mix(line ^ uint64(cx))
				dz := float32(z-cz*blobLattice) - unit(h)*blobLattice
				dy := float32(y-cy*blobLattice) - unit(h<<16)*blobLattice
				center := float32(cx*blobLattice-x0) + unit(h<<32)*blobLattice
				radius := 4 + (blobReach-4)*unit(h<<48)
				inside := radius*radius - dz*dz - dy*dy
				if inside <= 0 {
					continue
				}
				amplitude := 300 + 3000*unit(mix(h))
				from := max(0, int(center-radius))
				to := min(len(row), int(center+radius)+2)
				for i := from; i < to; i++ {
					dx := float32(i) - center
					if in := inside - dx*dx; in > 0 {
						in /= radius * radius
						row[i] += amplitude * in * in
					}
				}
			}
		}
	}
}

func latticeCell(i int) int {
	if i < 0 {
		i -= blobLattice - 1
	}
	return i / blobLattice
}
