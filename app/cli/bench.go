package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/lazy"
	"lamella/lazy/engine"
)

func newBench(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure, in one process, and print JSON",
		Long: `Measures how long work takes in one warm process and prints the times, in seconds, as JSON. Files are
in the system's cache after the first run; the engine's memory is empty before each run unless the
verb says otherwise.`,
		Example: `  lamella bench plane embryo.ome.zarr --filter sobel
  lamella bench scrub embryo.ome.zarr --filter 'gaussian | sobel' --from 10 --to 60
  lamella bench open stack.tif`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("bench what? open, plane, scrub, kernel, export, soak, watch or peer")
			}
			return usagef("%q is not open, plane, scrub, kernel, export, soak, watch or peer", args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(newBenchOpen(s), newBenchPlane(s), newBenchScrub(s), newBenchKernel(s), newBenchExport(s), newBenchSoak(s), newBenchWatch(s), newBenchPeer(s))
	return cmd
}

// A timing is the answer of a benchmark.
type timing struct {
	Times  []float64     `json:"times_s"`
	Median float64       `json:"median_s"`
	P95    float64       `json:"p95_s"`
	Best   float64       `json:"best_s"`
	Stats  *engine.Stats `json:"stats,omitempty"` // of the last run
}

func timingOf(times []float64, stats *engine.Stats) timing {
	return timing{times, percentile(times, 0.5), percentile(times, 0.95), slices.Min(times), stats}
}

// percentile is a value of times that a share of them does not exceed, interpolated as NumPy does.
func percentile(times []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	at := share * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	next := sorted[min(i+1, len(sorted)-1)]
	return sorted[i] + (at-float64(i))*(next-sorted[i])
}

// timed repeats work and gives how long each took.
func timed(runs int, work func() error) ([]float64, error) {
	var times []float64
	for range runs {
		began := time.Now()
		if err := work(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began).Seconds())
	}
	return times, nil
}

func runsFlag(cmd *cobra.Command, runs *int) {
	cmd.Flags().IntVar(runs, "runs", 5, "how `OFTEN`")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *runs < 1 {
			return usagef("--runs %d: at least 1", *runs)
		}
		return nil
	}
}

func newBenchOpen(s *session) *cobra.Command {
	var pick choice
	var runs int
	cmd := &cobra.Command{
		Use:     "open SOURCE",
		Short:   "Time opening a source",
		Long:    "Times how long it takes until the images of a source can be listed.",
		Example: "  lamella bench open stack.tif --runs 20",
		Args:    oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			times, err := timed(runs, func() error {
				set, err := pick.dataset(cmd.Context(), args[0])
				if err == nil && set.Close != nil {
					err = set.Close()
				}
				return err
			})
			if err != nil {
				return err
			}
			return writeJSON(s.stdout, timingOf(times, nil))
		},
	}
	runsFlag(cmd, &runs)
	pick.readFlags(cmd)
	return cmd
}

// fresh computes a region with nothing remembered.
func fresh(ctx context.Context, m *machine, a lazy.Array, r lazy.Region) (*lazy.Block, engine.Stats, error) {
	e, err := m.engine(0)
	if err != nil {
		return nil, engine.Stats{}, err
	}
	defer e.Close()
	return e.Get(ctx, a, r, engine.Priority{})
}

func newBenchPlane(s *session) *cobra.Command {
	var pick choice
	var sel selection
	var m machine
	var runs int
	cmd := &cobra.Command{
		Use:     "plane SOURCE",
		Short:   "Time one plane",
		Long:    "Times the plane that lamella slice would compute with the same words, each time from an empty memory.",
		Example: "  lamella bench plane embryo.ome.zarr --plane xz --filter sobel",
		Args:    oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := pick.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			r, _, err := sel.cut(in.array.Meta())
			if err != nil {
				return err
			}
			var stats engine.Stats
			times, err := timed(runs, func() (err error) {
				_, stats, err = fresh(cmd.Context(), &m, in.array, r)
				return err
			})
			if err != nil {
				return err
			}
			return writeJSON(s.stdout, timingOf(times, &stats))
		},
	}
	runsFlag(cmd, &runs)
	pick.arrayFlags(cmd)
	sel.planeFlags(cmd)
	sel.regionFlags(cmd, "0")
	pick.readFlags(cmd)
	m.deviceFlags(cmd)
	return cmd
}

// A scrub is the answer of bench scrub.
type scrub struct {
	timing
	First float64 `json:"first_s"`
	Max   float64 `json:"max_s"`
}

func scrubOf(times []float64, stats *engine.Stats) scrub {
	return scrub{timingOf(times, stats), times[0], slices.Max(times)}
}

func newBenchScrub(s *session) *cobra.Command {
	var pick choice
	var sel selection
	var m machine
	var from, to int
	cmd := &cobra.Command{
		Use:   "scrub SOURCE",
		Short: "Time one plane after another",
		Long: `Times planes one after another, as a dragged slider asks for them, each as soon as the one before
is there. What the engine remembers is kept from plane to plane.`,
		Example: "  lamella bench scrub embryo.ome.zarr --filter 'gaussian | sobel' --from 10 --to 60",
		Args:    oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := pick.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			e, err := m.engine(0)
			if err != nil {
				return err
			}
			defer e.Close()
			r, view, err := sel.cut(in.array.Meta())
			if err != nil {
				return err
			}
			n := view.Normal()
			length := in.array.Meta().Shape[n]
			if !cmd.Flags().Changed("to") {
				to = length
			}
			if from < 0 || to > length || from >= to {
				return usagef("--from %d --to %d: planes along %v lie in 0:%d", from, to, n, length)
			}
			times, err := drag(cmd.Context(), e, in.array, r, view, from, to, nil)
			if err != nil {
				return err
			}
			total := e.Counters()
			return writeJSON(s.stdout, scrubOf(times, &total))
		},
	}
	cmd.Flags().IntVar(&from, "from", 0, "first `PLANE`")
	cmd.Flags().IntVar(&to, "to", 0, "one past the last `PLANE` (default all)")
	pick.arrayFlags(cmd)
	sel.planeFlags(cmd)
	sel.regionFlags(cmd, "0")
	pick.readFlags(cmd)
	m.deviceFlags(cmd)
	return cmd
}

// drag computes the planes [from, to) one after another, each into the memory of the one before, while the engine
// guesses ahead, as the window has it do. It gives the time of each. keep, if not nil, sees them.
func drag(ctx context.Context, e *engine.Engine, a lazy.Array, plane lazy.Region, view export.View, from, to int, keep func(i int, b *lazy.Block)) ([]float64, error) {
	n := view.Normal()
	memory := lazy.NewBlock(plane.With(n, from, from+1), a.Meta().DType).Memory()
	times := make([]float64, 0, to-from)
	for i := from; i < to; i++ {
		began := time.Now()
		b := lazy.NewBlockIn(memory, plane.With(n, i, i+1), a.Meta().DType)
		if _, err := e.Fill(ctx, a, b, engine.Priority{}); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began).Seconds())
		var ahead []lazy.Region
		for _, k := range engine.Ahead(a.Meta().Chunk[n]) {
			if i+k < a.Meta().Shape[n] {
				ahead = append(ahead, plane.With(n, i+k, i+k+1))
			}
		}
		e.Prefetch(ctx, a, ahead...)
		if keep != nil {
			keep(i, b)
		}
	}
	return times, nil
}
