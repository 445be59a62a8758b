package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lamella/app/formats"
	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/gpu"
	"lamella/lazy"
	"lamella/loaders"
)

// A device is something that computes.
type device struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Features []string `json:"features"`
	Test     string   `json:"self_test"`

	// Of a graphics device: bytes that were free when it was opened, 0 if its driver does not say; what voxels
	// may take of them; and where each filter of the catalogue runs with its defaults: "gpu", "cpu" or "mixed",
	// or what was wrong.
	Free    int64             `json:"free_bytes,omitempty"`
	Budget  int64             `json:"budget_bytes,omitempty"`
	Filters map[string]string `json:"filters,omitempty"`
}

func newDevices(s *session) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List what can compute here",
		Long: `Lists the processor, with the instructions that filters use (AVX2, or plain Go), and the graphics device,
each with the result of its self-test: every filter of the catalogue on the device must give the numbers
of the processor. A filter that has no shader runs on the processor, of which "mixed" is a part. A software
renderer is listed too; it is slower than the processor and used only by --device gpu.`,
		Example: "  lamella devices\n  lamella devices --json",
		Args:    noWords,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := []device{processor(cmd.Context())}
			g, err := graphics()
			if err == nil {
				all = append(all, renderer(cmd.Context(), g))
			}
			if asJSON {
				return writeJSON(s.stdout, all)
			}
			for _, d := range all {
				d.write(s.stdout)
			}
			if err != nil {
				fmt.Fprintf(s.stdout, "gpu  none: %v; the processor computes everything\n", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (d device) write(w io.Writer) {
	fmt.Fprintf(w, "%s  %s  %v  self-test: %s\n", d.Kind, d.Name, d.Features, d.Test)
	if d.Budget == 0 {
		return
	}
	free := "its driver does not say how much memory is free"
	if d.Free > 0 {
		free = humanize.IBytes(uint64(d.Free)) + " of memory free"
	}
	fmt.Fprintf(w, "     %s, %s of it for voxels\n", free, humanize.IBytes(uint64(d.Budget)))
	for _, where := range []string{"gpu", "mixed", "cpu"} {
		var names []string
		for name, ran := range d.Filters {
			if ran == where {
				names = append(names, name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			fmt.Fprintf(w, "     on %s: %s\n", where, strings.Join(names, ", "))
		}
	}
}

func processor(ctx context.Context) device {
	d := device{
		Name: fmt.Sprintf("%s, %d processors", runtime.GOARCH, runtime.GOMAXPROCS(0)),
		Kind: "cpu", Features: []string{stencil.Processor}, Test: "ok",
	}
	if err := selfTest(ctx, &machine{device: "cpu"}); err != nil {
		d.Test = err.Error()
	}
	return d
}

func renderer(ctx context.Context, g *gpu.Device) device {
	i := g.Info()
	d := device{
		Name: i.Renderer, Kind: "gpu", Features: []string{"OpenGL " + i.Version}, Test: "ok",
		Free: i.Memory, Budget: g.Room(), Filters: map[string]string{},
	}
	if i.Software() {
		d.Features = append(d.Features, "software")
	}
	set, err := formats.Open(ctx, "sample:random?shape=9x33x67&dtype=uint16", loaders.Options{})
	if err != nil {
		d.Test = err.Error()
		return d
	}
	volume := set.Images[0].Levels[0].Array
	m := volume.Meta()
	m.Scale = [lazy.Rank]float64{lazy.Z: 0.3, lazy.Y: 0.1, lazy.X: 0.1} // some filters go by the size of voxels
	volume = lazy.Restate(volume, m)
	for _, spec := range filters.Catalogue() {
		if spec.Outside {
			d.Filters[spec.Name] = "cpu"
			continue
		}
		ran, err := agrees(ctx, spec, volume)
		if err != nil {
			ran = err.Error()
			d.Test = spec.Name + ": " + ran
		}
		d.Filters[spec.Name] = ran
	}
	return d
}

// agrees compares a filter, with its defaults, on the device and on the processor, and says where it ran. Roots
// and quotients of a device may differ in the last bits, transforms by 1e-4 of the greatest value.
func agrees(ctx context.Context, spec filters.Spec, volume lazy.Array) (ran string, err error) {
	a, err := filters.Chain{spec.Step()}.Provisional().Apply(volume)
	if err != nil {
		return "", err
	}
	z := a.Meta().Shape[lazy.Z] / 2
	plane := a.Meta().Shape.Whole().With(lazy.Z, z, z+1)
	want, _, err := fresh(ctx, &machine{device: "cpu"}, a, plane)
	if err != nil {
		return "", err
	}
	got, stats, err := fresh(ctx, &machine{device: "gpu"}, a, plane)
	if err != nil {
		return "", err
	}
	slack := 0.0
	if transforms(a.Node()) {
		for at := range pixels(plane) {
			slack = max(slack, 1e-4*math.Abs(want.Value(at)))
		}
	}
	for at := range pixels(plane) {
		g, w := got.Value(at), want.Value(at)
		same := g == w || g != g && w != w
		if !same && !(math.Abs(g-w) <= max(1e-6*math.Abs(w), slack)) {
			return "", fmt.Errorf("a voxel is %v, not %v", g, w)
		}
	}
	return stats.Device, nil
}

// pixels visits the voxels of a plane, of the first time point and channel.
func pixels(plane lazy.Region) iter.Seq[lazy.Index] {
	return func(yield func(lazy.Index) bool) {
		for y := plane.Min[lazy.Y]; y < plane.Max[lazy.Y]; y++ {
			for x := plane.Min[lazy.X]; x < plane.Max[lazy.X]; x++ {
				if !yield(lazy.Index{0, plane.Min[lazy.Z], 0, y, x}) {
					return
				}
			}
		}
	}
}

// transforms reports whether an op of a recipe has a program of several passes, as deconvolution does.
func transforms(n *lazy.Node) bool {
	op, ok := n.Op.(lazy.Programmer)
	return ok && op.Programmed(n.InMetas()) || slices.ContainsFunc(n.In, transforms)
}

// selfTest computes the Sobel magnitude of the ramp z + y + x. Along each axis the kernel weighs a step of
// two by 16, so that it is 32 times the root of three wherever the ramp goes on.
func selfTest(ctx context.Context, m *machine) error {
	set, err := formats.Open(ctx, "sample:slow?shape=5x9x70&ms=0&dtype=float32", loaders.Options{})
	if err != nil {
		return err
	}
	chain, err := filters.Parse("sobel")
	if err != nil {
		return err
	}
	edges, err := chain.Apply(set.Images[0].Levels[0].Array)
	if err != nil {
		return err
	}
	inside := edges.Meta().Shape.Whole().With(lazy.Z, 1, 4).With(lazy.Y, 1, 8).With(lazy.X, 1, 69)
	b, _, err := fresh(ctx, m, edges, inside)
	if err != nil {
		return err
	}
	want := float32(32 * math.Sqrt(3))
	for _, v := range lazy.View[float32](b) {
		if math.Abs(float64(v-want)) > 1e-5*float64(want) {
			return fmt.Errorf("a Sobel magnitude is %v, not %v", v, want)
		}
	}
	return nil
}
