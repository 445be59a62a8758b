package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lamella/loaders"
)

func newExport(s *session) *cobra.Command {
	var pick choice
	var sel selection
	var m machine
	var to target
	var runs severally
	cmd := &cobra.Command{
		Use:   "export SOURCE --out FILE",
		Short: "Write a region, or all of it, filters applied",
		Long: `Computes a region, or the whole image, and writes it piece by piece, so that it may be larger than
the memory. The file appears under its name only when it is whole.

A .npy file always has five axes: t, z, c, y, x. A .tif opens in ImageJ with its voxel size; a .zarr
is an OME-Zarr.

A .zarr may be written in several runs. --resume goes on with what an earlier run left in FILE.part, and leaves
there what it has finished when it is stopped; --shard I/N writes one share of N, on any machine that sees the
same folder, and --shard finish closes the file when all are there. No chunk is computed twice, and what is
written is the same as in one run.

A .zarr may be written to an address, s3://bucket/key or http(s):// of a server that takes PUT. Its metadata come last, so
that nobody finds an image that is not whole; what is finished lies there from the beginning, not in FILE.part.`,
		Example: `  lamella export stack.tif --out stack.ome.zarr
  lamella export embryo.ome.zarr --level 2 --c 0 --filter 'gaussian sigma=1um' --out smooth.tif
  lamella export embryo.ome.zarr --t 5:10 --roi z=10:20,y=0:512,x=0:512 --out part.npy
  lamella export embryo.ome.zarr --filter sobel --out edges.ome.zarr --resume --verify
  lamella export embryo.ome.zarr --filter sobel --out edges.ome.zarr --shard 3/64
  lamella export embryo.ome.zarr --filter sobel --out s3://lab/edges.ome.zarr --resume`,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := runs.check(&to); err != nil {
				return err
			}
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
			r, err := sel.box(in.array.Meta())
			if err != nil {
				return err
			}
			in.warn(s.stderr, m.quiet)
			if err := in.resolve(cmd.Context(), s, &m); err != nil {
				return err
			}
			if !m.quiet {
				if err := in.tellWork(cmd.Context(), s.stderr, &m, r); err != nil {
					return err
				}
			}
			j := in.job()
			j.Region = r
			runs.set(&j)
			if j.Way != loaders.Afresh { // what other runs read must be what this one read
				j.Still = func(ctx context.Context) error { return pick.still(ctx, args[0], in) }
				if j, err = j.Watched(cmd.Context()); err != nil {
					return err
				}
				return to.write(cmd.Context(), s, &m, j)
			}
			var changed error // no reason to lose what was made in hours: the file may have grown, or have been touched
			j.Still = func(ctx context.Context) error {
				changed = pick.still(ctx, args[0], in)
				return ctx.Err()
			}
			if err := to.write(cmd.Context(), s, &m, j); err != nil {
				return err
			}
			if changed != nil && !m.quiet {
				fmt.Fprintf(s.stderr, "lamella: warning: %s: what was written may hold voxels of before and of after\n", oneLine(changed.Error()))
			}
			return nil
		},
	}
	to.outFlags(cmd)
	runs.flags(cmd)
	pick.arrayFlags(cmd)
	sel.regionFlags(cmd, "all")
	pick.readFlags(cmd)
	m.workFlags(cmd)
	return cmd
}
