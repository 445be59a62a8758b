package filters

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"lamella/lazy"
)

// Parameters that all deconvolutions have which iterate.
var (
	iterationParams = []Param{
		{Name: "iterations", Kind: Integer, Default: "10", Min: 1, Max: 10000,
			Doc: "more make it sharper, and the noise stronger"},
		{Name: "stop", Kind: Number, Default: "0", Min: 0, Max: 1,
			Doc: "ends the iterations when one moves less than this part of the light: 0.001 to 0.02; 0 for not before the last"},
		{Name: "stop-divergence", Kind: Number, Default: "0", Min: 0, Max: 1, Rare: true,
			Doc: "ends the iterations when one lessens the I-divergence from the data by less than this part: 0.001 to 0.05; 0 for not before the last"},
		{Name: "stopped", Kind: Integer, Default: "0", Min: 0, Max: 10000, Rare: true,
			Doc: "the iteration at which a stop rule holds, found once from a part in the middle of all channels where it is not given, the last of them; 0 for none"},
		{Name: "start", Kind: Level, Default: "mean", Choices: []string{"mean", "input"}, Min: 0, Max: math.MaxFloat32,
			Doc: "the first estimate: the mean of the image, the image, or a number"},
	}
	edgesParam = Param{Name: "edges", Kind: Choice, Default: "noncirculant", Choices: edgeNames,
		Doc: "what lies beyond the image: noncirculant for something that was not recorded, mirror for the image mirrored, zero for darkness"}
	groundParam = Param{Name: "background", Kind: Number, Default: "0", Min: 0, Max: math.MaxFloat32,
		Doc: "grey values that are no light of the specimen: the camera's offset and stray light"}
)

// richardsonLucy is maximum likelihood for Poisson noise, by the iteration of Richardson and Lucy (lucy.go).
var richardsonLucy = Spec{
	Name: "richardson-lucy", Title: "Richardson-Lucy",
	Doc:       "Puts light back to where it came from, by a point spread function (PSF): the estimate that makes the image likeliest with Poisson noise, iteration by iteration. Computed in blocks, each with a halo around it; both are chosen once from the PSF, the iterations and the memory, and stand in the chain.",
	Reference: "skimage.restoration.richardson_lucy (clip off) with edges=zero start=0.5; docs/DECONVOLUTION.md has the formulas",
	Params: slices.Concat([]Param{psfParam, prepareParam}, iterationParams, []Param{
		{Name: "accelerate", Kind: Choice, Default: "false", Choices: []string{"false", "true"},
			Doc: "true lets each iteration start from where the ones before point to (Biggs and Andrews): a few times fewer are needed"},
		{Name: "tv", Kind: Number, Default: "0", Min: 0, Max: 1,
			Doc: "weight of total variation, which keeps noise down and edges sharp: 0.0005 to 0.01; 0 for none"},
		edgesParam, groundParam,
		{Name: "gain", Kind: Number, Default: "1", Min: 1e-6, Max: 1e6, Rare: true,
			Doc: "grey values of one photon: the result is in photons"},
		{Name: "epsilon", Kind: Number, Default: "1e-6", Min: 0, Max: 1, Rare: true,
			Doc: "the part of a block's largest value below which a blurred estimate is not divided by"},
	}, blockParams, []Param{dtypeParam}),
	build: func(a lazy.Array, v values) (lazy.Array, error) {
		if n, err := strconv.ParseFloat(v.text["start"], 64); err == nil && float32(n) < tiny {
			return lazy.Array{}, fmt.Errorf("start=%s: what is multiplied stays 0: expected a number above 0, mean or input", v.text["start"])
		}
		if err := v.checkStopped(); err != nil {
			return lazy.Array{}, err
		}
		return v.deconvolved(a, v.lucy(), v.photons())
	},
	asks: asksIterations,
}

// asksIterations is how the blocks of a deconvolution that iterates are found, and then, with a rule, where it ends.
func asksIterations(v values) statistic {
	s := asksBlocks(func(v values) (int, int) { return v.lucy().copies(), int(v.number("iterations")) })(v)
	return s.and(v.asksStop())
}

// lucy is the method that the parameters describe.
func (v values) lucy() lucyMethod {
	m := lucyMethod{
		name: v.spec.Name, iterations: int(v.number("iterations")), start: v.start(), accelerate: v.text["accelerate"] == "true",
		smooth: v.optional("tv"), thick: thickness(v.meta),
		background: v.number("background"), epsilon: v.optional("epsilon"), step: v.optional("step"),
	}
	if n := int(v.number("stopped")); n > 0 {
		m.iterations = min(m.iterations, n)
	}
	return m
}

