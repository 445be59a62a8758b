package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/loaders"
)

// A kernelTiming is the answer of bench kernel.
type kernelTiming struct {
	timing
	Chain  string  `json:"chain"`
	DType  string  `json:"dtype"`
	Voxels int     `json:"voxels"`
	Speed  float64 `json:"mvoxel_s"`  // millions of voxels a second, in the best run
	Copy   float64 `json:"copy_s"`    // the best copy of the same plane in memory
	Ratio  float64 `json:"of_memcpy"` // the best copy's time to the best run's
}

func newBenchKernel(s *session) *cobra.Command {
	var words, dtype string
	var size, runs int
	cmd := &cobra.Command{
		Use:   "kernel --filter CHAIN",
		Short: "Time filters alone",
		Long: `Times filters alone, on one thread of the processor: a plane of random numbers lies in memory with what the
filters need around it, and nothing is read, planned or kept. Between the runs the same plane is copied, which
is what the speed is compared with.`,
		Example: `  lamella bench kernel --filter 'sobel dims=2' --dtype uint16
  lamella bench kernel --filter 'gaussian sigma=2' --size 1024 --runs 20`,
		Args: noWords,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if size < 1 || size > 1<<14 {
				return usagef("--size %d: from 1 to %d", size, 1<<14)
			}
			chain, err := parseChain(cmd.Context(), words, false)
			if err != nil {
				return err
			}
			if len(chain) == 0 {
				return usagef("--filter is needed: which filters are to be timed?")
			}
			if _, err := lazy.ParseDType(dtype); err != nil {
				return usagef("--dtype %s: %v", dtype, err)
			}
			k, err := newKernelBench(cmd.Context(), chain, dtype, size)
			if err != nil {
				return err
			}
			defer k.set.Close()
			answer, err := k.run(cmd.Context(), runs)
			if err != nil {
				return err
			}
			return writeJSON(s.stdout, answer)
		},
	}
	cmd.Flags().StringVar(&words, "filter", "", "`CHAIN` of filters")
	cmd.Flags().StringVar(&dtype, "dtype", "uint16", "`TYPE` of the voxels")
	cmd.Flags().IntVar(&size, "size", 2048, "`VOXELS` along y and x")
	runsFlag(cmd, &runs)
	return cmd
}

// A kernelBench runs the ops of a chain on one plane.
type kernelBench struct {
	set   lazy.Dataset
	array lazy.Array
	chain filters.Chain
	plane lazy.Region
	took  time.Duration // of the ops alone

	stored, made map[lazy.Key]*lazy.Block // of sources and of ops, whose memory the next run uses again
}

// kernelDepth is how many planes the volume has of which the one in the middle is made.
const kernelDepth = 65

func newKernelBench(ctx context.Context, chain filters.Chain, dtype string, size int) (*kernelBench, error) {
	source := fmt.Sprintf("sample:random?shape=%dx%dx%d&chunk=1x%[2]dx%[2]d&dtype=%[4]s", kernelDepth, size, size, dtype)
	set, err := formats.Open(ctx, source, loaders.Options{})
	if err != nil {
		return nil, err
	}
	raw := set.Images[0].Levels[0].Array
	a, err := chain.Apply(raw)
	if err != nil {
		set.Close()
		return nil, err
	}
	shape := a.Meta().Shape
	middle := shape[lazy.Z] / 2
	return &kernelBench{
		set: set, array: a, chain: chain, plane: shape.Whole().With(lazy.Z, middle, middle+1),
		stored: map[lazy.Key]*lazy.Block{}, made: map[lazy.Key]*lazy.Block{},
	}, nil
}

func (k *kernelBench) run(ctx context.Context, runs int) (kernelTiming, error) {
	// One thread: an op that shares its loops finds nobody to share them with, and the collector rests.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var times, copies []float64
	raw := k.set.Images[0].Levels[0].Array
	from, to := lazy.NewBlock(k.plane, raw.Meta().DType), lazy.NewBlock(k.plane, raw.Meta().DType)
	for range runs + 1 { // the first run makes the input and fills the caches
		k.took = 0
		if _, err := k.block(ctx, k.array.Node(), k.plane); err != nil {
			return kernelTiming{}, err
		}
		times = append(times, k.took.Seconds())
		began := time.Now()
		copy(to.Bytes(), from.Bytes())
		copies = append(copies, time.Since(began).Seconds())
	}
	t := timingOf(times[1:], nil)
	copied := slices.Min(copies)
	return kernelTiming{
		timing: t, Chain: k.chain.String(), DType: raw.Meta().DType.String(), Voxels: k.plane.Voxels(),
		Speed: float64(k.plane.Voxels()) / t.Best / 1e6, Copy: copied, Ratio: copied / t.Best,
	}, nil
}

// block makes a region of a node from the regions of its inputs that it needs, each in one piece. An op's time counts, that
// of reading and gathering does not.
func (k *kernelBench) block(ctx context.Context, n *lazy.Node, r lazy.Region) (*lazy.Block, error) {
	key := lazy.Key{Hash: n.Hash, Tile: r}
	if b := k.stored[key]; b != nil {
		return b, nil
	}
	if n.Source != nil {
		b := lazy.NewBlock(r, n.Meta.DType)
		for grain := range lazy.Grains(n.Source, r) {
			part := lazy.NewBlock(grain, n.Meta.DType)
			if _, err := n.Source.Read(ctx, part); err != nil {
				return nil, err
			}
			lazy.CopyRegion(b, part, grain.Intersect(r))
		}
		k.stored[key] = b
		return b, nil
	}
	src := make([]*lazy.Block, len(n.In))
	for i, need := range n.Op.Need(r, n.InMetas()) {
		in := n.In[i]
		g := lazy.NewGather(need, in.Meta.DType, in.Meta.Shape, n.Op.Border())
		for box := range n.Op.Border().Inside(need, in.Meta.Shape) {
			part, err := k.block(ctx, in, box)
			if err != nil {
				return nil, err
			}
			g.Add(part)
		}
		src[i] = g.Dst
	}
	b := k.made[key]
	if b == nil {
		b = lazy.NewBlock(r, n.Meta.DType)
		k.made[key] = b
	}
	began := time.Now()
	err := n.Op.Compute(ctx, b, src)
	k.took += time.Since(began)
	return b, err
}
