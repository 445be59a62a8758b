package viewer

import (
	"image"
	"slices"

	"lamella/filters"
	"lamella/lazy"
)

// An Orientation says which way the volume is cut.
type Orientation uint8

// The cuts along the axes. ZY is YZ turned, as it stands beside an XY plane with rows in line.
const (
	XY Orientation = iota
	XZ
	YZ
	ZY
)

// Axes are the axis that runs to the right, the one that runs down, and the one that the plane
// is normal to.
func (o Orientation) Axes() (across, down, normal lazy.Axis) {
	switch o {
	case XZ:
		return lazy.X, lazy.Z, lazy.Y
	case YZ:
		return lazy.Y, lazy.Z, lazy.X
	case ZY:
		return lazy.Z, lazy.Y, lazy.X
	}
	return lazy.X, lazy.Y, lazy.Z
}

// Sampling says what a device pixel between voxel centres shows.
type Sampling uint8

// Nearest shows each voxel as a box of one colour, Linear blends neighbouring values.
const (
	Nearest Sampling = iota
	Linear
)

// A State is all that decides what the window shows. It is a value: Actions make new ones and
// never write into the slices of an old one.
type State struct {
	Image       int // which image of the dataset
	Arrangement Arrangement
	Together    []int // the images that stand beside it with ByImage
	Cut         Orientation
	At          lazy.Index         // the voxel of the finest level that the planes go through; At[C] is the active channel
	Size        image.Point        `json:"-"` // of the viewport of the first picture, in device pixels
	Beside      []image.Point      `json:"-"` // of the other pictures
	Zoom        float64            // device pixels for one voxel along X (of as many along the others as their size says)
	Center      [lazy.Rank]float64 // the position in the middle of every viewport; T and C are of no meaning
	Fitted      bool               // Zoom and Center follow Size so that the whole plane is on view

	Sizes    Sizes // of voxels, where a person has said them
	Channels []Channel
	Solo     bool // only the active channel is drawn
	Blend    Blend
	HiLo     bool // what lies at the limits or beyond is drawn in blue and red
	Slab     Slab
	Compare  Comparison
	Curtain  float64 // where the curtain of a comparison hangs, as a share of the width
	Chain    filters.Chain
	Aside    filters.Chain // filters to compare with, in place of the stored voxels
	Draft    Draft         `json:"-"` // of a stencil in the chain
	Trial    Trial         `json:"-"` // of a deconvolution in the chain
	Sampling Sampling
	ScaleBar bool
	Stamp    bool    // the time and the position stand on the picture
	Legend   bool    // and the colours of its channels
	Values   bool    // large voxels have a grid between them and their values on them
	Sampled  bool    // the histogram is of the whole image, not of the plane
	Overlay  Overlay // labels over the picture
	Chunks   bool    // the storage grid is drawn, with the state of each chunk
	Overview bool    // the whole plane stands small in a corner while a part of it is on view

	Shapes []Shape // drawn to measure by, on all planes
	Chosen int     // one of them, or -1
	Pencil Pencil  `json:"-"`

	Bookmarks []Bookmark
	Derived   []Derived // images made of others, in the order in which they stand behind those of the file
}

// A Channel is how one channel is shown.
type Channel struct {
	Name    string
	Visible bool
	LUT     string   // a name of package assets, FileLUT, or "" for a ramp from black to Color
	Color   [3]uint8 // of the ramp, and of the channel's mark in the list
	Limits  Limits
	Gamma   float64 // exponent of the position between the limits, 1 is straight
	Mirror  bool    `json:"-"` // the colours run from the middle of Limits to both ends, as for a difference
	Faded   float64 // how much of its light is taken away, 0 to 1: what is left of it is its opacity
	Rule    Rule    // how Limits come about
}

// FileLUT names the palette that the file itself gives a channel.
const FileLUT = "file"

// Limits are the values mapped to the first and the last colour of the LUT.
type Limits struct{ Low, High float64 }

// Shown lists the channels that are drawn, in order.
func (s State) Shown() []int {
	if s.Solo {
		return []int{s.At[lazy.C]}
	}
	var shown []int
	for i, c := range s.Channels {
		if c.Visible {
			shown = append(shown, i)
		}
	}
	return shown
}

// Active is the channel whose limits and histogram the window shows.
func (s State) Active() int { return s.At[lazy.C] }

// plane names the plane on view, whatever part of it is.
func (s State) plane() plane {
	at := s.At
	across, down, _ := s.Cut.Axes()
	at[across], at[down], at[lazy.C] = 0, 0, 0
	return plane{s.Cut, at}
}

type plane struct {
	cut Orientation
	at  lazy.Index
}

// withChannel is s with channel i changed; the old slice stays as it is.
func (s State) withChannel(i int, change func(*Channel)) State {
	if i < 0 || i >= len(s.Channels) {
		return s
	}
	s.Channels = slices.Clone(s.Channels)
	change(&s.Channels[i])
	return s
}

// made is what a person made of the picture, without where they look at it from. Undo goes from
// one of these to the one before.
func (s State) made() made {
	return made{s.Sizes, s.Channels, s.Solo, s.Blend, s.HiLo, s.Slab, s.Chain, s.Aside, s.Sampling, s.ScaleBar, s.Stamp, s.Legend, s.Shapes, s.Bookmarks, s.Overlay.without(), nil}
}

type made struct {
	sizes    Sizes
	channels []Channel
	solo     bool
	blend    Blend
	hiLo     bool
	slab     Slab
	chain    filters.Chain
	aside    filters.Chain
	sampling Sampling
	scaleBar bool
	stamp    bool
	legend   bool
	shapes   []Shape
	marks    []Bookmark
	overlay  Overlay
	side     *sideLimits // of what the result is compared with, nil where it is not
}

func (m made) equal(o made) bool {
	return m.sizes == o.sizes && slices.Equal(m.channels, o.channels) && m.solo == o.solo &&
		m.blend == o.blend && m.hiLo == o.hiLo && m.slab == o.slab &&
		equalChains(m.chain, o.chain) && equalChains(m.aside, o.aside) && m.sampling == o.sampling && m.scaleBar == o.scaleBar && m.stamp == o.stamp && m.legend == o.legend &&
		slices.EqualFunc(m.shapes, o.shapes, Shape.Equal) && slices.Equal(m.marks, o.marks) && m.overlay == o.overlay && m.side.equal(o.side)
}

func equalStep(a, b filters.Step) bool {
	return a.Filter == b.Filter && a.Off == b.Off && slices.Equal(a.Args, b.Args)
}

// with is s looked at as before, but made as m says.
func (s State) with(m made) State {
	s.Sizes, s.Channels, s.Solo, s.Blend, s.HiLo, s.Slab = m.sizes, m.channels, m.solo, m.blend, m.hiLo, m.slab
	s.Chain, s.Aside, s.Sampling, s.Shapes, s.Bookmarks = m.chain, m.aside, m.sampling, m.shapes, m.marks
	s.ScaleBar, s.Stamp, s.Legend, s.Overlay = m.scaleBar, m.stamp, m.legend, m.overlay.with(s.Overlay.Object)
	return s
}
