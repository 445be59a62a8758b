package filters

import (
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
)

// An optics is what the light of a point goes through. Lengths are in micrometres.
type optics struct {
	aperture, length, index float64 // index is that of the immersion

	// Of a point below a cover glass: the index around it and how far below, the place along z of its brightest image, and
	// whether planes go to the glass.
	specimen, depth, focus float64
	shallower              bool

	phase func(o optics, rho, z float64) float64 // of the light at a part of the aperture's radius
	open  float64                                // the part of it that lets light through
	steps int                                    // of Simpson's rule
}

// readOptics sets what all models of diffraction have.
func (m *psfModel) readOptics(v values) error {
	var err error
	if m.length, err = v.world("wavelength", 0.1, 100, "a length of light such as 520nm"); err != nil {
		return err
	}
	if slices.ContainsFunc(m.step[1:], func(s float64) bool { return s <= 0 }) {
		return fmt.Errorf("the image does not state its voxel size, which the model needs")
	}
	m.aperture, m.index, m.open = v.number("na"), v.number("index"), 1
	if m.aperture >= m.index {
		return fmt.Errorf("na=%g index=%g: the aperture is less than the index", m.aperture, m.index)
	}
	if m.step[0] <= 0 {
		if v.meta.Shape[lazy.Z] > 1 {
			return fmt.Errorf("the image does not state its voxel size along z, which the model needs")
		}
		m.step[0] = 1
	}
	m.values = psfModel.diffracted
	return nil
}

// world is a parameter that is a length in micrometres.
func (v values) world(name string, least, most float64, what string) (um float64, err error) {
	p, _ := v.spec.Param(name)
	q, err := p.number(v.text[name])
	if err != nil || !q.um || q.value < least || q.value > most {
		return 0, fmt.Errorf("%s=%s: expected %s", name, v.text[name], what)
	}
	return q.value, nil
}

// reaching sets the lengths that are not given: to the third zero along z, and as far again, and as wide as the light is there.
func (m *psfModel) reaching(further float64) {
	deep := 6*m.index*m.length/(m.aperture*m.aperture) + further
	wide := 4*0.61*m.length/m.aperture + deep*m.aperture/m.index/2
	for i, reach := range [3]float64{deep, wide, wide} {
		if m.size[i] == 0 {
			m.size[i] = 2*min(64, int(math.Ceil(reach/m.step[i]))) + 1
		}
	}
}

// bornWolf is scalar diffraction at a circular aperture: Born and Wolf, Principles of Optics, section 8.8; at radius r and
// height z
//
//	|∫₀¹ J₀(k NA r ρ) e^(-i k NA² z ρ² / 2n) ρ dρ|²
func (m *psfModel) bornWolf(v values) error {
	if err := m.readOptics(v); err != nil {
		return err
	}
	m.steps = 512
	m.phase = func(o optics, rho, z float64) float64 {
		return -2 * math.Pi / o.length * o.aperture * o.aperture * z * rho * rho / (2 * o.index)
	}
	m.reaching(0)
	return nil
}

// deepest is how far below the glass a point may be, for which the steps of the rule are enough.
const deepest = 100

// gibsonLanni is the light of a point at some depth below a cover glass, in a specimen of another index than the immersion:
// Gibson and Lanni, Journal of the Optical Society of America A 8 (1991) 1601, with glass and immersion as the objective was
// made for. The phase at ρ, with n of the immersion, s of the specimen and a = NA ρ, is
//
//	k ((z - depth n/s) √(n² - a²) + depth √(s² - a²))
//
// where z is what the immersion is thicker by. Light beyond a = s never leaves the specimen. The origin is the brightest
// point of the axis, so that deconvolution moves nothing.
func (m *psfModel) gibsonLanni(v values) (err error) {
	if err = m.readOptics(v); err != nil {
		return err
	}
	if m.depth, err = v.world("depth", 0, deepest, fmt.Sprintf("a length from 0um to %dum", deepest)); err != nil {
		return err
	}
	m.specimen, m.shallower = v.number("specimen"), v.text["planes"] == "shallower"
	m.open = min(1, m.specimen/m.aperture)
	m.steps = 512 + 2*int(8*m.depth)
	m.phase = func(o optics, rho, z float64) float64 {
		a2 := o.aperture * o.aperture * rho * rho
		root := func(n float64) float64 { return math.Sqrt(math.Max(0, n*n-a2)) - n } // but for what is the same at every ρ
		if !o.shallower {
			z = -z // the objective comes nearer, and the immersion thinner
		}
		z += o.focus - o.depth*o.index/o.specimen
		return 2 * math.Pi / o.length * (z*root(o.index) + o.depth*root(o.specimen))
	}
	m.values = func(m psfModel, dst []float32) {
		m.focus = m.brightest()
		m.diffracted(dst)
	}
	m.reaching(m.apart())
	return nil
}

