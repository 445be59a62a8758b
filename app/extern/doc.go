// Package extern runs programs of the user's own as filters: the map_blocks of any language. A program reads
// blocks of voxels from standard input, one after another, and answers each on standard output:
//
//	in    one line of JSON (see Header), then a .npy file of Header.Bytes bytes: z, y, x
//	out   a .npy file of the same shape, of the type that was announced; what is halo is cut off here
//
// It ends when its input ends. What it writes to standard error is told. Several of it run side by side, and stay for
// the next block; one that crashes, takes too long or answers something else costs its block alone.
//
//	programs := extern.New(extern.Options{})
//	defer programs.Close()
//	programs.Allow("python3 denoise.py")
//	op, err := programs.Op(extern.Program{Command: "python3 denoise.py", Out: lazy.F32, Limit: time.Minute})
//
// A program is never run that the user has not been asked about: Op refuses with ErrNotAllowed what was not allowed.
package extern
