// Package filters is the catalogue: every filter by name, with its parameters, and chains of filters.
//
// A Chain is data. The window's panel edits it, a session stores it, the command line parses it, and an export
// carries it. Its text is the same everywhere:
//
//	chain, err := filters.Parse("gaussian sigma=0.4um | sobel dims=2")
//	edges, err := chain.Apply(stack) // a lazy.Array; nothing is computed
//
// A row of the catalogue (Spec) describes a filter for the menu, the panel, the help and the checks. What it computes
// is written as kernels of package filters/stencil, one for each pass. Filters that are not a formula of a few
// neighbours have ops of their own:
//
//   - rank filters, as selection networks on whole rows (rank.go, extreme.go)
//   - the paraboloid of a background (parabola.go)
//   - sliding histograms (claherows.go)
//   - projections (projection.go)
//   - deconvolution, in blocks (deconvolve.go, lucy.go)
//
// Numbers that depend on statistics, such as Otsu's threshold, are found once from a stated sample, before anything
// is planned. They become part of the chain (resolve.go, sample.go):
//
//	chain, err = chain.Resolve(stack, read, nil) // "threshold method=otsu" is now "threshold method=otsu value=812"
//
// The rules for all filters:
//
//   - A length is in voxels, or in micrometres if it has a unit. A length in micrometres becomes a different number of
//     voxels on each axis if the voxels are not cubes.
//   - Border rules have the names and meanings of scipy.ndimage, and act only at the edges of the image.
//   - An axis of length 1 is left alone, so a 3-D filter on a single plane is the 2-D filter.
package filters
