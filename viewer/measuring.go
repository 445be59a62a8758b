package viewer

import (
	"context"

	"lamella/lazy"
)

// Measure has shapes measured in the background and hands the answer over by Post. A newer question takes the place
// of one that has no answer yet.
func (s *Session) Measure(shapes []Shape, channels []int, then func([]Measurement, error)) {
	sc, e := s.scene, s.loop.o.Engine
	s.measuring = s.ask(s.measuring, func(ctx context.Context) func() {
		m, err := Measure(ctx, e, sc, shapes, channels)
		return func() { then(m, err) }
	})
}

// Profile has the profiles of some channels along a line computed in the background, and hands them over by Post, in
// the order of the channels.
func (s *Session) Profile(line Shape, channels []int, then func([]Profile, error)) {
	sc, e := s.scene, s.loop.o.Engine
	s.profiling = s.ask(s.profiling, func(ctx context.Context) func() {
		all, err := profiles(channels, func(c int) (Profile, error) { return sc.Profile(ctx, e, line, c) })
		return func() { then(all, err) }
	})
}

// Through has the profiles of some channels at a voxel along an axis computed in the background, as Profile does.
func (s *Session) Through(at lazy.Index, axis lazy.Axis, channels []int, then func([]Profile, error)) {
	sc, e := s.scene, s.loop.o.Engine
	s.profiling = s.ask(s.profiling, func(ctx context.Context) func() {
		all, err := profiles(channels, func(c int) (Profile, error) { return sc.Through(ctx, e, at, axis, c) })
		return func() { then(all, err) }
	})
}

func profiles(channels []int, of func(c int) (Profile, error)) ([]Profile, error) {
	var all []Profile
	for _, c := range channels {
		p, err := of(c)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// ask ends the question before and works on a new one; what it gives runs by Post, unless a newer question came.
func (s *Session) ask(before context.CancelFunc, work func(context.Context) func()) context.CancelFunc {
	if before != nil {
		before()
	}
	l := s.loop
	if l.ctx.Err() != nil { // closed
		return nil
	}
	ctx, cancel := context.WithCancel(l.ctx)
	l.work.Go(func() {
		tell := work(ctx)
		if ctx.Err() == nil {
			l.o.Post(func() {
				if ctx.Err() == nil {
					tell()
				}
			})
		}
	})
	return cancel
}
