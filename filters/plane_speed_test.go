package filters_test

import (
	"context"
	"testing"
	"time"

	"lamella/lazy"
)

// BenchmarkPlane runs filters on one plane of 2048 x 2048, alone on one thread, and beside it copies the same
// plane in memory by turns. It reports the speed of the best turn and its ratio to the best copy.
func BenchmarkPlane(b *testing.B) {
	const box = `stencil text="(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) `
	for _, c := range []struct {
		name, text string
		types      []lazy.DType
	}{
		{"mean 3x3", "mean size=1,3,3", []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.F32}},
		{"sobel", "sobel dims=2", []lazy.DType{lazy.U8, lazy.U16, lazy.F32}},
		{"text of the mean", box + `/ 9"`, []lazy.DType{lazy.F32}},
		{"text of the mean, floor", box + `// 9"`, []lazy.DType{lazy.U8, lazy.I8, lazy.U16}},
		{"text of 15 operations in 3-D", `stencil text="where(abs(x[1,0,0] - x[-1,0,0]) > abs(x[0,1,0] - x[0,-1,0]), max(x[0,0,1], x[0,0,-1]) * 0.5 + x[0,0,0], sqrt(abs(x[0,0,0] * x[0,1,1] - x[1,0,0])) / 2)"`,
			[]lazy.DType{lazy.F32}},
		{"median 3x3", "median size=1,3,3", []lazy.DType{lazy.U8, lazy.U16, lazy.F32}},
	} {
		for _, d := range c.types {
			b.Run(c.name+"/"+d.String(), func(b *testing.B) { plane(b, c.text, d) })
		}
	}
}

func plane(b *testing.B, text string, d lazy.DType) {
	m := lazy.Meta{Shape: lazy.Shape{1, 3, 1, 2048, 2048}, Chunk: lazy.Shape{1, 3, 1, 2048, 2048}, DType: d}
	tile := lazy.At(lazy.Index{0, 1, 0, 0, 0}, lazy.Shape{1, 1, 1, 2048, 2048})
	a, err := must(text).Apply(lazy.FromSource(flat{m}))
	if err != nil {
		b.Fatal(err)
	}
	n := a.Node()
	if n.In[0].Op != nil {
		b.Fatalf("%s takes more than one pass", text)
	}
	g := lazy.NewGather(n.Op.Need(tile, n.InMetas())[0], d, m.Shape, n.Op.Border())
	dst, from, to := lazy.NewBlock(tile, n.Meta.DType), lazy.NewBlock(tile, d), lazy.NewBlock(tile, d)
	best, copied := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		if err := n.Op.Compute(context.Background(), dst, []*lazy.Block{g.Dst}); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		copy(to.Bytes(), from.Bytes())
		best, copied = min(best, middle.Sub(start)), min(copied, time.Since(middle))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(tile.Voxels())/float64(best.Nanoseconds())*1e3, "Mvoxel/s")
	b.ReportMetric(copied.Seconds()/best.Seconds(), "of-memcpy")
}
