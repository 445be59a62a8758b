package lazy

// A Programmer is an Op that may run on a device as passes of shaders of its own, with all that lies between them kept
// there. What it gives is what Compute gives, but for rounding.
type Programmer interface {
	Op

	// Programmed reports whether there is a program for inputs of this kind. It is quick.
	Programmed(in []Meta) bool

	// Held reports whether the program is made from the voxels of an input, which it then does not see itself.
	Held(input int) bool

	// ProgramBytes is the memory of the device that a tile takes beside itself.
	ProgramBytes(tile Region, in []Meta) int64

	// Program is that for a tile, with the voxels of the inputs that are held; others are nil. An error means that the
	// device declines, and that Compute says what is wrong.
	Program(tile Region, in []Meta, held []*Block) (Program, error)
}

// A Program computes a tile on a device. Buffers are counted from the inputs on, which hold what Op.Need says as it is
// stored; then come Buffers, and last the tile.
type Program struct {
	Buffers []ProgramBuffer
	Rounds  [][]Pass // between two of them the device sees whether the work is still wanted
}

// A ProgramBuffer is memory of a device: some words of 32 bits, and what they are at the beginning, if that matters.
type ProgramBuffer struct {
	Words int
	Begin []byte // of all words, or nil
}

// A Pass is one run of a compute shader (GLSL 4.30). What comes after it sees what it has written.
type Pass struct {
	Shader  string
	Buffers []int   // at the bindings 0, 1, ...
	Numbers []int32 // the uniform "int n[]" at location 0
	Groups  int     // of invocations, in rows of at most 65535: number y * gl_NumWorkGroups.x + x
}
