package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// Grey morphology with a box, as scipy.ndimage has it: an erosion is the minimum in the box, a dilation the
// maximum in the box turned around, so that one of even width reaches one voxel further after than before.
// Opening and closing are the two after each other; a top-hat is what they take away.
var (
	erosion = morphology("erosion", "Erosion", "The least value in a box: bright structures shrink.", "grey_erosion",
		func(m morph) (lazy.Array, error) { return m.erode(m.a) })
	dilation = morphology("dilation", "Dilation", "The greatest value in a box: bright structures grow.", "grey_dilation",
		func(m morph) (lazy.Array, error) { return m.dilate(m.a) })
	opening = morphology("opening", "Opening", "Erosion, then dilation: takes away bright structures that the box does not fit into.", "grey_opening",
		func(m morph) (lazy.Array, error) { return m.framed(m.open()) })
	closing = morphology("closing", "Closing", "Dilation, then erosion: fills dark structures that the box does not fit into.", "grey_closing",
		func(m morph) (lazy.Array, error) { return m.framed(m.close()) })
	whiteTophat = morphology("white-tophat", "White top-hat", "The image minus its opening: bright structures smaller than the box, without their background.", "white_tophat",
		func(m morph) (lazy.Array, error) {
			opened, err := m.open()
			return m.minus(m.a, opened, err)
		})
	blackTophat = morphology("black-tophat", "Black top-hat", "The closing minus the image: dark structures smaller than the box, as bright ones.", "black_tophat",
		func(m morph) (lazy.Array, error) {
			closed, err := m.close()
			return m.minus(closed, m.a, err)
		})
)

func morphology(name, title, doc, reference string, compute func(morph) (lazy.Array, error)) Spec {
	return Spec{
		Name: name, Title: title, Doc: doc, Reference: "scipy.ndimage." + reference,
		Params: []Param{
			{Name: "size", Kind: Length, Counts: true, Default: "3", Unit: "voxels", PerAxis: true, Min: 1, Max: 1023,
				Doc: "width of the box; 1 leaves an axis alone"},
			borderParam, dtypeParam,
		},
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			w, err := v.widths()
			if err != nil {
				return lazy.Array{}, err
			}
			out, err := compute(morph{a, boxHalo(w), v.border()})
			if err != nil {
				return lazy.Array{}, err
			}
			return cast(out, v.dtype(a.Meta().DType))
		},
	}
}

// A morph is an image with the box and the border of a morphological filter on it.
type morph struct {
	a    lazy.Array
	box  lazy.Halo
	edge lazy.Border
}

func (m morph) erode(a lazy.Array) (lazy.Array, error) { return extremes(a, m.box, least, m.edge) }

func (m morph) dilate(a lazy.Array) (lazy.Array, error) {
	return extremes(a, lazy.Halo{Before: m.box.After, After: m.box.Before}, greatest, m.edge)
}

func (m morph) open() (lazy.Array, error) {
	a, err := m.erode(m.a)
	if err == nil {
		a, err = m.dilate(a)
	}
	return a, err
}

func (m morph) close() (lazy.Array, error) {
	a, err := m.dilate(m.a)
	if err == nil {
		a, err = m.erode(a)
	}
	return a, err
}

// minus is the difference of two images, real where one of them is; exact for integers.
func (m morph) minus(a, b lazy.Array, err error) (lazy.Array, error) {
	if err != nil {
		return lazy.Array{}, err
	}
	difference, err := lazy.Apply(stencil.Op{Kernel: differenceKernel, Out: m.a.Meta().DType}, a, b)
	return m.framed(difference, err)
}

// framed blanks what two steps look beyond the edge for.
func (m morph) framed(a lazy.Array, err error) (lazy.Array, error) {
	if err != nil {
		return lazy.Array{}, err
	}
	turned := lazy.Halo{Before: m.box.After, After: m.box.Before}
	return within(a, m.box.Add(turned), m.edge)
}
