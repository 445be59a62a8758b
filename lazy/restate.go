package lazy

import "strconv"

// Restate is a with other words on where its voxels lie: the scale, unit and origin of m. The voxels and their
// name stay, so what has been read of a is not read again.
func Restate(a Array, m Meta) Array {
	n := *a.node
	n.Meta.Scale, n.Meta.Unit, n.Meta.Origin = m.Scale, m.Unit, m.Origin
	return Array{&n}
}

// Again is a as read another time, from objects that may have been written since while what says so stayed. Nothing that was
// read or computed of another reading is taken for it; its Origin is the same.
func Again(a Array, reading int) Array {
	made := map[*Node]*Node{}
	var again func(n *Node) *Node
	again = func(n *Node) *Node {
		if made[n] == nil {
			c := *n
			c.Hash = hash("reading", strconv.Itoa(reading), string(n.Hash[:]))
			c.In = nil
			for _, in := range n.In {
				c.In = append(c.In, again(in))
			}
			made[n] = &c
		}
		return made[n]
	}
	return Array{again(a.node)}
}