// start is the first estimate, in one form for a number that may be written in several.
func (v values) start() string {
	p, _ := v.spec.Param("start")
	return p.canonical(v.text["start"])
}

// optional is a number that not all filters have, 0 for one that does not.
func (v values) optional(name string) float64 {
	if _, has := v.spec.Param(name); !has {
		return 0
	}
	return v.number(name)
}

// photons is what the result is multiplied by.
func (v values) photons() float64 {
	if gain := v.optional("gain"); gain > 0 {
		return 1 / gain
	}
	return 1
}

// thickness is how long a voxel is along z, y and x, the finest 1; all are 1 where lengths are not known.
func thickness(m lazy.Meta) [3]float64 {
	t := [3]float64{1, 1, 1}
	finest := math.Inf(1)
	for _, a := range live(m) {
		if m.Scale[a] <= 0 {
			return t
		}
		finest = math.Min(finest, m.Scale[a])
	}
	for i, a := range space {
		if m.Shape[a] > 1 {
			t[i] = m.Scale[a] / finest
		}
	}
	return t
}

// A lucyMethod is Richardson-Lucy, or Landweber's iteration in the same steps, with its parameters. It implements solver.
type lucyMethod struct {
	name                string
	iterations          int
	start               string
	accelerate          bool
	smooth              float64
	thick               [3]float64
	background, epsilon float64
	step                float64 // of Landweber's
}

func (m lucyMethod) key() string {
	return fmt.Sprintf("%s iterations %d start %s accelerate %v tv %g %v background %g epsilon %g step %g", m.name, m.iterations, m.start, m.accelerate, m.smooth, m.thick, m.background, m.epsilon, m.step)
}

func (m lucyMethod) copies() int {
	n := 0
	if m.accelerate {
		n += 2
	}
	if m.smooth > 0 {
		n++
	}
	return n
}

func (m lucyMethod) solve(ctx context.Context, f field, psf spread, data []float32, e edges) ([]float32, error) {
	l, err := m.begun(ctx, f, psf, data, e)
	if err != nil {
		return nil, err
	}
	return l.estimate, l.run(m.iterations)
}

// begun is the iteration before the first.
func (m lucyMethod) begun(ctx context.Context, f field, psf spread, data []float32, e edges) (*lucy, error) {
	l, err := m.prepared(ctx, f, psf, data, e)
	if err != nil {
		return nil, err
	}
	l.estimate = lazy.Borrow[float32](ctx, size(f.estimate))
	m.first(l)
	return l, nil
}

// prepared is ready to iterate, but that it has no memory for an estimate.
func (m lucyMethod) prepared(ctx context.Context, f field, psf spread, data []float32, e edges) (*lucy, error) {
	l, err := newLucy(ctx, f, psf, e == dark)
	if err != nil {
		return nil, err
	}
	l.data, l.accelerate, l.smooth, l.thick = data, m.accelerate, m.smooth, m.thick
	l.way = poisson
	if m.name == landweber {
		l.way = leastSquares(float32(m.step))
	}
	l.background, l.epsilon = float32(m.background), float32(m.epsilon)*peak(data)
	return l, nil
}

// first gives an iteration the estimate that it starts from.
func (m lucyMethod) first(l *lucy) {
	level := meanOf(l.data)
	if n, err := strconv.ParseFloat(m.start, 64); err == nil {
		level = float32(n)
	}
	if m.start == "input" {
		l.extend(l.estimate, l.data, level)
		return
	}
	for i := range l.estimate {
		l.estimate[i] = level
	}
}

// extend fills an estimate with data, and beyond them with the voxels at their edge; what is no number is level, what
// is negative 0.
func (f field) extend(estimate, data []float32, level float32) {
	nearest := func(a, i int) int { return between(f.data[a].Min, i, f.data[a].Max-1) }
	for z := range f.estimate[0].Max {
		for y := range f.estimate[1].Max {
			to, from := row(estimate, f.estimate, z, y), row(data, f.data, nearest(0, z), nearest(1, y))
			for x := range to {
				v := from[nearest(2, x)-f.data[2].Min]
				if !(v <= math.MaxFloat32 && v >= -math.MaxFloat32) {
					v = level
				}
				to[x] = max(0, v)
			}
		}
	}
}
