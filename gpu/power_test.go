//go:build cgo && !headless && linux

package gpu

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"lamella/filters"
	"lamella/filters/filtertest"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// Numbers of every size, those below the least with all bits, infinities and NaN among them: what pow and // make of
// them is told from the processor's by nothing on a software renderer, and elsewhere hardly.
func TestPowerAndQuotientOfAllNumbers(t *testing.T) {
	d := theDevice(t)
	ulps := 2
	if d.Info().Software() {
		ulps = 0
	}
	e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(err error) { t.Error(err) }})
	defer e.Close()
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -3, 0.5, 1 << 24, math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float32, 64*512)
	for i := range values {
		switch r.IntN(4) {
		case 0:
			values[i] = math.Float32frombits(r.Uint32())
		case 1:
			values[i] = special[r.IntN(len(special))]
		case 2:
			values[i] = float32(math.Round(r.NormFloat64() * 5))
		default:
			values[i] = float32(r.NormFloat64() * 3)
		}
	}
	shape := lazy.Shape{1, 1, 1, 64, 512}
	source := lazytest.Array(lazytest.Meta(lazy.F32, shape, shape), func(i lazy.Index) float64 { return float64(values[i[lazy.Y]*512+i[lazy.X]]) })
	for _, text := range []string{"pow(x, x[0,1])", "x // x[0,1]", "x // 9"} {
		chain, err := filters.Parse(`stencil "` + text + `"`)
		must(t, err)
		a, err := chain.Apply(source)
		must(t, err)
		want, err := filtertest.Processor(filtertest.Case{Array: a, Region: shape.Whole()})
		must(t, err)
		got, s, err := e.Get(context.Background(), a, shape.Whole(), engine.Priority{})
		must(t, err)
		if err := filtertest.Same(got, want, ulps); err != nil || s.Device != "gpu" {
			t.Errorf("%s on %s: %v", text, s.Device, err)
		}
	}
}
