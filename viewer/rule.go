package viewer

import "math"

// A Rule says how a channel's limits come about.
type Rule struct {
	Kind    RuleKind
	Press   int  // how often in a row it was asked for on one plane; each time saturates more
	Pending bool // the limits are still to be found

	plane plane // where it was asked for
}

// RuleKind names a way to find limits.
type RuleKind uint8

// The ways. FromFile takes what the file says (the whole range of the type for colour pictures),
// and Robust where it says nothing or filters changed the values.
const (
	Manual RuleKind = iota
	FromFile
	Robust
	ImageJ
	MinMax
	Whole // Robust, of chunks spread over the whole image
)

// tails are the shares of the values that Robust drops at each end, by the number of presses.
var tails = [...]float64{0.001, 0.0035, 0.01, 0.02}

// apart is l with the high limit above the low one, both finite.
func (l Limits) apart() Limits {
	l.Low = math.Max(-math.MaxFloat64/4, math.Min(math.MaxFloat64/4, l.Low))
	l.High = math.Max(-math.MaxFloat64/4, math.Min(math.MaxFloat64/4, l.High))
	if !(l.High > l.Low) {
		l.High = l.Low + reach(l.Low)
	}
	return l
}

// around are limits that enclose a single value and differ from it.
func around(v float64) Limits {
	d := reach(v)
	return Limits{math.Max(-math.MaxFloat64, v-d), math.Min(math.MaxFloat64, v+d)}
}

// reach is a step that changes v visibly: half for values of ordinary size, a millionth of
// larger ones.
func reach(v float64) float64 { return math.Max(0.5, math.Abs(v)*1e-6) }

// between is the limits a rule found, drawn apart when the values are all the same.
func between(low, high float64) Limits {
	if low == high {
		return around(low)
	}
	return Limits{low, high}.apart()
}
