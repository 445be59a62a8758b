package viewer

import (
	"slices"
	"testing"

	"lamella/lazy"
)

// ready waits until the planes of an axis are as a text says: "-" nothing, "o" stale, "~" under way, "#" ready.
func (b *bench) ready(a lazy.Axis, want string) {
	b.Helper()
	var got string
	b.until("readiness "+want, func(*Frame, Report) bool {
		got = ""
		for _, r := range b.report.Ready[a] {
			got += string("-o~#"[r])
		}
		return got == want
	})
}

func TestSlidersKnowWhatIsReady(t *testing.T) {
	f := steps() // six planes, a chunk each
	f.meta.Shape[lazy.T], f.meta.Chunk[lazy.T] = 2, 1
	b := open(t, dataset(f), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	b.ready(lazy.Z, "---#--")
	b.ready(lazy.T, "#-")
	b.Act(MoveTo(lazy.Z, 1))
	b.settled()
	b.ready(lazy.Z, "-#-#--")
	b.Act(AddFilter("sobel")) // needs a plane on each side
	b.settled()
	b.ready(lazy.Z, "o#oo--")
	b.Act(SwitchFilter(0, false))
	b.settled()
	b.ready(lazy.Z, "####--")
}

func TestWhatIsAskedForDuringASurveyIsSurveyedAfterIt(t *testing.T) {
	b := open(t, dataset(steps()), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	l := &loop{o: Options{Engine: b.engine}, ctx: t.Context(), surveys: make(chan survey, 1)}
	l.shown.wish = wish{b.Scene(), b.State()}
	l.surveying = true // of a wish without the storage grid
	l.shown.wish.state.Chunks = true
	l.survey()
	l.surveyed(survey{})
	l.work.Wait()
	select {
	case found := <-l.surveys:
		if len(found.chunks) > 0 {
			return
		}
	default:
	}
	t.Error("the storage grid that was switched on meanwhile was not looked up")
}

func TestManyPlanesAreSurveyedInStretches(t *testing.T) {
	f := zyx("long", lazy.U8, shape(1000000, 8, 8), func(z, _, _ int) float64 { return float64(z % 9) })
	f.meta.Chunk = shape(1, 8, 8)
	b := open(t, dataset(f), Options{})
	b.Act(Resize(16, 16))
	b.Act(MoveTo(lazy.Z, 999999))
	b.settled()
	b.until("a survey", func(_ *Frame, r Report) bool { return len(r.Ready[lazy.Z]) == stretches })
}

func TestWhatIsAheadGrowsTheLongerItGoesOneWay(t *testing.T) {
	f := zyx("many", lazy.U8, shape(200, 8, 8), func(z, _, _ int) float64 { return float64(z % 9) })
	f.meta.Chunk = shape(1, 8, 8)
	b := open(t, dataset(f), Options{})
	b.Act(Resize(16, 16))
	b.Act(MoveTo(lazy.Z, 0))
	b.settled()
	at := func() int { return b.State().At[lazy.Z] }
	readyAhead := func() (n int) {
		for at()+n+1 < len(b.report.Ready[lazy.Z]) && b.report.Ready[lazy.Z][at()+n+1] == Ready {
			n++
		}
		return n
	}
	b.Act(Step(lazy.Z, 1))
	b.settled()
	b.until("few planes ahead", func(*Frame, Report) bool { return readyAhead() >= 3 })
	for range 12 {
		b.Act(Step(lazy.Z, 1))
		b.settled()
	}
	b.until("more planes ahead", func(*Frame, Report) bool { return readyAhead() >= 10 })
}

func TestPlaybackGoesRoundOrToAndFro(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     Playback
		n     int
		steps int
		want  []int
	}{
		{"round and round", Playback{}, 3, 1, []int{1, 2, 0, 1}},
		{"to and fro", Playback{PingPong: true}, 3, 1, []int{1, 2, 1, 0, 1, 2}},
		{"to and fro of two", Playback{PingPong: true}, 2, 1, []int{1, 0, 1, 0}},
		{"left out", Playback{RealTime: true}, 5, 3, []int{3, 1, 4}},
		{"left out to and fro", Playback{PingPong: true}, 4, 2, []int{2, 2, 0, 2, 2}},
		{"one plane", Playback{PingPong: true}, 1, 1, []int{0, 0}},
	} {
		var got []int
		at := 0
		for range c.want {
			at, c.p = c.p.Next(at, c.n, c.steps)
			got = append(got, at)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestStepsThatAreDue(t *testing.T) {
	for _, c := range []struct {
		p       Playback
		seconds float64
		steps   int
		left    float64
	}{
		{Playback{}, 0.05, 0, 0.05}, {Playback{}, 0.1, 1, 0}, {Playback{}, 5, 1, 0},
		{Playback{PerSecond: 20, RealTime: true}, 0.52, 10, 0.02}, {Playback{PerSecond: 1, RealTime: true}, 0.9, 0, 0.9},
	} {
		if n, left := c.p.Steps(c.seconds); n != c.steps || !close2(left, c.left) {
			t.Errorf("%+v after %v s: %d steps and %v s, want %d and %v", c.p, c.seconds, n, left, c.steps, c.left)
		}
	}
}

func TestPositionsAreTypedAsNumbersOrWithAUnit(t *testing.T) {
	f := microns(zyx("placed", lazy.U8, shape(20, 8, 8), nil), 0.5, 1, 1)
	f.meta.Origin[lazy.Z] = -2
	f.meta.Unit[lazy.T] = "s"
	f.meta.Scale[lazy.T], f.meta.Shape[lazy.T], f.meta.Chunk[lazy.T] = 2, 5, 1
	sc, _ := scene(t, dataset(f), 10, 10)
	for _, c := range []struct {
		axis lazy.Axis
		text string
		want int
	}{
		{lazy.Z, "1", 0}, {lazy.Z, " 7 ", 6}, {lazy.Z, "0", 0}, {lazy.Z, "400", 19}, {lazy.Z, "1 µm", 6}, {lazy.Z, "1000 nm", 6}, {lazy.Z, "1.1um", 6},
		{lazy.Z, "0 µm", 4}, {lazy.Z, "-1 µm", 2}, {lazy.Z, "-9 µm", 0}, {lazy.Z, "1 m", 19}, {lazy.T, "4 s", 2}, {lazy.T, "0.1 min", 3},
	} {
		if got, err := sc.ParsePosition(c.axis, c.text); err != nil || got != c.want {
			t.Errorf("%v %q is %d, %v, want %d", c.axis, c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "x", "µm", "1 parsec", "--1 µm", "1.5.2 µm"} {
		if got, err := sc.ParsePosition(lazy.Z, text); err == nil {
			t.Errorf("%q is plane %d", text, got)
		}
	}
	if _, err := sc.ParsePosition(lazy.C, "1 µm"); err == nil {
		t.Error("a channel has a place")
	}
}
