package filters

import (
	"fmt"
	"slices"
	"strconv"

	"lamella/lazy"
)

// A Trial is a deconvolution of a box of an image that is watched while it iterates. At gives the box after some
// iterations, and Course how it went until then. A result is computed from the one of the stage before (Stages), so
// whoever has seen 3 iterations pays for 2 more to see 5, and whoever goes on after a pause sees the bits of one who did not
// pause. What a Trial gives is what the filter itself gives with the box as a block and the same halo, bit for bit.
//
// A box may be one plane: then what is computed is the slab that the plane's light comes from and goes to.
type Trial struct {
	Box lazy.Region // along z, y and x

	image, psf lazy.Array
	all        lazy.Array    // all channels of the image, of which the step acts on some; not valid where it acts on all
	which      []int         // on these
	op         deconvolution // with the halo
	method     lucyMethod
	stage      func(n int) int // from which n iterations are computed
}

// Watchable reports whether a Trial can be made of a step.
func (s Step) Watchable() bool { return iterates(s.Filter) }

func iterates(filter string) bool { return filter == "richardson-lucy" || filter == landweber }

// Trial is one of step n of a chain, which has been opened, on an image; what follows the step is left out. The PSF is cropped
// to its support. What lies around the box twice as far as the PSF reaches is taken into account; docs/DECONVOLUTION.md has how
// little the rest changes.
func (c Chain) Trial(a lazy.Array, n int, box lazy.Region, s Support) (Trial, error) {
	t, v, err := c.trial(a, n, box)
	if err != nil {
		return t, err
	}
	if t.psf, err = s.crop(t.psf); err != nil {
		return t, fmt.Errorf("filters: %s: %w", v.spec.Name, err)
	}
	for i, n := range lengths(t.psf.Meta()) {
		t.op.halo[i] = 2 * (n / 2)
	}
	t.stage = stageBefore
	return t, nil
}

// Against is the same with the PSF as it is and with as much of the image around the box as fits into so many bytes of
// memory: what a Trial is measured against. whole reports whether that is all of the image.
func (c Chain) Against(a lazy.Array, n int, box lazy.Region, bytes int64) (_ Trial, whole bool, err error) {
	t, _, err := c.trial(a, n, box)
	if err != nil {
		return t, false, err
	}
	t.stage = func(int) int { return 0 }
	least := lengths(t.psf.Meta())
	for i, ax := range space {
		t.op.halo[i] = t.image.Meta().Shape[ax]
		if t.op.edges == mirrored { // without an end
			t.op.halo[i] = max(box.Min[ax], t.image.Meta().Shape[ax]-box.Max[ax]) + haloFor(lengths(t.psf.Meta()))[i]
		}
	}
	for whole = true; t.Memory() > bytes; whole = false {
		longest := 0
		for i := range t.op.halo {
			if t.op.halo[i] > t.op.halo[longest] {
				longest = i
			}
		}
		if t.op.halo[longest] <= least[longest] {
			return t, false, fmt.Errorf("filters: there is not enough memory to compare with more than was computed: that takes %d MiB", t.Memory()>>20)
		}
		t.op.halo[longest] = t.op.halo[longest] * 3 / 4
	}
	return t, whole, nil
}

func (c Chain) trial(a lazy.Array, n int, box lazy.Region) (Trial, values, error) {
	a, err := c[:n].Apply(a)
	if err != nil {
		return Trial{}, values{}, err
	}
	of, err := c[n].chosen(a)
	if err != nil {
		return Trial{}, values{}, err
	}
	v, err := c[n].values(of.Meta())
	if err != nil {
		return Trial{}, v, err
	}
	t, err := v.trial(of, box)
	if t.which = c[n].Channels(); t.which != nil {
		t.all = a
	}
	if err != nil {
		err = fmt.Errorf("filters: %s: %w", v.spec.Name, err)
	}
	return t, v, err
}

// trial is one of what the parameters describe, with a halo of 0.
func (v values) trial(a lazy.Array, box lazy.Region) (Trial, error) {
	if !iterates(v.spec.Name) {
		return Trial{}, fmt.Errorf("it has no iterations to watch")
	}
	v.image = a
	psf, err := v.psf(a.Meta())
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Box: box, image: a, psf: psf, op: v.deconvolution(a.Meta(), v.lucy(), v.photons()), method: v.lucy()}
	if _, err := t.op.Infer([]lazy.Meta{a.Meta(), psf.Meta()}); err != nil {
		return Trial{}, err
	}
	return t, nil
}

// Stages are the iterations that are worth seeing, up to a number: 1, 2, 3, 5, 10, and on in steps that grow; and the last.
func Stages(most int) []int {
	var all []int
	for n := 1; n < most; n = stageAfter(n) {
		all = append(all, n)
	}
	return append(all, max(1, most))
}

func stageAfter(n int) int {
	for _, s := range []struct{ below, step int }{{3, 1}, {5, 2}, {30, 5}, {100, 10}, {300, 25}, {1000, 100}} {
		if n < s.below {
			return n + s.step
		}
	}
	return n + 500
}

// stageBefore is the greatest stage below n, or 0.
func stageBefore(n int) int {
	before := 0
	for s := 1; s < n; s = stageAfter(s) {
		before = s
	}
	return before
}

// Memory is how many bytes computing takes beside the results, at the most.
func (t Trial) Memory() int64 {
	op := t.pass(1)
	in := []lazy.Meta{t.image.Meta(), t.psf.Meta()}
	m, err := op.Infer(in)
	if err != nil {
		return 0
	}
	return op.Scratch(op.Tile(m).Whole(), in) + int64(4*op.Tile(m).Whole().Voxels())
}

