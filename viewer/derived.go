package viewer

import (
	"errors"
	"fmt"
	"slices"

	"lamella/filters"
	"lamella/lazy"
)

// A Derived is an image that a person has made of another one, such as a part of it. It is a recipe, like all arrays:
// nothing is stored, and it is read through the image that it is of.
type Derived struct {
	Of    int // the image that it is made of
	Name  string
	Sizes Sizes // of the voxels of that image, as far as a person has said them
	Chain filters.Chain
}

// Derive makes a new image of the one on view and shows it, in the same colours and limits. Filters that leave voxels
// where they are stay in the list and act on the new image; others become part of it.
func (s *Session) Derive(name string, chain filters.Chain) error {
	sc := s.scene
	d := Derived{Of: sc.image, Name: name, Sizes: s.state.Sizes, Chain: chain}
	if sc.Fault != nil {
		return sc.Fault
	}
	moved := sc.steps.Moves() || sc.Meta().Shape != sc.Raw[0].Meta().Shape
	if moved {
		d.Chain = slices.Concat(sc.steps, chain)
	}
	next := s.state
	next.Derived = append(slices.Clone(next.Derived), d)
	set, err := withDerived(s.opened, next.Derived)
	if err != nil {
		return err
	}
	n := len(set.Images) - 1
	fresh, err := NewScene(set, n, nil)
	if err != nil {
		return err
	}
	from := s.state
	s.set, s.history, s.limits, s.sides = set, history{}, map[string][]Limits{}, nil
	s.scene = fresh
	s.state = fresh.clamp(opening(fresh, n, next))
	s.state.Derived = next.Derived
	s.change(fresh.like(s.state, from, moved))
	s.change(fresh.placed(s.state, from, sc, chain))
	return nil
}

// like is a first look at a derived image made to be like that at the image it is of.
func (sc *Scene) like(s, from State, moved bool) State {
	s.Blend, s.HiLo, s.Sampling, s.ScaleBar, s.Overview = from.Blend, from.HiLo, from.Sampling, from.ScaleBar, from.Overview
	s.Stamp, s.Legend, s.Values = from.Stamp, from.Legend, from.Values
	if len(from.Channels) == len(s.Channels) {
		s.Channels, s.Solo, s.At[lazy.C] = from.Channels, from.Solo, from.At[lazy.C]
	}
	if from.At[lazy.T] < sc.Meta().Shape[lazy.T] {
		s.At[lazy.T] = from.At[lazy.T]
	}
	if !moved {
		s.Chain, s.Slab = from.Chain, from.Slab
	}
	return s
}

// Discard takes a derived image away that no other one is made of, and shows the one that it was of.
func (s *Session) Discard() error {
	own := len(s.opened.Images)
	i := s.state.Image - own
	if i < 0 {
		return errors.New("viewer: the image on view is that of the file")
	}
	var left []Derived
	for k, d := range s.state.Derived {
		switch {
		case k == i:
			continue
		case d.Of == own+i:
			return fmt.Errorf("viewer: %s is made of the image on view", d.Name)
		case d.Of > own+i:
			d.Of--
		}
		left = append(left, d)
	}
	set, err := withDerived(s.opened, left)
	if err != nil {
		return err
	}
	of := s.state.Derived[i].Of
	s.set, s.state.Derived = set, left
	s.open(of)
	return nil
}

// IsDerived reports whether the image on view is one that a person has made.
func (s *Session) IsDerived() bool { return s.state.Image >= len(s.opened.Images) }

// withDerived is a dataset with the images that are made of its own, after them.
func withDerived(set *lazy.Dataset, all []Derived) (*lazy.Dataset, error) {
	if len(all) == 0 {
		return set, nil
	}
	out := *set
	out.Images = slices.Clip(slices.Clone(set.Images))
	for _, d := range all {
		if d.Of < 0 || d.Of >= len(out.Images) {
			return nil, fmt.Errorf("viewer: %s: there is no image %d to make it of", d.Name, d.Of)
		}
		img, err := d.image(out.Images[d.Of])
		if err != nil {
			return nil, fmt.Errorf("viewer: %s: %w", d.Name, err)
		}
		out.Images = append(out.Images, img)
	}
	return &out, nil
}

// image is the image itself, with as many levels as its recipe suits.
func (d Derived) image(of lazy.Image) (lazy.Image, error) {
	raw := restated(of.Levels, d.Sizes)
	fine, err := d.Chain.Apply(raw[0])
	if err != nil {
		return lazy.Image{}, err
	}
	img := of
	img.Name, img.Order, img.Assumed, img.Metadata = d.Name, lazy.Order{}, "", nil
	img.Made = joined(of.Made, d.Chain.Canonical().String())
	img.Levels = []lazy.Level{{Array: fine, Path: of.Levels[0].Path, Codec: of.Levels[0].Codec}}
	for l := 1; l < len(raw) && !d.Chain.Finest(); l++ {
		a, err := d.Chain.ApplyTo(raw[l], raw[0])
		if err != nil {
			break
		}
		img.Levels = append(img.Levels, lazy.Level{Array: a, Path: of.Levels[l].Path, Codec: of.Levels[l].Codec})
	}
	if n := fine.Meta().Shape[lazy.C]; n != raw[0].Meta().Shape[lazy.C] {
		img.Channels, img.RGB = nil, false
	}
	return img, nil
}

// joined is two chains one after the other, as text.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " | " + b
}

// Recipe is the text of all that was done to the voxels of the file: what made the image, and the filters on view.
// Of a difference it is that of the result.
func (sc *Scene) Recipe() string {
	if sc.result != nil {
		return sc.result.Recipe()
	}
	return joined(sc.Image.Made, sc.chain)
}

// CropTo is what cuts an image to the shape that is chosen, or else to what is on view of the plane, whole along the
// axis that is looked along. A voxel belongs to it if its centre does.
func (sc *Scene) CropTo(s State, view bool) (filters.Chain, error) {
	extent := Selection
	if view {
		extent = OnView
	}
	box, err := extent.box(sc, s)
	if err != nil {
		return nil, err
	}
	step := filters.Step{Filter: "crop"}
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		if from, to := box.Min[a], box.Max[a]; from > 0 || to < sc.Meta().Shape[a] {
			step = step.With(a.String(), fmt.Sprintf("%d:%d", from, to))
		}
	}
	if len(step.Args) == 0 {
		return nil, errors.New("viewer: that is all of the image")
	}
	return filters.Chain{step}, nil
}
