package viewer

import (
	"slices"

	"lamella/filters"
	"lamella/lazy"
)

// What the filters make can be seen against what others make, which were set aside: A against B. Without them it is seen
// against the stored voxels. Every Comparison shows either.

// SetAside remembers the filters as they are, to be compared with whatever becomes of them.
func SetAside() Action {
	return func(_ *Scene, s State) State {
		s.Aside = slices.Clone(s.Chain)
		return s
	}
}

// SwapAside changes places between the filters and those set aside.
func SwapAside() Action {
	return func(_ *Scene, s State) State {
		if len(s.Aside) == 0 {
			return s
		}
		s.Chain, s.Aside, s.Draft = s.Aside, s.Chain, Draft{}
		return s
	}
}

// DropAside forgets the filters set aside: comparisons are against the stored voxels again.
func DropAside() Action {
	return func(_ *Scene, s State) State {
		s.Aside = nil
		return s
	}
}

// aside is the scene of the filters that are set aside; an error is why there is none yet.
func (s *Session) aside(p State) (*Scene, error) {
	if len(p.Aside) == 0 {
		return newScene(s.set, s.scene.image, p.Sizes, nil, p.Slab)
	}
	raw := restated(s.set.Images[s.scene.image].Levels[:1], p.Sizes)[0]
	chain, open, _, err := s.known(p.Aside, raw)
	if err != nil {
		if open != nil && s.scene.Fault == nil {
			newest(s.loop.asks, open)
		}
		return nil, err
	}
	sc, err := newScene(s.set, s.scene.image, p.Sizes, chain, p.Slab)
	switch {
	case err != nil:
		return nil, err
	case sc.Fault != nil:
		return nil, sc.Fault
	}
	return sc, nil
}

// counterpart are the arrays that a scene is compared with, level by level, and the names of the filters that made them.
func (sc *Scene) counterpart(other *Scene) (levels []lazy.Array, kinds string) {
	if other.Filtered() {
		return other.Shown, other.kinds
	}
	return sc.Raw, ""
}

func equalChains(a, b filters.Chain) bool { return slices.EqualFunc(a, b, equalStep) }
