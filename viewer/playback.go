package viewer

// A Playback says how planes are played along an axis. The zero Playback plays every plane ten times a second.
type Playback struct {
	PerSecond float64 // 0 is 10
	RealTime  bool    // planes are left out rather than the pace; else every plane is shown, as fast as it can be
	PingPong  bool    // to and fro, not round and round

	back bool // on the way back
}

// Rates are the usual numbers of planes a second.
var Rates = [...]float64{1, 2, 5, 10, 15, 24, 30, 60}

// Rate is how many planes are played a second.
func (p Playback) Rate() float64 {
	if p.PerSecond > 0 {
		return p.PerSecond
	}
	return 10
}

// Next is the plane that comes so many steps after plane at of n, and the Playback from there.
func (p Playback) Next(at, n, steps int) (int, Playback) {
	if n < 2 {
		return 0, p
	}
	if !p.PingPong {
		p.back = false
		return (at + steps) % n, p
	}
	// A way there and back is 2(n-1) steps long; phase is how far along it is.
	period := 2 * (n - 1)
	phase := at
	if p.back {
		phase = period - at
	}
	phase = (phase + steps) % period
	if p.back = phase >= n-1; p.back {
		return period - phase, p
	}
	return phase, p
}

// Steps is how many steps are due after a time since the last, and the time that is left over: one at most where
// every plane is shown.
func (p Playback) Steps(seconds float64) (steps int, left float64) {
	due := seconds * p.Rate()
	if due < 1 {
		return 0, seconds
	}
	if !p.RealTime {
		return 1, 0
	}
	steps = int(due)
	return steps, seconds - float64(steps)/p.Rate()
}
