package engine

import (
	"context"
	"testing"
)

// A guess that is to wait for what is on view keeps no worker from helping with that.
func TestAWorkerHelpsWhileGuessesWait(t *testing.T) {
	e := &Engine{workers: 2, visible: 1}
	lane := &e.lanes[computing]
	lane.guessing = 1
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
