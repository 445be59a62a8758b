package sample

import "lamella/lazy"

// ones is a volume of ones.
func ones(name string, w words) lazy.Source {
	return newComputed(name, w, map[lazy.DType]rowFunc{
		lazy.U8: onesRow[uint8], lazy.I8: onesRow[int8], lazy.U16: onesRow[uint16], lazy.I16: onesRow[int16],
		lazy.U32: onesRow[uint32], lazy.I32: onesRow[int32], lazy.U64: onesRow[uint64], lazy.I64: onesRow[int64],
		lazy.F32: onesRow[float32], lazy.F64: onesRow[float64],
	}[w.meta.DType])
}

func onesRow[E lazy.Number](b *lazy.Block, at lazy.Index) {
	row := rowOf[E](b, at)
	for i := range row {
		row[i] = 1
	}
}

// slow is a ramp, the sum of a voxel's indices modulo 100, behind a wait.
func slow(name string, w words) lazy.Source {
	return newComputed(name, w, map[lazy.DType]rowFunc{
		lazy.U8: rampRow[uint8], lazy.I8: rampRow[int8], lazy.U16: rampRow[uint16], lazy.I16: rampRow[int16],
		lazy.U32: rampRow[uint32], lazy.I32: rampRow[int32], lazy.U64: rampRow[uint64], lazy.I64: rampRow[int64],
		lazy.F32: rampRow[float32], lazy.F64: rampRow[float64],
	}[w.meta.DType])
}

func rampRow[E lazy.Number](b *lazy.Block, at lazy.Index) {
	row := rowOf[E](b, at)
	base := at[lazy.T] + at[lazy.Z] + at[lazy.C] + at[lazy.Y] + at[lazy.X]
	for i := range row {
		row[i] = E((base + i) % 100)
	}
}

// random is a volume whose voxels are spread evenly over their type; real ones over [0, 1).
func random(name string, w words) lazy.Source {
	s := w.seed
	return newComputed(name, w, map[lazy.DType]rowFunc{
		lazy.U8: hashRow[uint8](s), lazy.I8: hashRow[int8](s), lazy.U16: hashRow[uint16](s), lazy.I16: hashRow[int16](s),
		lazy.U32: hashRow[uint32](s), lazy.I32: hashRow[int32](s), lazy.U64: hashRow[uint64](s), lazy.I64: hashRow[int64](s),
		lazy.F32: unitRow[float32](s, 24), lazy.F64: unitRow[float64](s, 53),
	}[w.meta.DType])
}

// hashRow makes integers of all the values of their type.
//
//go:noinline
func hashRow[E uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64](seed uint64) rowFunc {
	return func(b *lazy.Block, at lazy.Index) {
		row, h := rowOf[E](b, at), rowHash(seed, at)
		for i := range row {
			row[i] = E(mix(h + uint64(at[lazy.X]+i)))
		}
	}
}

// unitRow makes real numbers of bits random bits, as many as the type holds exactly.
//
//go:noinline
func unitRow[E float32 | float64](seed uint64, bits int) rowFunc {
	scale, spare := 1/E(uint64(1)<<bits), uint(64-bits)&63
	return func(b *lazy.Block, at lazy.Index) {
		row, h := rowOf[E](b, at), rowHash(seed, at)+uint64(at[lazy.X])
		for i := range row {
			row[i] = E(int64(mix(h+uint64(i))>>spare)) * scale // signed numbers become real ones in one instruction
		}
	}
}

// rowHash is the part of a voxel's hash that its whole row shares.
func rowHash(seed uint64, at lazy.Index) uint64 {
	return hash(seed, at[lazy.T], at[lazy.Z], at[lazy.C], at[lazy.Y])
}