// Padded is how many voxels are computed in each iteration, along z, y and x: the box with its halo and what the PSF reaches
// beyond.
func (t Trial) Padded() [3]int {
	p := t.pass(1)
	f := p.grid(p.data(0, 0))
	return [3]int{f.estimate[0].Max, f.estimate[1].Max, f.estimate[2].Max}
}

// Halo is how much around the box is taken into account, along z, y and x.
func (t Trial) Halo() [3]int { return t.op.halo }

// At is an image of the form of the filter's result, which holds the box after some iterations, and 0 elsewhere.
func (t Trial) At(iterations int) (lazy.Array, error) {
	s, err := t.state(iterations)
	if err != nil {
		return s, err
	}
	done, err := lazy.Apply(trialBox{t.pass(iterations)}, s, t.image)
	if err != nil || t.which == nil {
		return done, err
	}
	return beside(t.all, done, t.which)
}

// Channel is where channel c of the image is in a Course, and whether the step acts on it.
func (t Trial) Channel(c int) (int, bool) {
	if t.which == nil {
		return c, true
	}
	i := slices.Index(t.which, c)
	return i, i >= 0
}

// Course is how the iterations went, of each time point and channel: an array of two columns, each Progress's Change and
// Divergence, with as many rows as there were iterations.
func (t Trial) Course(iterations int) (lazy.Array, error) {
	s, err := t.state(iterations)
	if err != nil {
		return s, err
	}
	return lazy.Apply(trialCourse{t.pass(iterations)}, s, t.image)
}

// ReadCourse reads a block of one time point and channel of a Course.
func ReadCourse(b *lazy.Block) []Progress {
	v := lazy.View[float32](b)
	all := make([]Progress, len(v)/2)
	for i := range all {
		all[i] = Progress{float64(v[2*i]), float64(v[2*i+1])}
	}
	return all
}

// state is what iterations are gone on from.
func (t Trial) state(iterations int) (lazy.Array, error) {
	in := []lazy.Array{t.image, t.psf}
	if from := t.stage(iterations); from > 0 {
		before, err := t.state(from)
		if err != nil {
			return before, err
		}
		in = append(in, before)
	}
	return lazy.Apply(t.pass(iterations), in...)
}

func (t Trial) pass(to int) lucyPass {
	p := lucyPass{deconvolution: t.op, lucyMethod: t.method, box: t.Box, spread: t.psf.Meta().Shape, from: t.stage(to), to: to}
	p.iterations = to
	return p
}

// lengths are those of an image along z, y and x.
func lengths(m lazy.Meta) (n [3]int) {
	for i, a := range space {
		n[i] = m.Shape[a]
	}
	return n
}

// middle is a box of a length along each axis in the middle of an image, or all of an axis that is shorter.
func middle(m lazy.Meta, most [3]int) lazy.Region {
	r := m.Shape.Whole()
	for i, a := range space {
		n := min(most[i], m.Shape[a])
		lo := (m.Shape[a] - n) / 2
		r = r.With(a, lo, lo+n)
	}
	return r
}

// Iterations is how many a step does that iterates, as far as its parameters say.
func (s Step) Iterations() int {
	v, err := s.values(lazy.Meta{})
	if err != nil || !iterates(v.spec.Name) {
		return 0
	}
	return v.lucy().iterations
}

// WithNumber is the step with a parameter that is a whole number.
func (s Step) WithNumber(name string, n int) Step { return s.With(name, strconv.Itoa(n)) }

// A Work is what a deconvolution takes for all of an image.
type Work struct {
	Blocks int
	Block  [3]int  // along z, y and x
	Padded [3]int  // with what is computed around it
	Voxels float64 // of all blocks, padded, with all iterations
	Memory int64   // bytes that one block takes while it is computed

	tile lazy.Shape // a block
}

// Within is the work of the blocks that a region touches.
func (w Work) Within(r lazy.Region) Work {
	if w.Blocks > 0 {
		n := r.Cells(w.tile)
		w.Voxels *= float64(n) / float64(w.Blocks)
		w.Blocks = n
	}
	return w
}

// Work is that of step n of a chain, which has been opened and settled, on an image.
func (c Chain) Work(a lazy.Array, n int) (Work, error) {
	a, err := c[:n].Apply(a)
	if err != nil {
		return Work{}, err
	}
	if a, err = c[n].chosen(a); err != nil {
		return Work{}, err
	}
	v, err := c[n].values(a.Meta())
	if err != nil {
		return Work{}, err
	}
	v.image = a
	psf, err := v.psf(a.Meta())
	if err != nil || !iterates(v.spec.Name) {
		return Work{}, err
	}
	d := v.deconvolution(a.Meta(), v.lucy(), 1)
	if d.block, err = v.triple("block"); err == nil {
		d.halo, err = v.triple("halo")
	}
	if err != nil {
		return Work{}, err
	}
	m := a.Meta()
	tile := d.Tile(m)
	w := Work{Blocks: m.Shape.Whole().Cells(tile), tile: tile}
	middle := middle(m, [3]int{tile[lazy.Z], tile[lazy.Y], tile[lazy.X]}).With(lazy.T, 0, 1).With(lazy.C, 0, 1)
	w.Memory = d.Scratch(middle, []lazy.Meta{m, psf.Meta()})
	f := d.field(d.around(middle), psf.Meta().Shape)
	w.Voxels = float64(w.Blocks) * float64(v.lucy().iterations)
	for i, ax := range space {
		w.Block[i], w.Padded[i] = tile[ax], f.estimate[i].Max
		w.Voxels *= float64(w.Padded[i])
	}
	return w, nil
}
