package cli

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// A peer is one run of one case of the peer benchmarks: other programs do the same work on the same
// files, and the answers are compared.
type peer struct {
	data   string // folder of the files
	answer string // the file to write
	m      machine
	// workers is how many threads every program of the run may use.
	workers int
}

// started is about when the process was.
var started = time.Now()

// peerCases are the cases that are done; the others are answered as skipped.
var peerCases = map[string]func(ctx context.Context, p *peer) (peerAnswer, error){
	"sobel_slice_xy": func(ctx context.Context, p *peer) (peerAnswer, error) { return p.sobelPlane(ctx, export.XY) },
	"sobel_slice_xz": func(ctx context.Context, p *peer) (peerAnswer, error) { return p.sobelPlane(ctx, export.XZ) },
	"sobel_slice_yz": func(ctx context.Context, p *peer) (peerAnswer, error) { return p.sobelPlane(ctx, export.YZ) },
	"cull_graph":     func(ctx context.Context, p *peer) (peerAnswer, error) { return p.cross(ctx) },
	"scrub":          func(ctx context.Context, p *peer) (peerAnswer, error) { return p.scrub(ctx) },

	"sobel_full": func(ctx context.Context, p *peer) (peerAnswer, error) { return p.sobelFull(ctx) },

	"smooth2d_int8":        wholeCase("stack_i8.npy", `stencil border=blank text="`+box3+` // 9"`),
	"smooth2d_u16":         wholeCase("stack_u16.npy", `stencil border=blank text="`+box3+` // 9"`),
	"smooth2d_f32":         wholeCase("stack_f32.npy", `stencil border=blank text="`+box3+` / 9"`),
	"gauss3d":              wholeCase("small_f32.npy", "gaussian sigma=2 border=reflect"),
	"median3d":             wholeCase("small_f32.npy", "median size=3 border=nearest"),
	"custom_stencil":       wholeCase("small_f32.npy", ridges),
	"gauss3d_plane":        planeCase("small_lz4.zarr", "gaussian sigma=2 border=reflect", 64),
	"median3d_plane":       planeCase("small_lz4.zarr", "median size=3 border=nearest", 64),
	"custom_stencil_plane": planeCase("small_lz4.zarr", ridges, 64),

	"rl_deconv": func(ctx context.Context, p *peer) (peerAnswer, error) { return p.lucy(ctx) },

	"tiff_open":             openCase("pages_ij.tif", 0, 256),
	"tiff_open_ome":         openCase("pages_ome.ome.tif", 0, 256),
	"tiff_open_ij_deflate":  openCase("pages_ij_deflate.tif", 0, 256),
	"tiff_open_ome_deflate": openCase("pages_ome_deflate.ome.tif", 0, 256),
	"png_sequence":          openCase("png", 250, 500),
}

