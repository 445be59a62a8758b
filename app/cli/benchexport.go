package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

func newBenchExport(s *session) *cobra.Command {
	var pick choice
	var sel selection
	var m machine
	var store storage
	var runs int
	var discard bool
	cmd := &cobra.Command{
		Use:   "export SOURCE",
		Short: "Time a whole export",
		Long: `Times an export to OME-Zarr, coarser levels and all, into a folder for temporary files (TMPDIR), where
nothing is left. With --discard what is computed is thrown away, so that there is nothing to write and no
limit to how large the source may be. Where standard error is no terminal, a line every half minute tells the
most memory that the process has held so far, and the answer tells it in the end.`,
		Example: `  lamella bench export embryo.ome.zarr --filter sobel --compression lz4
  lamella bench export 'sample:ones?shape=40x32000x32000&dtype=int8' --filter sobel --discard --runs 1 --memory 256MiB 2>&1 | cat`,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			layout, err := store.layout("a.zarr")
			if err != nil {
				return err
			}
			in, err := pick.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			j := in.job()
			if j.Region, err = sel.box(in.array.Meta()); err != nil {
				return err
			}
			j.Layout = layout
			e, err := m.engine(0)
			if err != nil {
				return err
			}
			defer e.Close()
			bar := newMeter(s.stderr, "export", m.quiet, j.Region.Voxels()*j.Array.Meta().DType.Size())
			bar.more = func() string { return ", at most " + humanize.IBytes(uint64(mostResident())) + " of memory" }
			defer bar.end()
			var stats engine.Stats
			times, err := timed(runs, func() error {
				e.Clear()
				if discard {
					stats, err = export.Run(cmd.Context(), e, j, nowhere{j.Region.Shape()}, bar.tell)
				} else {
					stats, err = exported(cmd.Context(), e, j, bar.tell, nil)
				}
				return err
			})
			if err != nil {
				return err
			}
			return writeJSON(s.stdout, struct {
				timing
				Resident int64 `json:"most_resident_bytes"` // that the process held at a moment
			}{timingOf(times, &stats), mostResident()})
		},
	}
	runsFlag(cmd, &runs)
	pick.arrayFlags(cmd)
	sel.regionFlags(cmd, "all")
	pick.readFlags(cmd)
	store.storageFlags(cmd)
	m.deviceFlags(cmd)
	cmd.Flags().BoolVar(&discard, "discard", false, "throw away what is computed")
	cmd.Flags().BoolVar(&m.quiet, "quiet", false, "no progress on standard error")
	return cmd
}

// exported writes a job to an OME-Zarr in a folder of its own, has it looked at, and removes it.
func exported(ctx context.Context, e *engine.Engine, j export.Job, progress func(done, total int), look func(path string) error) (engine.Stats, error) {
	dir, err := os.MkdirTemp("", "lamella-bench-")
	if err != nil {
		return engine.Stats{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "out.ome.zarr")
	file, err := formats.Create(ctx, path, j.Description())
	if err != nil {
		return engine.Stats{}, err
	}
	stats, err := export.Run(ctx, e, j, file, progress)
	if err == nil && look != nil {
		err = look(path)
	}
	return stats, err
}

// nowhere is a writer that keeps nothing. Its cells are as large as the chunks of an OME-Zarr.
type nowhere struct{ shape lazy.Shape }

// Grid is 16 x 256 x 256, as far as there is so much.
func (n nowhere) Grid() lazy.Shape {
	g := lazy.Shape{1, 16, 1, 256, 256}
	for a := range lazy.Rank {
		g[a] = min(g[a], n.shape[a])
	}
	return g
}

func (nowhere) Write(ctx context.Context, _ *lazy.Block) error { return ctx.Err() }
func (nowhere) Close() error                                   { return nil }
func (nowhere) Abort()                                         {}

var _ loaders.Writer = nowhere{}
