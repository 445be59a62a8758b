package viewer

import (
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// growing is an acquisition of so many time points.
func growing(times int) *lazy.Dataset {
	f := formula{name: "growing", meta: lazy.Meta{Shape: lazy.Shape{times, 3, 1, 16, 16}, Chunk: lazy.Shape{1, 1, 1, 16, 16}, DType: lazy.U16},
		value: func(i lazy.Index) float64 { return float64(100*i[lazy.T] + i[lazy.X]) }}
	return dataset(f)
}

func TestWhatIsReadAgainKeepsViewChainLimitsAndEdits(t *testing.T) {
	b := open(t, growing(2), Options{})
	b.Act(Resize(64, 64))
	b.Act(MoveTo(lazy.Z, 2))
	b.Act(SetChain(filters.Chain{{Filter: "mean"}}))
	b.settled()
	b.Act(SetLimits(0, Limits{3, 77}))
	b.Act(SetSize(lazy.X, 0.5))
	b.Act(ZoomAt(10, 10, 2))
	was := b.State()
	e := engine.New(engine.Options{Memory: 32 << 20, Workers: 1})
	defer e.Close()
	for _, c := range []struct {
		name  string
		at    int // time point before
		times int // of what is read again
		then  Action
		want  int
	}{
		{"reload stays where it is", 1, 5, nil, 1},
		{"following goes on from the newest", 1, 5, Latest(b.Session), 4},
		{"a shorter one goes to its last", 1, 1, nil, 0},
	} {
		b.Act(MoveTo(lazy.T, c.at))
		if c.then != nil {
			c.then = Latest(b.Session)
		}
		s, err := Reopen(growing(c.times), b.Session, c.then, Options{Engine: e, Post: func(f func()) {}})
		if err != nil {
			t.Fatal(err)
		}
		now := s.State()
		if now.At[lazy.T] != c.want || now.At[lazy.Z] != 2 || now.Zoom != was.Zoom || now.Center != was.Center {
			t.Errorf("%s: at %v, zoom %v; was at %v, zoom %v", c.name, now.At, now.Zoom, was.At, was.Zoom)
		}
		if now.Channels[0].Limits != (Limits{3, 77}) || now.Chain.String() != was.Chain.String() || s.Scene().Meta().Scale[lazy.X] != 0.5 {
			t.Errorf("%s: limits %v, chain %v, scale %v", c.name, now.Channels[0].Limits, now.Chain, s.Scene().Meta().Scale)
		}
		if !s.CanUndo() || !s.Undo() || s.Scene().Meta().Scale[lazy.X] == 0.5 {
			t.Errorf("%s: the edit cannot be undone", c.name)
		}
		s.Close()
		<-s.Closed()
	}
	b.Act(MoveTo(lazy.T, 0))
	s, err := Reopen(growing(5), b.Session, Latest(b.Session), Options{Engine: e, Post: func(f func()) {}})
	if err != nil || s.State().At[lazy.T] != 0 {
		t.Errorf("following left an older time point for %v, %v", s.State().At, err)
	}
	s.Close()
	<-s.Closed()
}

// An array of which nothing was written is of one value, for which no limits are right.
func TestLimitsFoundInAnEmptyPlaneAreFoundAgainWhenVoxelsCome(t *testing.T) {
	empty := formula{name: "empty", meta: lazy.Meta{Shape: lazy.Shape{1, 3, 1, 16, 16}, Chunk: lazy.Shape{1, 1, 1, 16, 16}, DType: lazy.U16},
		value: func(lazy.Index) float64 { return 0 }}
	filled := empty
	filled.name, filled.value = "filled", func(i lazy.Index) float64 { return float64(1000 + 10*i[lazy.X]) }
	for _, c := range []struct {
		name string
		do   Action
		want Limits
	}{
		{"those that were found", nil, Limits{1000, 1150}},
		{"not those that were set", SetLimits(0, Limits{-0.5, 0.5}), Limits{-0.5, 0.5}},
	} {
		b := open(t, dataset(empty), Options{})
		b.Act(Resize(64, 64))
		b.settled()
		if l := b.State().Channels[0].Limits; l != (Limits{-0.5, 0.5}) {
			t.Fatalf("limits of what is empty are %v", l)
		}
		if c.do != nil {
			b.Act(c.do)
		}
		again := openWith(t, dataset(filled), Options{}, func(set *lazy.Dataset, o Options) (*Session, error) {
			return Reopen(set, b.Session, nil, o)
		})
		again.settled()
		if l := again.State().Channels[0].Limits; l != c.want {
			t.Errorf("%s: limits are %v, want %v", c.name, l, c.want)
		}
	}
}
