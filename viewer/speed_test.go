package viewer

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// BenchmarkWarmScrub goes up and down through planes that the engine holds, in a view of 1600 x 1000 device pixels, and
// waits for the finished frame of each: from the model's change to the frame that the window takes. Of the times the
// median and the one that 95 of 100 stay below are told, in milliseconds.
func BenchmarkWarmScrub(b *testing.B) {
	const planes = 20
	for _, channels := range []int{1, 3} {
		b.Run(fmt.Sprintf("channels=%d", channels), func(b *testing.B) {
			f := formula{name: "big", meta: lazy.Meta{Shape: lazy.Shape{1, planes, channels, 1000, 1600},
				Chunk: lazy.Shape{1, 1, 1, 500, 800}, DType: lazy.U16},
				value: func(i lazy.Index) float64 { return float64(i[lazy.X] ^ i[lazy.Y] + 100*i[lazy.Z]) }}
			e := engine.New(engine.Options{Memory: 1 << 30, Workers: 2})
			defer e.Close()
			posts, frames := make(chan func(), 64), make(chan struct{}, 1)
			s, err := Open(dataset(f), Options{Engine: e,
				Post:    func(f func()) { posts <- f },
				OnFrame: func() { newest(frames, struct{}{}) },
			})
			if err != nil {
				b.Fatal(err)
			}
			defer func() {
				s.Close()
				<-s.Closed()
			}()
			wait := func() {
				for {
					if f := s.Frame(); f != nil && !f.Partial && !f.Stale && f.State.At == s.State().At && f.State.Size == s.State().Size {
						return
					}
					select {
					case f := <-posts:
						f()
					case <-frames:
					}
				}
			}
			s.Act(Resize(1600, 1000))
			for z := range planes {
				s.Act(MoveTo(lazy.Z, z))
				wait()
			}
			var times []float64
			b.ReportAllocs()
			step := -1
			for b.Loop() {
				if z := s.State().At[lazy.Z]; z == 0 || z == planes-1 {
					if z == 0 {
						step = 1
					} else {
						step = -1
					}
				}
				began := time.Now()
				s.Act(Step(lazy.Z, step))
				wait()
				times = append(times, float64(time.Since(began).Microseconds())/1000)
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "ms-median")
			b.ReportMetric(times[len(times)*95/100], "ms-p95")
		})
	}
}
