package ui

import (
	"slices"
	"sync"
	"testing"
)

// However many functions gather while the toolkit draws, it has to take one from its queue to have them run, in order.
func TestAllThatGathersRunsAtOnceAndInOrder(t *testing.T) {
	var p posts
	var ran []int
	asked := 0
	add := func(f func()) {
		if p.add(f) {
			asked++
		}
	}
	for i := range 100 {
		add(func() {
			ran = append(ran, i)
			if i == 50 {
				add(func() { ran = append(ran, 100) })
			}
		})
	}
	if asked != 1 {
		t.Errorf("the toolkit was asked %d times for a hundred functions", asked)
	}
	p.run()
	if len(ran) != 100 || asked != 2 {
		t.Errorf("%d functions ran, and what one of them added was asked for %d times", len(ran), asked-1)
	}
	p.run()
	p.run()
	if len(ran) != 101 || !slices.IsSorted(ran) {
		t.Errorf("in the end they ran as %v", ran)
	}
}

// Each runs once, and those of one goroutine in its order, whoever adds beside it.
func TestNoPostIsLostBesideOthers(t *testing.T) {
	var p posts
	wake := make(chan struct{}, 1<<12)
	var all sync.WaitGroup
	counts := make([]int, 8) // written on this goroutine alone
	for g := range counts {
		all.Go(func() {
			for i := range 500 {
				if p.add(func() {
					if counts[g]++; counts[g] != i+1 {
						t.Errorf("goroutine %d: number %d ran at place %d", g, i+1, counts[g])
					}
				}) {
					wake <- struct{}{}
				}
			}
		})
	}
	go func() {
		all.Wait()
		close(wake)
	}()
	for range wake {
		p.run()
	}
	for g, n := range counts {
		if n != 500 {
			t.Errorf("goroutine %d: %d of 500 ran", g, n)
		}
	}
}
