package viewer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"lamella/lazy"
)

// A Saved is a session as a file keeps it: what was open, and all of the State that is not of the window it was in.
type Saved struct {
	Lamella int      // the version of the layout, savedVersion
	Sources []string // what was open, as seen from the folder of the file
	Axes    string   `json:",omitempty"` // the user's words on the sources, as the loaders take them
	Raw     string   `json:",omitempty"`
	Stored  bool     `json:",omitempty"`
	Joined  string   `json:",omitempty"` // what several sources were made; "" is whatever suits them
	State   State
}

// savedVersion is the layout that is written. A reader leaves out what it does not know, so it changes only where an
// older program would read a file wrongly.
const savedVersion = 1

// largestSaved is the most bytes of a session that are read.
const largestSaved = 64 << 20

// ErrNotSaved is what a file gives that is no session.
var ErrNotSaved = errors.New("viewer: not a session of Lamella")

// Encode writes a session as JSON, indented to be read and compared by people.
func (s Saved) Encode() ([]byte, error) {
	s.Lamella = savedVersion
	s.State = s.State.settled()
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("viewer: saving the session: %w", err)
	}
	return append(b, '\n'), nil
}

// settled is s without what is not finished or cannot be written: numbers must be finite.
func (s State) settled() State {
	for i := range s.Channels {
		s = s.withChannel(i, func(c *Channel) { c.Limits = c.Limits.apart() })
	}
	return s
}

// DecodeSaved reads a session. What it holds is brought back to what exists when it is shown.
func DecodeSaved(b []byte) (Saved, error) {
	if len(b) > largestSaved {
		return Saved{}, fmt.Errorf("viewer: a session of %d bytes is too large", len(b))
	}
	s := Saved{State: State{Chosen: -1, Fitted: true, Zoom: 1, Values: true}}
	if err := json.Unmarshal(b, &s); err != nil {
		return Saved{}, fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	switch {
	case s.Lamella < 1 || len(s.Sources) == 0:
		return Saved{}, ErrNotSaved
	case s.Lamella > savedVersion:
		return Saved{}, fmt.Errorf("viewer: the session is of a newer version of Lamella (layout %d, this one reads %d)", s.Lamella, savedVersion)
	}
	s.State.Shapes = slices.DeleteFunc(s.State.Shapes, func(h Shape) bool { return h.Kind == NoShape || !h.sound() })
	return s, nil
}

// Restore shows a dataset as a session of it was saved. Channels that the image does not have are left out, and those
// that the session does not have are as at first.
func Restore(set *lazy.Dataset, saved State, o Options) (*Session, error) {
	opened := set
	set, err := withDerived(opened, saved.Derived)
	if err != nil { // they were of something else
		set, saved.Derived = opened, nil
	}
	img := max(0, min(len(set.Images)-1, saved.Image))
	sc, err := NewScene(set, img, nil)
	if err != nil {
		return nil, err
	}
	next := saved
	next.Image = img
	next.Channels = opening(sc, img, State{}).Channels
	limits := make([]Limits, len(next.Channels))
	for i := range next.Channels {
		if i < len(saved.Channels) {
			c := saved.Channels[i]
			c.Limits = c.Limits.apart()
			if !(c.Gamma >= 0.1 && c.Gamma <= 10) {
				c.Gamma = 1
			}
			next.Channels[i] = c
		}
		limits[i] = next.Channels[i].Limits
	}
	for a, size := range next.Sizes {
		if !(size.Value >= 0) || math.IsInf(size.Value, 0) {
			next.Sizes[a] = Size{}
		}
	}
	if next.Slab.Half < 0 || next.Slab.Half > thickest || next.Slab.Half > 0 && !slices.Contains(Projections[:], next.Slab.How) {
		next.Slab = Slab{}
	}
	kinds := kindsOf(next.Chain) + next.Slab.kind()
	s := &Session{opened: opened, set: set, scene: sc, state: next, limits: map[string][]Limits{kinds: limits}, answers: map[string]answer{}, files: map[string]file{}}
	s.start(o)
	s.remake = true
	s.change(next)
	return s, nil
}

// Names of the choices of a State, in files. What a name means never changes.
var (
	samplings    = [...]string{"nearest", "linear"}
	arrangements = [...]string{"alone", "three-up", "by-channel", "by-image"}
	ruleKinds    = [...]string{"manual", "file", "robust", "imagej", "minmax"}
	blends       = [...]string{"add", "max"}
	comparisons  = [...]string{"result", "curtain", "original", "difference"}
)

func named(names []string, i int) ([]byte, error) {
	if i >= len(names) {
		return nil, fmt.Errorf("viewer: choice %d has no name", i)
	}
	return []byte(names[i]), nil
}

func choice(names []string, text []byte) (uint8, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, fmt.Errorf("viewer: %q is none of %s", text, strings.Join(names, ", "))
	}
	return uint8(i), nil
}

// MarshalText names a cut.
func (o Orientation) MarshalText() ([]byte, error) { return named(orientations[:], int(o)) }

// UnmarshalText finds a cut by its name.
func (o *Orientation) UnmarshalText(text []byte) error {
	i, err := choice(orientations[:], text)
	*o = Orientation(i)
	return err
}

// MarshalText names a sampling.
func (v Sampling) MarshalText() ([]byte, error) { return named(samplings[:], int(v)) }

// UnmarshalText finds a sampling by its name.
func (v *Sampling) UnmarshalText(text []byte) error {
	i, err := choice(samplings[:], text)
	*v = Sampling(i)
	return err
}

// MarshalText names an arrangement.
func (a Arrangement) MarshalText() ([]byte, error) { return named(arrangements[:], int(a)) }

// UnmarshalText finds an arrangement by its name.
func (a *Arrangement) UnmarshalText(text []byte) error {
	i, err := choice(arrangements[:], text)
	*a = Arrangement(i)
	return err
}

// MarshalText names a rule.
func (k RuleKind) MarshalText() ([]byte, error) { return named(ruleKinds[:], int(k)) }

// UnmarshalText finds a rule by its name.
func (k *RuleKind) UnmarshalText(text []byte) error {
	i, err := choice(ruleKinds[:], text)
	*k = RuleKind(i)
	return err
}

// MarshalText names a kind of shape.
func (k ShapeKind) MarshalText() ([]byte, error) { return named(shapeNames[:], int(k)) }

// UnmarshalText finds a kind of shape by its name.
func (k *ShapeKind) UnmarshalText(text []byte) error {
	i, err := choice(shapeNames[:], text)
	*k = ShapeKind(i)
	return err
}

// MarshalText names a way of blending.
func (b Blend) MarshalText() ([]byte, error) { return named(blends[:], int(b)) }

// UnmarshalText finds a way of blending by its name.
func (b *Blend) UnmarshalText(text []byte) error {
	i, err := choice(blends[:], text)
	*b = Blend(i)
	return err
}

// MarshalText names a comparison.
func (c Comparison) MarshalText() ([]byte, error) { return named(comparisons[:], int(c)) }

// UnmarshalText finds a comparison by its name.
func (c *Comparison) UnmarshalText(text []byte) error {
	i, err := choice(comparisons[:], text)
	*c = Comparison(i)
	return err
}