type peerAnswer struct {
	Times   []float64          `json:"times_s,omitempty"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
	Skipped string             `json:"skipped,omitempty"`
}

func newBenchPeer(s *session) *cobra.Command {
	var name string
	var p peer
	cmd := &cobra.Command{
		Use:   "peer --case C --data D --answer F",
		Short: "Take part in the peer benchmarks",
		Long: `Does one case of the benchmarks that compare programs on the same files: writes the answer as .npy
and prints one line of JSON with the times of the runs, or why the case was skipped. PEERS_THREADS
is how many threads may be used (default 2).`,
		Example: "  lamella bench peer --case sobel_slice_xy --data peers-data --answer answer.npy",
		Args:    noWords,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name == "" || p.data == "" || p.answer == "" {
				return usagef("--case, --data and --answer are all needed")
			}
			p.workers = 2
			if t := os.Getenv("PEERS_THREADS"); t != "" {
				n, err := strconv.Atoi(t)
				if err != nil || n < 1 {
					return usagef("PEERS_THREADS=%s: not a number of threads", t)
				}
				p.workers = n
			}
			answer := peerAnswer{Skipped: "lamella has no case " + name}
			if run, ok := peerCases[name]; ok {
				var err error
				if answer, err = run(cmd.Context(), &p); err != nil {
					return err
				}
			}
			if _, told := answer.Metrics["peak_rss_mb"]; answer.Metrics != nil && !told {
				answer.Metrics["peak_rss_mb"] = peakMB()
			}
			b, err := json.Marshal(answer)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.stdout, "%s\n", b)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "case", "", "`NAME` of the case")
	f.StringVar(&p.data, "data", "", "`FOLDER` of the files")
	f.StringVar(&p.answer, "answer", "", ".npy `FILE` to write")
	p.m.deviceFlags(cmd)
	return cmd
}

// peakMB is the most memory that the process has held so far, in millions of bytes.
func peakMB() float64 { return float64(mostResident()) / 1e6 }

// sobel opens the volume and applies the 3-D Sobel magnitude.
func (p *peer) sobel(ctx context.Context) (lazy.Dataset, lazy.Array, error) {
	set, err := formats.Open(ctx, filepath.Join(p.data, "vol_lz4.zarr"), loaders.Options{})
	if err != nil {
		return set, lazy.Array{}, err
	}
	chain, err := filters.Parse("sobel")
	if err != nil {
		return set, lazy.Array{}, err
	}
	edges, err := chain.Apply(set.Images[0].Levels[0].Array)
	return set, edges, err
}

// sobelPlane times the plane in the middle of the volume: opening, planning, reading and computing,
// with no block remembered from run to run. The engine is one for all, as the pools of the other programs are.
func (p *peer) sobelPlane(ctx context.Context, v export.View) (peerAnswer, error) {
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	var plane *lazy.Block
	var stats engine.Stats
	once := func(aside int) func() error {
		return func() error {
			set, edges, err := p.sobel(ctx)
			if err != nil {
				return err
			}
			defer set.Close()
			e.Clear()
			at := edges.Meta().Shape[v.Normal()]/2 + aside
			r := edges.Meta().Shape.Whole().With(v.Normal(), at, at+1)
			plane, stats, err = e.Get(ctx, edges, r, engine.Priority{})
			return err
		}
	}
	first, err := timed(1, once(0))
	if err != nil {
		return peerAnswer{}, err
	}
	cold := time.Since(started).Seconds()
	inner, err := timed(3, once(16))
	if err != nil {
		return peerAnswer{}, err
	}
	times, err := timed(7, once(0))
	if err != nil {
		return peerAnswer{}, err
	}
	rows, cols := plane.Region.Len(lazy.Z), plane.Region.Len(lazy.X)
	switch v {
	case export.XY:
		rows = plane.Region.Len(lazy.Y)
	case export.YZ:
		cols = plane.Region.Len(lazy.Y)
	}
	return peerAnswer{Times: times, Metrics: map[string]float64{
		"cold_open_s": first[0], "cold_process_s": cold, "inner_s": slices.Min(inner),
		"chunks_decoded": float64(stats.ChunksRead), "tasks_executed": float64(stats.TasksRun),
	}}, writeAnswer(p.answer, []int{rows, cols}, plane)
}

// scrub times planes 200 to 299 one after another; what was computed for one plane is remembered for the
// next, as in the window.
func (p *peer) scrub(ctx context.Context) (peerAnswer, error) {
	set, edges, err := p.sobel(ctx)
	if err != nil {
		return peerAnswer{}, err
	}
	defer set.Close()
	e, err := p.m.engine(p.workers)
	if err != nil {
		return peerAnswer{}, err
	}
	defer e.Close()
	var kept []*lazy.Block
	whole := edges.Meta().Shape.Whole()
	times, err := drag(ctx, e, edges, whole, export.XY, 200, 300, func(i int, b *lazy.Block) {
		if slices.Contains([]int{200, 255, 256, 299}, i) {
			plane := lazy.NewBlock(b.Region, b.DType)
			lazy.CopyRegion(plane, b, b.Region)
			kept = append(kept, plane)
		}
	})
	if err != nil {
		return peerAnswer{}, err
	}
	total := 0.
	for _, t := range times {
		total += t
	}
	s := scrubOf(times, nil)
	return peerAnswer{Times: []float64{s.Median}, Metrics: map[string]float64{
		"first_s": s.First, "p95_s": s.P95, "max_s": s.Max, "total_s": total,
	}}, writeAnswer(p.answer, []int{len(kept), whole.Len(lazy.Y), whole.Len(lazy.X)}, kept...)
}

// writeAnswer writes blocks of one type one after another as one array: a .npy file of format version 1.0
// (numpy.lib.format), whose shape the comparison expects to the letter.
func writeAnswer(path string, shape []int, blocks ...*lazy.Block) error {
	var lengths []string
	for _, n := range shape {
		lengths = append(lengths, strconv.Itoa(n))
	}
	if len(lengths) == 1 {
		lengths = append(lengths, "") // a tuple of one
	}
	descr, ok := map[lazy.DType]string{lazy.I8: "|i1", lazy.U16: "<u2", lazy.F32: "<f4"}[blocks[0].DType]
	if !ok {
		return fmt.Errorf("the answer is of type %v, which no case has", blocks[0].DType)
	}
	header := fmt.Sprintf("{'descr': '"+descr+"', 'fortran_order': False, 'shape': (%s), }", strings.Join(lengths, ", "))
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(append(head, header...)); err != nil {
		return err
	}
	for _, b := range blocks {
		if _, err := f.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return f.Close()
}
