package viewer

import "lamella/lazy"

// Reopen shows a dataset that has been read again in the way in which an older Session shows it: the same plane,
// chain, limits and edits, as far as there are the same image and channels, and with the same steps to undo. The
// older Session stays as it is. then, which may be nil, is one more Action before anything is asked for.
func Reopen(set *lazy.Dataset, from *Session, then Action, o Options) (*Session, error) {
	opened, left := set, from.state.Derived
	set, err := withDerived(opened, left)
	if err != nil { // they were of something that is not there any more
		set, left = opened, nil
	}
	img := min(from.state.Image, len(set.Images)-1)
	sc, err := NewScene(set, max(0, img), nil)
	if err != nil {
		return nil, err
	}
	s := &Session{opened: opened, set: set, scene: sc, limits: from.limits, history: from.history, answers: map[string]answer{}, files: map[string]file{}}
	next := from.state
	next.Derived = left
	if fresh := opening(sc, img, next); img != next.Image || len(fresh.Channels) != len(next.Channels) {
		fresh.Chain, fresh.Cut, fresh.At, fresh.Derived = next.Chain, next.Cut, next.At, left
		next, s.history, s.limits = fresh, history{}, map[string][]Limits{}
	}
	next = soughtAgain(next)
	s.state = next
	s.start(o)
	s.remake = true
	s.scene.kinds = from.scene.kinds // limits are those of these filters
	if then != nil {
		next = then(sc, next)
	}
	s.change(next)
	return s, nil
}

// soughtAgain has limits found anew that a rule has found where all voxels were the same, as before an acquisition wrote
// anything there: no other voxel could be told from another between them.
func soughtAgain(s State) State {
	for i, ch := range s.Channels {
		if l := ch.Limits; ch.Rule.Kind > FromFile && l == around((l.Low+l.High)/2) {
			s = s.withChannel(i, func(c *Channel) { c.Rule.Pending = true })
		}
	}
	return s
}

// Latest goes to the newest time point if the older Session stood on its newest; with a stack that grows along
// Z and has no time, to the newest plane.
func Latest(from *Session) Action {
	was, at := from.scene.Meta().Shape, from.state.At
	return func(sc *Scene, s State) State {
		shape := sc.Meta().Shape
		for _, a := range []lazy.Axis{lazy.T, lazy.Z} {
			if shape[a] > was[a] && at[a] == was[a]-1 {
				s.At[a] = shape[a] - 1
			}
		}
		return s
	}
}
