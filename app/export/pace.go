package export

import "time"

// A Pace is how fast the parts of a job get done. What was done when it is told for the first time was done before. The
// zero Pace is ready.
type Pace struct {
	first, done int
	began, now  time.Time
}

// Left tells how far the job is, and gives how long the rest will take at the pace so far, in whole seconds; false
// as long as that is not known.
func (p *Pace) Left(done, total int, now time.Time) (time.Duration, bool) {
	if p.began.IsZero() || done < p.done { // it begins, or another stage of it does
		*p = Pace{first: done, began: now}
	}
	p.done, p.now = done, now
	made, passed := p.done-p.first, now.Sub(p.began)
	if made < 1 || passed <= 0 {
		return 0, false
	}
	return time.Duration(float64(passed) / float64(made) * float64(total-done)).Round(time.Second), true
}

// Rate is parts a second, when Left is known.
func (p *Pace) Rate() float64 { return float64(p.done-p.first) / p.now.Sub(p.began).Seconds() }
