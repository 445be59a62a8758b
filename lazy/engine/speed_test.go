package engine_test

import (
	"context"
	"fmt"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// small is a source that reads nothing.
type small struct{ meta lazy.Meta }

func (s small) Meta() lazy.Meta { return s.meta }
func (s small) ID() string      { return "small" }
func (s small) Read(context.Context, *lazy.Block) (int64, error) {
	return 0, nil
}

// nothing is an op that looks at its neighbours and does no work.
type nothing struct{}

func (nothing) Name() string                            { return "nothing" }
func (nothing) Key() string                             { return "nothing" }
func (nothing) Infer(in []lazy.Meta) (lazy.Meta, error) { return in[0], nil }
func (nothing) Border() lazy.Border                     { return lazy.Border{} }
func (nothing) Need(r lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{r.Grow(lazy.Halo{Before: lazy.Index{0, 1, 0, 1, 1}, After: lazy.Index{0, 1, 0, 1, 1}})}
}
func (nothing) Compute(context.Context, *lazy.Block, []*lazy.Block) error { return nil }

// BenchmarkTask is what a task costs beside its own work, planning, gathering and handing over: a plane of 8 x 8 chunks
// through an op that needs its neighbours and computes nothing, with nothing remembered. With -mutexprofile and GOMAXPROCS=16 it
// shows where sixteen workers wait for each other.
func BenchmarkTask(b *testing.B) {
	m := lazy.Meta{Shape: lazy.Shape{1, 64, 1, 2048, 4096}, Chunk: lazy.Shape{1, 8, 1, 256, 512}, DType: lazy.U8}
	a, err := lazy.Apply(nothing{}, lazy.FromSource(small{m}))
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{2, 16} {
		b.Run(fmt.Sprint(workers, " workers"), func(b *testing.B) {
			e := engine.New(engine.Options{Workers: workers, Memory: 1 << 30})
			defer e.Close()
			tasks := 0
			for b.Loop() {
				e.Clear()
				_, stats, err := e.Get(context.Background(), a, m.Shape.Whole().With(lazy.Z, 8, 9), engine.Priority{})
				if err != nil {
					b.Fatal(err)
				}
				tasks = stats.TasksRun
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tasks), "ns/task")
			b.ReportMetric(float64(tasks), "tasks")
		})
	}
}
