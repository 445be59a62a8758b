package viewer

import (
	"context"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// writing is a session with the editor open on a stencil.
func writing(t *testing.T) *bench {
	t.Helper()
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.Act(AddFilter("stencil"))
	b.settled()
	return b
}

func TestEveryTextThatCanBeDoneIsInThePictureWhileItIsWritten(t *testing.T) {
	b := writing(t)
	if d := b.State().Draft; !d.Open || d.Step != 0 || !strings.HasSuffix(d.Text, "// 9") || d.Unfinished() {
		t.Fatalf("adding a stencil opens %+v", d)
	}
	for _, c := range []struct {
		text, kept string
		column     int // of the mistake, 0 if there is none
	}{
		{"x", "x", 0},
		{"x[", "x", 3},
		{"x[0,1", "x", 6},
		{"x[0,1]", "x[0,1]", 0},
		{"x[0,1] - ", "x[0,1]", 10},
		{"x[0,1] - y", "x[0,1]", 10},
		{"x[0,1] - x", "x[0,1] - x", 0},
		{"", "x[0,1] - x", 1},
	} {
		b.Drag(WriteStencil(c.text))
		s := b.State()
		if s.Draft.Text != c.text || s.Chain[0].Arg("text") != c.kept || b.Scene().Fault != nil {
			t.Errorf("%q: the draft is %+v, the chain %v, the fault %v", c.text, s.Draft, s.Chain, b.Scene().Fault)
		}
		switch m := b.Scene().Mistake(s); {
		case c.column == 0 && m != nil, c.column > 0 && (m == nil || m.Line != 1 || m.Column != c.column):
			t.Errorf("%q: the mistake is %v, want column %d", c.text, m, c.column)
		}
		if s.Draft.Unfinished() != (c.column > 0) {
			t.Errorf("%q: unfinished is %v", c.text, s.Draft.Unfinished())
		}
	}
	b.settled()
}

func TestABrokenTextLeavesThePictureAndItsWorkAlone(t *testing.T) {
	b := writing(t)
	before := b.engine.Counters()
	b.Drag(WriteStencil("x[0,1"))
	b.Drag(WriteStencil("x[0,1 +"))
	f := b.settled()
	if f.Stale || b.Scene().Fault != nil {
		t.Error("the picture is greyed")
	}
	if now := b.engine.Counters(); now.TasksPlanned != before.TasksPlanned {
		t.Errorf("%d tasks were planned", now.TasksPlanned-before.TasksPlanned)
	}
}

func TestWritingIsOneStepToUndo(t *testing.T) {
	b := writing(t)
	first := b.State().Draft.Text
	for _, text := range []string{"x", "x[0,", "x[0,1]"} {
		b.Drag(WriteStencil(text))
	}
	b.Settle()
	b.Act(WriteStencil("x[1,0]"))
	b.Drag(WriteStencil("x[1,0] +"))
	for _, want := range []string{"x[0,1]", first} {
		b.Undo()
		if d := b.State().Draft; !d.Open || d.Text != want || d.Unfinished() {
			t.Errorf("undone, the editor holds %+v, want %q", d, want)
		}
	}
	b.Redo()
	if d := b.State().Draft; d.Text != "x[0,1]" {
		t.Errorf("done again, the editor holds %q", d.Text)
	}
	b.Undo()
	b.Undo()
	if d := b.State().Draft; d.Open || len(b.State().Chain) != 0 {
		t.Errorf("without the step there is %+v", d)
	}
	b.settled()
}

func TestAnUnfinishedTextIsThereAgainWhenTheEditorIsOpened(t *testing.T) {
	b := writing(t)
	b.Drag(WriteStencil("x[0,1] -"))
	b.Act(CloseStencil())
	if d := b.State().Draft; d.Open || !d.Unfinished() {
		t.Errorf("closed, it is %+v", d)
	}
	b.Act(EditStencil(0))
	if d := b.State().Draft; !d.Open || d.Text != "x[0,1] -" {
		t.Errorf("opened again, it is %+v", d)
	}
	b.Act(SetParam(0, "text", "x"))
	if d := b.State().Draft; d.Text != "x" {
		t.Errorf("with another text in the chain it is %+v", d)
	}
	b.settled()
}

func TestTheEditorStaysOnItsStepWhereverThatGoes(t *testing.T) {
	sc, s := scene(t, dataset(stack()), 64, 64)
	for _, name := range []string{"mean", "stencil", "sobel"} {
		s = act(sc, s, AddFilter(name))
	}
	s = act(sc, s, EditStencil(1))
	for _, c := range []struct {
		name string
		do   Action
		step int
		open bool
	}{
		{"moved up", MoveFilter(1, 0), 0, true},
		{"moved down", MoveFilter(1, 2), 2, true},
		{"moved beyond the end", MoveFilter(1, 9), 2, true},
		{"one from above goes below", MoveFilter(0, 2), 0, true},
		{"one from below goes above", MoveFilter(2, 0), 2, true},
		{"another stays where it is", MoveFilter(0, 0), 1, true},
		{"one above is removed", RemoveFilter(0), 0, true},
		{"one below is removed", RemoveFilter(2), 1, true},
		{"it is removed", RemoveFilter(1), 0, false},
		{"one that is not there is removed", RemoveFilter(7), 1, true},
		{"another filter is edited", EditStencil(0), 1, true},
		{"all are removed", SetChain(nil), 0, false},
	} {
		got := act(sc, s, c.do)
		if d := got.Draft; d.Open != c.open || d.Open && (d.Step != c.step || !HasText(got.Chain[d.Step])) {
			t.Errorf("%s: %+v in %v", c.name, d, got.Chain)
		}
	}
}

func TestAValueStaysAsLongAsTheTextHasAPlaceForIt(t *testing.T) {
	b := writing(t)
	b.Act(WriteStencil("@param k = 0.5 0..1\nk * x"))
	b.Act(SetParam(0, "k", "0.75"))
	for _, c := range []struct{ text, k string }{
		{"@param k = 0.5 0..1\nk * x[0,1]", "0.75"},
		{"@param k = 0.5 0..1\n@param n = 3\nk * x + n", "0.75"},
		{"@param k = 0.1 0..0.5\nk * x", "0.1"},
		{"@param k = 0.5 0..1\nk * x", "0.5"},
		{"@param gain = 2\ngain * x", ""},
	} {
		b.Act(WriteStencil(c.text))
		if got := b.State().Chain[0].Arg("k"); got != c.k || b.Scene().Fault != nil {
			t.Errorf("%q: k is %q, want %q; %v", c.text, got, c.k, b.Scene().Fault)
		}
	}
	b.settled()
}

func TestAStencilWithAnotherTextHasLimitsOfItsOwn(t *testing.T) {
	b := writing(t)
	b.Act(WriteStencil("@param k = 1 0..9\nk * x"))
	b.settled()
	plain := b.State().Channels[0].Limits
	b.Act(SetParam(0, "k", "3"))
	b.settled()
	if l := b.State().Channels[0].Limits; l != plain {
		t.Errorf("a value moved the limits from %v to %v", plain, l)
	}
	b.Act(WriteStencil("1000 * x"))
	b.settled()
	if l := b.State().Channels[0].Limits; l.High < 100*plain.High && l.High < 65535 {
		t.Errorf("a thousand times as bright, the limits are %v, they were %v", l, plain)
	}
}

func TestTheEditorTellsOfAGradientWithoutVoxelSizes(t *testing.T) {
	bare := stack()
	bare.meta.Scale = [lazy.Rank]float64{}
	b := open(t, dataset(bare), Options{})
	b.Act(AddFilter("stencil"))
	b.Drag(WriteStencil("x / dx"))
	s := b.State()
	if m := b.Scene().Mistake(s); m == nil || m.Column != 5 || !strings.Contains(m.Problem, "voxel size") || !s.Draft.Unfinished() {
		t.Errorf("%v in %+v", m, s.Draft)
	}
}

func TestARowSaysWhatItsTextAmountsTo(t *testing.T) {
	sc, err := NewScene(dataset(stack()), 0, filters.Chain{{Filter: "mean"}, withText(filters.Step{Filter: "stencil"}, "sqrt(x[2,0,0] - x[0,-1,0])")})
	if err != nil || sc.Fault != nil {
		t.Fatal(err, sc.Fault)
	}
	if f := sc.Rows[0].Formula; f != nil {
		t.Errorf("a mean has the formula %+v", f)
	}
	f := sc.Rows[1].Formula
	if f == nil || f.Halo.After[lazy.Z] != 2 || f.Halo.Before[lazy.Y] != 1 || f.Form != OfWeightedSum || f.Type != lazy.F32 {
		t.Errorf("%+v", f)
	}
	e := engine.New(engine.Options{Memory: 16 << 20, Workers: 1})
	defer e.Close()
	b, _, err := e.Get(context.Background(), sc.Shown[0], lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1}), engine.Priority{})
	if err != nil || b.DType != f.Type {
		t.Errorf("what is computed is %v, %v", b, err)
	}
}