// apart is how far from each other rays meet that come through the rim of the aperture, or nearly, and those about the axis.
func (o optics) apart() float64 {
	a := 0.95 * o.open * o.aperture
	return o.depth * math.Abs(o.index/o.specimen-math.Sqrt((o.index*o.index-a*a)/(o.specimen*o.specimen-a*a)))
}

// brightest is where on the axis the light is.
func (o optics) brightest() float64 {
	o.shallower = true
	bright := func(z float64) float64 {
		o.focus = z
		re, im := 0.0, 0.0
		for i := range o.steps + 1 {
			rho, w := o.rule(i)
			s, c := math.Sincos(o.phase(o, rho, 0))
			w *= rho
			re, im = re+w*c, im+w*s
		}
		return re*re + im*im
	}
	step, far := o.length/10, o.apart()+o.length
	best := 0.0
	for z, most := -far, 0.0; z <= far; z += step {
		if b := bright(z); b > most {
			most, best = b, z
		}
	}
	for lo, hi := best-step, best+step; hi-lo > 1e-5; { // which has one peak between
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if bright(a) < bright(b) {
			lo = a
		} else {
			hi = b
		}
		best = (lo + hi) / 2
	}
	return best
}

// rule is a place on the radius of the aperture and its weight, by Simpson's rule over the angle whose sine is the place: what has
// a root that ends at the rim of the open part is smooth so.
func (o optics) rule(i int) (rho, weight float64) {
	s, c := math.Sincos(float64(i) / float64(o.steps) * math.Pi / 2)
	weight = 2 + 2*float64(i%2)
	if i == 0 || i == o.steps {
		weight = 1
	}
	return o.open * s, weight / (3 * float64(o.steps)) * math.Pi / 2 * o.open * c
}

// diffracted is the light of a point at radius r and height z, |∫ J₀(k NA r ρ) e^(i phase) ρ dρ|² over the open part of the
// aperture.
func (m psfModel) diffracted(dst []float32) {
	k := 2 * math.Pi / m.length
	rings := map[[2]int][]float64{} // J₀(k NA r ρ) ρ with the weights of the rule, by |y| and |x|
	for y := range m.size[1]/2 + 1 {
		for x := range m.size[2]/2 + 1 {
			r := math.Hypot(float64(y)*m.step[1], float64(x)*m.step[2])
			ring := make([]float64, m.steps+1)
			for i := range ring {
				rho, w := m.rule(i)
				ring[i] = math.J0(k*m.aperture*r*rho) * rho * w
			}
			rings[[2]int{y, x}] = ring
		}
	}
	re, im := make([]float64, m.steps+1), make([]float64, m.steps+1)
	plane := -1
	m.each(func(n int, d [3]int) {
		if n/(m.size[1]*m.size[2]) != plane {
			plane = n / (m.size[1] * m.size[2])
			for i := range re {
				rho, _ := m.rule(i)
				im[i], re[i] = math.Sincos(m.phase(m.optics, rho, float64(d[0])*m.step[0]))
			}
		}
		a, b := 0.0, 0.0
		for i, w := range rings[[2]int{max(d[1], -d[1]), max(d[2], -d[2])}] {
			a += w * re[i]
			b += w * im[i]
		}
		dst[n] = float32(a*a + b*b)
	})
}
