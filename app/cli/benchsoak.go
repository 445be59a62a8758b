package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lamella/app/export"
	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/viewer"
)

func newBenchSoak(s *session) *cobra.Command {
	var m machine
	var planes, passes, opens int
	var view, chain, exporting string
	cmd := &cobra.Command{
		Use:   "soak SOURCE",
		Short: "Go through planes again and again, as the window does, and tell time and memory",
		Long: `Shows a source in the window's own model, without a window: goes through planes to and fro, pass after pass, and then
opens and closes it again and again. For each pass it tells how long it took from the step to the finished picture, and
what memory was asked for afresh for each picture and what the process held after it; for the opens, the memory after each
tenth. With --exporting all of the source is meanwhile written through other filters, again and again, as an export in the
window does: by the same engine, behind what is on view.`,
		Example: `  lamella bench soak 'sample:blobs?shape=512x1024x1024&dtype=uint16' --planes 500 --passes 10 --opens 50
  lamella bench soak 'sample:blobs?shape=64x1024x1024&dtype=uint16' --passes 4 --opens 0 --exporting 'median size=3'`,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			var w, h int
			if n, err := fmt.Sscanf(view, "%dx%d", &w, &h); n != 2 || err != nil || w < 1 || h < 1 || planes < 1 || passes < 1 || opens < 0 {
				return usagef("--view %s: expected a size such as 1600x1000; planes and passes are 1 or more", view)
			}
			e, err := m.engine(0)
			if err != nil {
				return err
			}
			defer e.Close()
			soak := soaking{engine: e, source: args[0], chain: chain, wide: w, high: h}
			var out soaked
			end := func() (int, error) { return 0, nil }
			if exporting != "" {
				pick := choice{image: "0", chain: exporting}
				in, err := pick.open(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				defer in.Close()
				end = soak.beside(cmd.Context(), in.job())
			}
			out.Passes, err = soak.scrub(cmd.Context(), planes, passes)
			if written, failed := end(); err == nil {
				out.Written, err = written, failed
			}
			if err != nil {
				return err
			}
			for i := range opens {
				if _, err = soak.scrub(cmd.Context(), 1, 1); err != nil {
					return err
				}
				if i%10 == 9 {
					out.Opens = append(out.Opens, resident())
				}
			}
			return writeJSON(s.stdout, out)
		},
	}
	f := cmd.Flags()
	f.IntVar(&planes, "planes", 500, "so many `PLANES` a pass, from the first on")
	f.IntVar(&passes, "passes", 10, "so many `PASSES`, in turn there and back")
	f.IntVar(&opens, "opens", 50, "then open and close it so many `TIMES`")
	f.StringVar(&view, "view", "1600x1000", "`SIZE` of the picture in pixels")
	f.StringVar(&chain, "filter", "", "`CHAIN` of filters that the planes are seen through")
	f.StringVar(&exporting, "exporting", "", "write all through this `CHAIN` meanwhile")
	m.deviceFlags(cmd)
	return cmd
}

// soaked is the answer of a soak.
type soaked struct {
	Passes  []soakPass `json:"passes"`
	Written int        `json:"exported_chunks,omitempty"` // meanwhile
	Opens   []int64    `json:"opens_resident_bytes"`      // after each tenth open and close
}

// A soakPass is one way through the planes.
type soakPass struct {
	Median   float64 `json:"median_s"` // from a step to the finished picture
	P95      float64 `json:"p95_s"`
	First    float64 `json:"first_p95_s"`                 // from a step to a picture of the plane that may still be coarse or in part
	Fresh    int64   `json:"allocated_bytes_per_picture"` // by all of the process, an export beside it included; a frame buffer would be 4 bytes a pixel
	Resident int64   `json:"resident_bytes"`              // held by the process, once garbage has gone back
}

// A soaking shows a source as the window does.
type soaking struct {
	engine     *engine.Engine
	source     string
	chain      string
	wide, high int
}

// scrub opens the source, goes through its planes pass after pass, and closes it.
func (k soaking) scrub(ctx context.Context, planes, passes int) ([]soakPass, error) {
	set, err := formats.Open(ctx, k.source, loaders.Options{})
	if err != nil {
		return nil, err
	}
	posts, drawn := make(chan func(), 64), make(chan struct{}, 1)
	v, err := viewer.Open(&set, viewer.Options{
		Engine: k.engine, Post: func(f func()) { posts <- f },
		OnFrame: func() {
			select {
			case drawn <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		return nil, err
	}
	defer func() { v.Close(); <-v.Closed() }()
	var stepped time.Time
	var first float64 // seconds from a step to a picture of the plane, which may be coarse or in part
	wait := func() error {
		for first = 0; ; {
			f := v.Frame()
			if f != nil && !f.Stale && f.State.At == v.State().At && f.State.Size == v.State().Size {
				if first == 0 {
					first = time.Since(stepped).Seconds()
				}
				if !f.Partial {
					return nil
				}
			}
			select {
			case f := <-posts:
				f()
			case <-drawn:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	v.Act(viewer.Resize(k.wide, k.high))
	if k.chain != "" {
		chain, err := viewer.ParseChain(k.chain)
		if err != nil {
			return nil, err
		}
		v.Act(viewer.SetChain(chain))
	}
	v.Act(viewer.MoveTo(lazy.Z, 0))
	if err := wait(); err != nil {
		return nil, err
	}
	planes = min(planes, v.Scene().Meta().Shape[lazy.Z])
	var all []soakPass
	for pass := range passes {
		by := 1 - 2*(pass%2)
		var times, firsts []float64
		before := allocated()
		for range max(1, planes-1) {
			stepped = time.Now()
			v.Act(viewer.Step(lazy.Z, by))
			if err := wait(); err != nil {
				return nil, err
			}
			times, firsts = append(times, time.Since(stepped).Seconds()), append(firsts, first)
		}
		all = append(all, soakPass{percentile(times, 0.5), percentile(times, 0.95), percentile(firsts, 0.95), (allocated() - before) / int64(len(times)), resident()})
	}
	return all, nil
}

// beside does an export again and again until end is called, which tells how many chunks were written.
func (k soaking) beside(ctx context.Context, j export.Job) (end func() (int, error)) {
	ctx, stop := context.WithCancel(ctx)
	written, failed := 0, make(chan error, 1)
	go func() {
		for {
			done := 0
			_, err := exported(ctx, k.engine, j, func(n, _ int) { done = n }, nil)
			written += done
			switch {
			case ctx.Err() != nil:
				failed <- nil
				return
			case err != nil:
				failed <- err
				return
			}
		}
	}()
	return func() (int, error) {
		stop()
		err := <-failed
		return written, err
	}
}

// allocated is what the process has asked Go for since it began.
func allocated() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc)
}

// resident is the memory that the process holds. Garbage goes back first, so that what is left is held.
func resident() int64 {
	debug.FreeOSMemory()
	return systemSays("VmRSS:")
}

// mostResident is the most memory that the process ever held, garbage and all.
func mostResident() int64 { return systemSays("VmHWM:") }

// systemSays is memory of the process as the system counts it; where it does not say, what Go holds now.
func systemSays(which string) int64 {
	if text, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, which); ok {
				if n, err := strconv.ParseInt(strings.Fields(v)[0], 10, 64); err == nil {
					return n << 10
				}
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
