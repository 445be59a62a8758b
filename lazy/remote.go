package lazy

import "errors"

// A Remote is a block in the memory of a device, as the device that made it knows it. Nobody else looks
// into it.
type Remote any

// Work is a task for a device, with the parts that fill what it needs all on the device: the tile of a
// computed node.
type Work struct {
	Node  *Node
	Tile  Region
	Needs []Region       // of each input, as Op.Need says; may stick out of it
	Parts [][]RemotePart // of each input; together they hold the boxes of Border.Inside
}

// A RemotePart is a piece of an input. Its voxels have the type of that input.
type RemotePart struct {
	Region Region
	Remote Remote
}

// ErrNoRoom is what a device gives, wrapped, when its memory does not hold one more block.
var ErrNoRoom = errors.New("the device's memory is full")
