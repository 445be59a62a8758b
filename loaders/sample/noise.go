package sample

// A cloud is value noise: random numbers on a lattice with smooth steps between them. Its values
// lie in [0, 1) and change over about size µm.
type cloud struct {
	seed uint64
	size float32
}

// row fills dst with the values from voxel x0 on, at z and y in µm.
func (c cloud) row(dst []float32, z, y float32, x0 int) {
	kz, fz := lattice(z / c.size)
	ky, fy := lattice(y / c.size)
	lines := [4]uint64{hash(c.seed, kz, ky), hash(c.seed, kz, ky+1), hash(c.seed, kz+1, ky), hash(c.seed, kz+1, ky+1)}
	weights := [4]float32{(1 - fz) * (1 - fy), (1 - fz) * fy, fz * (1 - fy), fz * fy}
	point := func(k int) float32 {
		sum := float32(0)
		for i, line := range lines {
			sum += weights[i] * unit(mix(line^uint64(k)))
		}
		return sum
	}
	step := stepXY / c.size
	k, _ := lattice(float32(x0) * step)
	left, right := point(k), point(k+1)
	for i := range dst {
		at, f := lattice(float32(x0+i) * step)
		for ; k < at; k++ {
			left, right = right, point(k+2)
		}
		dst[i] = left + (right-left)*f
	}
}

// at is the value at one place.
func (c cloud) at(p point) float32 {
	kx, fx := lattice(p[2] / c.size)
	kz, fz := lattice(p[0] / c.size)
	ky, fy := lattice(p[1] / c.size)
	sum := float32(0)
	for corner := range 8 {
		dz, dy, dx := corner>>2, corner>>1&1, corner&1
		weight := pick(fz, dz) * pick(fy, dy) * pick(fx, dx)
		sum += weight * unit(mix(hash(c.seed, kz+dz, ky+dy)^uint64(kx+dx)))
	}
	return sum
}

// latticeZero is the lattice point at 0: a number of their own keeps points before it above 0 too,
// where cutting off rounds down.
const latticeZero = 1000

// lattice is the lattice point before u and the smooth weight of the one after it.
func lattice(u float32) (int, float32) {
	u += latticeZero
	k := int(u)
	f := u - float32(k)
	return k, f * f * (3 - 2*f)
}

func pick(f float32, upper int) float32 {
	if upper == 1 {
		return f
	}
	return 1 - f
}
