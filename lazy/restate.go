package lazy

// Restate is a with other words on where its voxels lie: the scale, unit and origin of m. The voxels and their
// name stay, so what has been read of a is not read again.
func Restate(a Array, m Meta) Array {
	n := *a.node
	n.Meta.Scale, n.Meta.Unit, n.Meta.Origin = m.Scale, m.Unit, m.Origin
	return Array{&n}
}
