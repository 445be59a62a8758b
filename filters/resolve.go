package filters

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"lamella/lazy"
)

// A filter may take numbers from the voxels themselves, such as Otsu's threshold. They are found once, from a
// stated sample, before anything is planned, and become part of the chain, which then reads and computes the
// same everywhere:
//
//	threshold method=otsu            is open: it cannot be applied yet
//	threshold method=otsu value=812  has been resolved; the value counts, the method says where it is from
//
// Chain.Question gives the first open step of a chain and the sample that answers it. A Question is pure: whoever
// asks reads the voxels.

// ErrOpen is why a step that has an open question is not applied, and ErrNotOpen one whose file Chain.Open has not
// opened.
var (
	ErrOpen    = errors.New("its values are not found yet")
	ErrNotOpen = errors.New("the file is not open")
)

// A statistic is what a filter wants to know about the voxels; or, with a plan, how it divides its work, which depends on
// no voxel.
type statistic struct {
	sets  []string // the parameters that are found
	of    func(sample) ([]float64, error)
	plan  func() (texts []string, about string, err error)
	trial func(a lazy.Array) (of lazy.Array, at lazy.Region, about string, err error) // the sample is of what is made of the image
	next  *statistic                                                                  // what is asked when this is known

	from func(lazy.Meta) ([]lazy.Region, string)         // the sample and its words, where it is not the usual one
	each func([]*lazy.Block) (texts []string, err error) // in place of of, where the regions of the sample are told apart
}

// and is a statistic, and then another.
func (s statistic) and(next statistic) statistic {
	s.next = &next
	return s
}

// ask is what the step wants to know; ok is false if all its numbers are given.
func (v values) ask() (s statistic, ok bool) {
	if v.spec.asks == nil {
		return statistic{}, false
	}
	first := v.spec.asks(v)
	for s := &first; s != nil; s = s.next {
		for _, name := range s.sets {
			if !v.given[name] {
				return *s, true
			}
		}
	}
	return statistic{}, false
}

// A Question is what one step of a chain has to know about the voxels before the chain can be applied.
type Question struct {
	Step    int           // of the chain
	Array   lazy.Array    // what the step acts on: the image after the steps before it
	Regions []lazy.Region // the sample
	About   string        // the sample in words: "1310720 voxels in 5 planes"

	step Step
	stat statistic
}

// Question is the first open question of a chain on an image. Without one, ok is false.
func (c Chain) Question(a lazy.Array) (q Question, ok bool, err error) {
	for n, s := range c {
		if s.Off {
			continue
		}
		of, err := s.chosen(a)
		var v values
		if err == nil {
			v, err = s.values(of.Meta())
		}
		if err != nil {
			return Question{}, false, fmt.Errorf("%w (step %d of the chain)", err, n+1)
		}
		if stat, open := v.ask(); open && stat.plan != nil {
			if s, _, err = s.settled(v); err != nil {
				return Question{}, false, fmt.Errorf("%w (step %d of the chain)", err, n+1)
			}
			v.given["block"], v.given["halo"] = true, true
		}
		if stat, open := v.ask(); open {
			q := Question{Step: n, Array: of, step: s, stat: stat}
			if stat.trial != nil {
				q.Regions = make([]lazy.Region, 1)
				if q.Array, q.Regions[0], q.About, err = stat.trial(of); err != nil {
					err = fmt.Errorf("filters: %s: %w (step %d of the chain)", s.Filter, err, n+1)
				}
				return q, err == nil, err
			}
			channel, err := v.channel()
			if err != nil {
				return Question{}, false, fmt.Errorf("filters: %s: %w (step %d of the chain)", s.Filter, err, n+1)
			}
			if q.Regions, q.About = sampleOf(of.Meta(), channel); stat.from != nil {
				q.Regions, q.About = stat.from(of.Meta())
			}
			return q, true, nil
		}
		if a, err = s.apply(a); err != nil {
			return Question{}, false, fmt.Errorf("%w (step %d of the chain)", err, n+1)
		}
	}
	return Question{}, false, nil
}

