// Package filters is the catalogue: every filter by name, with its parameters, and chains of them.
//
// A Chain is data. The window's panel edits it, a session stores it, the command line parses it, an
// export carries it, and it always reads the same:
//
//	chain, err := filters.Parse("gaussian sigma=0.4um | sobel dims=2")
//	edges, err := chain.Apply(stack) // a lazy.Array; nothing is computed
//
// A row of the catalogue (Spec) describes a filter once for the menu, the panel, the help and the
// checks. What a filter computes is written as kernels of package filters/stencil, one for each pass. Some
// filters are no formula of a few neighbours and have ops of their own: those that put voxels in order
// (rank.go, extreme.go), which run selection networks on whole rows, the paraboloid of a background (parabola.go),
// sliding histograms (claherows.go), and projections (projection.go).
//
// Numbers that depend on statistics, such as Otsu's threshold, are found once from a stated sample, before
// anything is planned, and become part of the chain (resolve.go, sample.go):
//
//	chain, err = chain.Resolve(stack, read, nil) // "threshold method=otsu" is now "threshold method=otsu value=812"
//
// Lengths are in voxels, or in micrometres where they carry a unit; a length in micrometres becomes a
// different number of voxels on each axis where the voxels are not cubes. Borders have the names and
// meanings of scipy.ndimage, and act at the edges of the image alone. An axis of length 1 is left alone
// by every filter, so a 3-D filter on a single plane is the 2-D filter.
package filters
