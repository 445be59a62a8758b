package viewer

import (
	"strings"
	"testing"
)

// Six planes in a chunk each: sobel reads three of them for a plane, and a slab of the maximum of three planes five.
func TestStagesAreTheCulledGraphStepByStep(t *testing.T) {
	b := open(t, dataset(steps()), Options{})
	b.Act(Resize(80, 64))
	b.settled()
	if b.report.Stages != nil {
		t.Error("without filters there are stages")
	}
	b.Act(AddFilter("sobel"))
	b.Act(AddFilter("mean"))
	b.Act(SwitchFilter(1, false))
	b.settled()
	held := func(g Stage) (n int) {
		for _, s := range g.Tasks {
			if s == Held {
				n++
			}
		}
		return n
	}
	b.until("the stages of sobel", func(_ *Frame, r Report) bool {
		return len(r.Stages) == 2 && r.Stages[0].Step == Reading && r.Stages[1].Step == 0 && held(r.Stages[0]) == 3 && held(r.Stages[1]) == len(r.Stages[1].Tasks)
	})
	if g := b.report.Stages[0]; len(g.Tasks) != 3 || g.Voxels != 3*80 {
		t.Errorf("reading is %+v", g)
	}
	for _, g := range b.report.Stages {
		if !g.CPUKnown || g.CPU <= 0 || g.GPUKnown {
			t.Errorf("what has run has the price %+v", g.Price)
		}
	}
	b.Act(SetSlab(Slab{"max", 1}))
	b.settled()
	b.until("the stages of a slab", func(_ *Frame, r Report) bool {
		return len(r.Stages) == 3 && r.Stages[2].Step == Projecting && len(r.Stages[0].Tasks) == 5 && held(r.Stages[2]) == 1
	})
	b.Act(SwitchFilter(1, true))
	b.settled()
	b.until("the stages of both", func(_ *Frame, r Report) bool { return len(r.Stages) == 4 && r.Stages[2].Step == 1 })
}

func TestAChainIsPastedAsText(t *testing.T) {
	sc, s := scene(t, dataset(steps()), 10, 10)
	a, err := PasteChain("  gaussian sigma=2 | sobel dims=2\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := act(sc, s, a).Chain.String(); got != "gaussian sigma=2 | sobel dims=2" {
		t.Errorf("%q", got)
	}
	for _, text := range []string{"", "hello", "gaussian sigma"} {
		if _, err := PasteChain(text); err == nil || !strings.HasPrefix(err.Error(), "viewer: the clipboard holds no filters") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