// Key names the question: equal keys have equal answers.
func (q Question) Key() string {
	return fmt.Sprintf("%x %v", q.Array.Node().Hash, q.step)
}

// Answer is the step with what it wanted to know, from the voxels of the sample: a block for each of Regions.
func (q Question) Answer(blocks []*lazy.Block) (Step, error) {
	if q.stat.each != nil {
		texts, err := q.stat.each(blocks)
		if err != nil {
			return Step{}, fmt.Errorf("filters: %v: %w (step %d of the chain)", q.step, err, q.Step+1)
		}
		return q.step.answered(q.stat, func(i int) string { return texts[i] }), nil
	}
	found, err := q.stat.of(newSample(blocks))
	if err != nil {
		return Step{}, fmt.Errorf("filters: %v: %w (step %d of the chain)", q.step, err, q.Step+1)
	}
	return q.step.answered(q.stat, func(i int) string { return strconv.FormatFloat(found[i], 'g', -1, 64) }), nil
}

// With is the chain with a step that has been answered.
func (c Chain) With(n int, s Step) Chain {
	out := append(Chain(nil), c...)
	out[n] = s
	return out
}

// Resolve answers every open question of a chain on an image, from the first step to the last, and tells each as
// it is answered. read gives the voxels of a region; tell may be nil. The chain has been settled.
func (c Chain) Resolve(a lazy.Array, read func(lazy.Array, lazy.Region) (*lazy.Block, error), tell func(Question, Step)) (Chain, error) {
	for {
		q, open, err := c.Question(a)
		if !open || err != nil {
			return c, err
		}
		var blocks []*lazy.Block
		for _, r := range q.Regions {
			b, err := read(q.Array, r)
			if err != nil {
				return nil, fmt.Errorf("filters: finding the values of %v: %w", q.step, err)
			}
			blocks = append(blocks, b)
		}
		s, err := q.Answer(blocks)
		if err != nil {
			return nil, err
		}
		if c = c.With(q.Step, s); tell != nil {
			tell(q, s)
		}
	}
}

// Open reports whether the step takes numbers from the voxels that it does not hold yet.
func (s Step) Open(m lazy.Meta) bool {
	v, err := s.values(m)
	if err != nil {
		return false
	}
	_, open := v.ask()
	return open
}

// Reopened is the step without the numbers that it takes from the voxels, which are to be found again.
func (s Step) Reopened() Step {
	v, err := s.values(lazy.Meta{})
	if err != nil || v.spec.asks == nil {
		return s
	}
	first := v.spec.asks(v)
	for stat := &first; stat != nil; stat = stat.next {
		s = s.open(*stat)
	}
	return s
}

// answered is the step with what it does not name itself.
func (s Step) answered(stat statistic, value func(i int) string) Step {
	args := slices.Clone(s.Args)
	for i, name := range stat.sets {
		if !slices.ContainsFunc(s.Args, func(a Arg) bool { return a.Name == name }) {
			args = append(args, Arg{name, value(i)})
		}
	}
	s.Args = args
	return s
}

func (s Step) open(stat statistic) Step {
	kept := []Arg{}
	for _, a := range s.Args {
		if !slices.Contains(stat.sets, a.Name) {
			kept = append(kept, a)
		}
	}
	s.Args = kept
	return s
}

// Provisional is the chain with numbers in place of open questions that any image suits: what it is applied to has
// the shape, the type and the cost of the real one, and other voxels.
func (c Chain) Provisional() Chain {
	out := append(Chain(nil), c...)
	for n, s := range out {
		for {
			v, err := s.values(lazy.Meta{})
			if err != nil {
				break
			}
			stat, open := v.ask()
			if !open {
				break
			}
			s = s.open(stat).answered(stat, strconv.Itoa)
			out[n] = s
		}
	}
	return out
}
