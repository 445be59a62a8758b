package sample

// mix turns a number into one that looks random; equal numbers give equal results. It is the
// finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash is mix of several numbers, in order.
func hash(seed uint64, parts ...int) uint64 {
	for _, p := range parts {
		seed = mix(seed ^ uint64(p))
	}
	return seed
}

// unit is a real number in [0, 1) from the upper bits of h.
func unit(h uint64) float32 { return float32(h>>40) / (1 << 24) }

// bell is a number with mean 0 and standard deviation 1 that is nearly normally distributed: the
// sum of four uniform ones. It never exceeds 3.47.
func bell(h uint64) float32 {
	sum := int32(h&0xffff) + int32(h>>16&0xffff) + int32(h>>32&0xffff) + int32(h>>48)
	return float32(sum-2*0xffff) * (1.7320508 / 0x10000)
}

// A dice gives one random number after another from one seed.
type dice struct{ state uint64 }

// roll is a real number in [low, high).
func (d *dice) roll(low, high float32) float32 {
	d.state = mix(d.state)
	return low + (high-low)*unit(d.state)
}
