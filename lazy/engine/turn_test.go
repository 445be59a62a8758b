package engine

import (
	"context"
	"testing"
)

func TestWhatMayBeginInALane(t *testing.T) {
	for _, c := range []struct {
		name                   string
		visible                int // requests of what is on view
		shown, behind, helping int // workers of the lane
		elsewhere              int // workers beside the lane that are at an export or a guess
		lane                   int
		next                   Tier
		want                   bool
	}{
		{"an export uses all workers while nothing is on view", 0, 0, 3, 0, 2, computing, Background, true},
		{"and no more of them", 0, 0, 4, 0, 0, computing, Background, false},
		{"a worker that helps is at work", 0, 0, 3, 1, 0, computing, Background, false},
		{"what is on view does not wait for an export", 1, 0, 4, 0, 0, computing, Visible, true},
		{"nor for as many pieces of itself as there are processors", 1, 3, 4, 0, 0, computing, Visible, true},
		{"but for more", 1, 4, 0, 0, 0, computing, Visible, false},
		{"an export takes half of the workers while something is on view", 1, 0, 1, 0, 0, computing, Background, true},
		{"and no more of them", 1, 0, 2, 0, 0, computing, Background, false},
		{"wherever they are", 1, 0, 0, 0, 2, computing, Background, false},
		{"and so do guesses", 1, 0, 2, 0, 0, computing, Prefetch, false},
		{"but what waits for a disk holds up nobody else's reading", 1, 0, 3, 0, 2, reading, Background, true},
		{"other than a guess's", 1, 0, 2, 0, 0, reading, Prefetch, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &Engine{workers: 4, visible: c.visible, behind: c.behind + c.elsewhere}
			l := &e.lanes[c.lane]
			l.shown, l.behind, l.helping = c.shown, c.behind, c.helping
			l.ready = jobHeap{{order: order{tier: int(c.next)}}}
			if got := e.mayBegin(l); got != c.want {
				t.Errorf("it may begin: %v", got)
			}
		})
	}
}

func TestWhatRunsAloneForWantOfMemoryNeedsNoTurn(t *testing.T) {
	e := &Engine{workers: 2, visible: 1, behind: 1}
	if e.turn() {
		t.Fatal("an export takes more than half of the workers")
	}
	if e.narrowing = true; !e.turn() {
		t.Error("what all wait for waits for them")
	}
}

func TestAGuessThatIsReadyGoesBeforeAnExport(t *testing.T) {
	inOrder := []Tier{Visible, Prefetch, Background}
	for i, a := range inOrder {
		for k, b := range inOrder {
			if got := (order{tier: int(a), age: 9}).sooner(order{tier: int(b), age: 9}); got != (i < k) {
				t.Errorf("tier %d is sooner than tier %d: %v", a, b, got)
			}
		}
	}
}

// A guess that is to wait for what is on view keeps no worker from helping with that.
func TestAWorkerHelpsWhileGuessesWait(t *testing.T) {
	e := &Engine{workers: 2, visible: 1, behind: 1}
	lane := &e.lanes[computing]
	lane.ready = jobHeap{{order: order{tier: int(Prefetch)}}}
	done := 0
	l := &loop{ctx: context.Background(), part: func(int, int) { done++ }, n: 3, hands: []int{1}}
	e.loops = []*loop{l}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.wait(lane) != l {
		t.Fatal("the worker is not asked to help")
	}
	e.help(l, lane)
	if done != 3 {
		t.Errorf("%d of 3 parts were done", done)
	}
}
