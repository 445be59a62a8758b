package viewer

import "lamella/filters"

// A Trial is a deconvolution of the chain that is watched: the part of the plane on view is computed alone, iteration by
// iteration, and what follows in the chain is left out. Nothing of the chain is computed as a whole meanwhile.
type Trial struct {
	Open      bool
	Step      int  // of the chain
	Iteration int  // on view; 0 is the newest that there is
	Paused    bool // no more iterations are begun
	Until     int  // how many iterations are done; 0 is as many as the chain says, and at least enough to see where it goes
}

// leastTried is how many iterations a Trial does at least.
const leastTried = 10

// CanWatch reports whether a step is a deconvolution that can be watched.
func CanWatch(s FilterStep) bool { return s.Watchable() }

// Watch opens a Trial of a step, which is switched on.
func Watch(step int) Action {
	return func(sc *Scene, s State) State {
		if step < 0 || step >= len(s.Chain) || !CanWatch(s.Chain[step]) {
			return s
		}
		if s.Chain[step].Off {
			s = SwitchFilter(step, true)(sc, s)
		}
		s.Trial = Trial{Open: true, Step: step}
		if s.Compare == Original {
			s.Compare = Result
		}
		return s
	}
}

// Unwatch ends the Trial: the chain is computed as it stands.
func Unwatch() Action {
	return func(_ *Scene, s State) State {
		s.Trial = Trial{}
		return s
	}
}

// ShowIteration shows the picture after so many iterations, once there is one; 0 is the newest, as they come.
func ShowIteration(n int) Action {
	return func(_ *Scene, s State) State {
		s.Trial.Iteration = max(0, n)
		return s
	}
}

// PauseTrial stops the iterations, or has them go on.
func PauseTrial(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Trial.Paused = on
		return s
	}
}

// GoOn has a Trial do as many iterations again.
func GoOn() Action {
	return func(sc *Scene, s State) State {
		if s.Trial.Open {
			s.Trial.Until, s.Trial.Paused, s.Trial.Iteration = 2*sc.until(s), false, 0
		}
		return s
	}
}

// KeepIteration has the chain do so many iterations, whatever rule it had for their end, and a Trial no more.
func KeepIteration(n int) Action {
	return func(sc *Scene, s State) State {
		t := s.Trial
		if !t.Open || n < 1 {
			return s
		}
		for _, name := range []string{"stop", "stop-divergence", "stopped"} {
			s = SetParam(t.Step, name, "")(sc, s)
		}
		s = chained(func(c filters.Chain) filters.Chain {
			c[t.Step] = c[t.Step].WithNumber("iterations", n)
			return c
		})(sc, s)
		t.Until, t.Iteration, t.Paused = max(n, s.Trial.Until), n, true
		s.Trial = t
		return s
	}
}

// until is how many iterations the Trial of a State does: where a rule ends them, as many as it says.
func (sc *Scene) until(s State) int {
	if s.Trial.Until > 0 {
		return s.Trial.Until
	}
	step := s.Chain[s.Trial.Step]
	if s.Trial.Step < len(sc.steps) {
		step = sc.steps[s.Trial.Step]
	}
	if step.Arg("stopped") != "0" {
		return step.Iterations()
	}
	return max(leastTried, step.Iterations())
}

// follow is the Trial after whatever has become of the chain.
func (t Trial) follow(c filters.Chain) Trial {
	if !t.Open || t.Step >= len(c) || c[t.Step].Off || !CanWatch(c[t.Step]) {
		return Trial{}
	}
	return t
}

// without is the Trial after a step has been taken out of the chain.
func (t Trial) without(step int) Trial {
	switch {
	case step == t.Step:
		return Trial{}
	case step < t.Step:
		t.Step--
	}
	return t
}
