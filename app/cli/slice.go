package cli

import "github.com/spf13/cobra"

// muchWork is how many voxels a deconvolution computes for each of the image before slice says so: in small blocks what lies around
// them is most of the work.
const muchWork = 12

func newSlice(s *session) *cobra.Command {
	var pick choice
	var sel selection
	var m machine
	var to target
	var tell bool
	cmd := &cobra.Command{
		Use:   "slice SOURCE --out FILE",
		Short: "Compute one plane and write it",
		Long: `Computes one plane, filters applied, and writes it. Only the chunks that the plane and its halo touch
are read.

Rows and columns of the file are y, x for xy; z, x for xz; z, y for yz. A .npy file has the shape
(rows, columns), or (channels, rows, columns). A .png is a picture: contrast limits from the plane
itself and the colours of the channels are applied. Bare filter sizes are voxels of the level.`,
		Example: `  lamella slice embryo.ome.zarr --out middle.tif
  lamella slice embryo.ome.zarr --plane xz --at-um 13.5 --c 0 --out side.png
  lamella slice stack.tif --at 40 --filter 'gaussian sigma=0.4um | sobel' --out edges.npy --stats cost.json
  lamella slice sample:cells --filter sobel --out - | python3 -c 'import sys, io, numpy; print(numpy.load(io.BytesIO(sys.stdin.buffer.read())).max())'`,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := to.check(args[0], m.stats); err != nil {
				return err
			}
			in, err := pick.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			if err := to.spare(in, m.stats); err != nil {
				return err
			}
			if tell && in.iterative() < 0 {
				return usagef("--error: there is no deconvolution with iterations in the chain")
			}
			r, view, err := sel.cut(in.array.Meta())
			if err != nil {
				return err
			}
			in.warn(s.stderr, m.quiet)
			if err := in.resolve(cmd.Context(), s, &m); err != nil {
				return err
			}
			if !m.quiet {
				if err := in.tellMuch(cmd.Context(), s.stderr, &m, in.array.Meta().Shape.Whole(), muchWork); err != nil {
					return err
				}
			}
			j := in.job()
			j.Region, j.View, j.Flat = r, view, true
			if err := to.write(cmd.Context(), s, &m, j); err != nil || !tell {
				return err
			}
			return in.tellError(cmd.Context(), s.stderr, &m, r)
		},
	}
	cmd.Flags().BoolVar(&tell, "error", false, "then say how far a deconvolution in blocks is from that of the whole image here")
	to.outFlags(cmd)
	pick.arrayFlags(cmd)
	sel.planeFlags(cmd)
	sel.regionFlags(cmd, "0")
	pick.readFlags(cmd)
	m.workFlags(cmd)
	return cmd
}
