package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lamella/lazy"
	"lamella/lazy/engine"
)

func newPlan(s *session) *cobra.Command {
	var pick choice
	var sel selection
	var m machine
	var asJSON, asDOT bool
	cmd := &cobra.Command{
		Use:   "plan SOURCE",
		Short: "Show what one plane would take, and compute nothing",
		Long: `Plans the plane that lamella slice would compute with the same words, on an empty memory, and says
what it would take: tasks, chunks to read, voxels to compute. What the plane does not need is not in
the plan. --dot writes the graph for Graphviz.`,
		Example: `  lamella plan embryo.ome.zarr --filter 'gaussian sigma=0.4um | sobel'
  lamella plan 'sample:ones?shape=1000000x1000x1000&dtype=int8&chunk=125x1000x1000' --filter mean --json
  lamella plan sample:cells --plane xz --c 0 --filter sobel --dot | dot -Tsvg > plan.svg`,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && asDOT {
				return usagef("--json and --dot are two forms of one answer")
			}
			in, err := pick.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			r, _, err := sel.cut(in.array.Meta())
			if err != nil {
				return err
			}
			if err := in.settle(s.stderr, &m); err != nil {
				return err
			}
			if err := in.tellOpen(s.stderr); err != nil {
				return err
			}
			if !m.quiet {
				if err := in.tellWork(cmd.Context(), s.stderr, &m, in.array.Meta().Shape.Whole()); err != nil {
					return err
				}
			}
			if asDOT {
				p, err := lazy.BuildUntil(cmd.Context(), lazy.LayoutFor(r), lazy.Query{Array: in.array, Region: r}, nil)
				if err != nil {
					return err
				}
				return writeDOT(s.stdout, p)
			}
			e, err := m.engine(1)
			if err != nil {
				return err
			}
			defer e.Close()
			forecast, err := e.Forecast(cmd.Context(), in.array, r)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(s.stdout, forecast)
			}
			return printPlan(s.stdout, in, r, forecast)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, in the keys of --stats")
	cmd.Flags().BoolVar(&asDOT, "dot", false, "the graph, in the language of Graphviz")
	pick.arrayFlags(cmd)
	sel.planeFlags(cmd)
	sel.regionFlags(cmd, "0")
	pick.readFlags(cmd)
	m.deviceFlags(cmd)
	return cmd
}

func printPlan(w io.Writer, in *input, r lazy.Region, s engine.Stats) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	comma := func(n int) string { return humanize.Comma(int64(n)) }
	fmt.Fprintf(t, "plane\t%v of %v\n", r, in.array.Meta().Shape)
	if chain := in.chain.String(); chain != "" {
		fmt.Fprintf(t, "filters\t%s\n", chain)
	}
	fmt.Fprintf(t, "tasks\t%s of %s\n", comma(s.TasksPlanned), comma(s.TasksTotal))
	fmt.Fprintf(t, "chunks\t%s of %s, %s to read\n", comma(s.ChunksPlanned), comma(s.ChunksTotal), humanize.IBytes(uint64(s.BytesRead)))
	fmt.Fprintf(t, "voxels\t%s out, %s needed, %s computed\n", comma(s.VoxelsOut), comma(s.VoxelsNeeded), comma(s.VoxelsComputed))
	fmt.Fprintf(t, "memory\t%s\n", humanize.IBytes(uint64(s.PeakBytes)))
	return t.Flush()
}
