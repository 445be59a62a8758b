package ui

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

// writing is a stage with the editor open on a stencil.
func writing(t *testing.T) (*stage, *stencilBox) {
	t.Helper()
	s := withVolume(t)
	s.chain.Menu().Items[0].Action()
	s.settle()
	return s, s.chain.rows[0].stencil
}

// text is the formula in the picture.
func (s *stage) text() string { return s.session.State().Chain[0].Arg("text") }

func TestAddingAStencilOpensTheEditorBesideThePicture(t *testing.T) {
	s, box := writing(t)
	if !box.editor.Visible() || box.folded.Visible() || s.win.Canvas().Focused() != box.code {
		t.Errorf("the editor is open: %v, folded: %v, the focus is on %T", box.editor.Visible(), box.folded.Visible(), s.win.Canvas().Focused())
	}
	if s.right.Size().Width != writeWide || s.pane.Size().Width < 300 {
		t.Errorf("the panel is %v wide, the picture %v", s.right.Size().Width, s.pane.Size().Width)
	}
	box.do.close()
	if box.editor.Visible() || !box.folded.Visible() || s.right.Size().Width != rightWide || s.win.Canvas().Focused() != s.pane {
		t.Errorf("closed, the panel is %v wide and the focus on %T", s.right.Size().Width, s.win.Canvas().Focused())
	}
	s.TogglePanels()
	test.Tap(box.line)
	if !box.editor.Visible() || !s.right.Visible() {
		t.Error("a click on the formula does not open the editor")
	}
	s.settle()
}

func TestAMistakeIsToldWhileItIsWritten(t *testing.T) {
	english(t)
	s, box := writing(t)
	box.code.set("")
	test.Type(box.code, "x[0,1] - x")
	if s.text() != "x[0,1] - x" || box.wrong.broken || box.wrong.state.words != "The picture shows this text." {
		t.Fatalf("the picture shows %q, the box says %q", s.text(), box.wrong.state.words)
	}
	high := box.box.MinSize().Height
	test.Type(box.code, "[0")
	if s.text() != "x[0,1] - x" {
		t.Errorf("the picture shows %q", s.text())
	}
	if got, want := box.wrong.words.rich.String(), "Column 13: expected , or ], found the end"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if box.wrong.line.line != "x[0,1] - x[0" || box.wrong.line.column != 13 {
		t.Errorf("the mark is at %d of %q", box.wrong.line.column, box.wrong.line.line)
	}
	if s.session.Scene().Fault != nil || s.standing.visible() || len(s.dialogs) > 0 {
		t.Error("a message lies on the picture")
	}
	if box.box.MinSize().Height != high {
		t.Errorf("what is below moves by %v", box.box.MinSize().Height-high)
	}
	test.Type(box.code, ",-1]")
	if s.text() != "x[0,1] - x[0,-1]" || box.wrong.broken {
		t.Errorf("mended, the picture shows %q", s.text())
	}
	s.settle()
}

func TestTheEditorSaysWhatAFormulaAmountsTo(t *testing.T) {
	english(t)
	s, box := writing(t)
	box.do.preset(viewer.Preset{Text: "sqrt(x[1,0,0] - x[-2,0,1])"})
	s.settle()
	s.tell()
	for i, want := range []string{"3-D", "z −2…+1   x 0…+1 voxels", "1", "function of a weighted sum", "2 operations a voxel", "float32"} {
		if got := box.facts.lines[i].words; got != want {
			t.Errorf("%s is %q, want %q", factKeys[i], got, want)
		}
	}
	c := s.report.Cost
	if got, want := box.facts.lines[6].words, fmt.Sprintf("%s computed for %s shown", group(c.VoxelsComputed), group(c.VoxelsOut)); c.VoxelsOut == 0 || !strings.HasPrefix(got, want) {
		t.Errorf("the plane took %q, want %q", got, want)
	}
	box.do.close()
	if got, want := s.chain.rows[0].reach.words, "3-D   z −2…+1   x 0…+1 voxels"; got != want {
		t.Errorf("folded, it says %q, want %q", got, want)
	}
}

func TestDeclaredNumbersHaveSliders(t *testing.T) {
	s, box := writing(t)
	box.do.preset(viewer.Preset{Text: "@param k = 0.5 0..1\n@param n = 3\nk * x + n"})
	if len(box.rows) != 2 || box.rows[0].slider == nil || box.rows[1].slider != nil {
		t.Fatalf("%d rows", len(box.rows))
	}
	k := box.rows[0]
	k.slider.Resize(fyne.NewSize(200, 28))
	for _, x := range []float32{120, 150, 170} {
		k.slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 14)}})
	}
	k.slider.DragEnd()
	value := s.session.State().Chain[0].Arg("k")
	if value == "0.5" || k.field.Text != value {
		t.Errorf("dragged, k is %q in the chain and %q in the field", value, k.field.Text)
	}
	k.slider.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got := s.session.State().Chain[0].Arg("k"); got <= value {
		t.Errorf("a key made k %q of %q", got, value)
	}
	s.Undo()
	s.Undo()
	if got := s.session.State().Chain[0].Arg("k"); got != "0.5" || math.Abs(k.slider.Value-0.5) > 1e-9 {
		t.Errorf("undone, k is %q and the slider at %v", got, k.slider.Value)
	}
	k.field.SetText("7")
	k.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if row := s.chain.rows[0]; s.session.Scene().Fault == nil || !row.wrong.Visible() {
		t.Error("a value beyond the range is taken in silence")
	}
	k.field.SetText("0.25")
	k.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.settle()
}

func TestUndoGoesLetterByLetterAndThenBeyondTheWriting(t *testing.T) {
	s, box := writing(t)
	first := s.text()
	box.do.preset(viewer.Preset{Text: "x"})
	test.Type(box.code, "+1")
	item := s.win.MainMenu().Items[1].Items[0]
	if item.Shortcut.ShortcutName() != (&fyne.ShortcutUndo{}).ShortcutName() {
		t.Errorf("the toolkit knows Ctrl + Z by another name than %q", item.Shortcut.ShortcutName())
	}
	undo := item.Action
	for range 2 {
		if undo(); s.text() == "x" {
			break
		}
	}
	if s.text() != "x" || box.code.Text != "x" {
		t.Errorf("the writing undone, it is %q in the picture and %q in the editor", s.text(), box.code.Text)
	}
	for range 2 {
		if undo(); s.text() == first {
			break
		}
	}
	s.Redo()
	if s.text() != "x" {
		t.Errorf("done again, the picture shows %q", s.text())
	}
	s.pane.takeFocus()
	s.Undo()
	if s.text() != first || box.code.Text != first {
		t.Errorf("the example undone, it is %q in the picture and %q in the editor", s.text(), box.code.Text)
	}
	s.settle()
}

func TestTheKeysLeaveTheEditor(t *testing.T) {
	s, box := writing(t)
	if box.code.AcceptsTab() {
		t.Error("Tab stays in the text")
	}
	box.code.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.win.Canvas().Focused() != s.pane || !box.editor.Visible() {
		t.Errorf("Esc leads to %T", s.win.Canvas().Focused())
	}
	s.win.Canvas().Focus(box.code)
	test.Type(box.code, " ?1c")
	if len(s.dialogs) > 0 {
		t.Error("a letter of the text was taken for a key of the window")
	}
	box.code.MouseIn(&desktop.MouseEvent{})
	if len(s.tips.layer.Objects) == 0 {
		t.Error("the text has no tip")
	}
	box.code.MouseOut()
	s.settle()
}

func TestEveryExampleIsInTheMenuAndCanBeDone(t *testing.T) {
	s, box := writing(t)
	n := 0
	for _, item := range box.menu().Items {
		if item.IsSeparator {
			continue
		}
		item.Action()
		if box.wrong.broken || s.text() != viewer.Presets()[n].Text || box.code.Text != s.text() {
			t.Errorf("%s: the picture shows %q, the editor %q", item.Label, s.text(), box.code.Text)
		}
		n++
	}
	if n != len(viewer.Presets()) {
		t.Errorf("%d examples are in the menu", n)
	}
	s.settle()
}

func TestTheSheetOnNotationOpensFromTheEditor(t *testing.T) {
	s, box := writing(t)
	box.do.help()
	if len(s.dialogs) != 1 {
		t.Fatal("there is no sheet")
	}
	s.escape()
	if len(s.dialogs) != 0 {
		t.Error("Esc does not close it")
	}
	s.settle()
}

// Texts that are wrong in every way that the notation knows.
var wrongTexts = []string{
	"", "x +", "x[0,1", "x[0]", "x[0,1.5]", "x[0,1001]", "7 // 2", "y[0,1]", "x x", "x $ 2", "min(x)", "where(x, 1)", "sqrt x", "(x", "x = 3; x",
	"x; x", "m = x", "@param k = 2 0..1\nk*x", "@parm k = 2\nk*x", "m = x; m[1,0,0]", "1 < x < 3", "x + 1/0", strings.Repeat("(", 300) + "x",
	strings.Repeat("x + ", 6000) + "x", "x / dt", "@param 3", "@param k", "@param k = x", "@param k = 1 0 2", "@param k = 1 0..x", "x[a,0]",
	"min(x", "(-8) ** 0.5 * x", "1e999 * x", "m = (x\n", "sqrt\nx",
}

func TestEveryMistakeIsToldInTheLanguageOfTheWindow(t *testing.T) {
	for _, text := range append(wrongTexts, "x / dx") {
		m := mistakeOf(text)
		if m == nil {
			t.Errorf("%.30q is not wrong", text)
			continue
		}
		known := false
		for _, p := range problems {
			known = known || p.form.MatchString(m.Problem)
		}
		if !known {
			t.Errorf("%.30q: %q has no text in the languages of the window", text, m.Problem)
		}
	}
}

func TestAMistakeReadsInEnglishAsItIsTold(t *testing.T) {
	english(t)
	for _, text := range wrongTexts {
		if m := mistakeOf(text); m != nil && problem(m.Problem) != m.Problem {
			t.Errorf("%q reads %q", m.Problem, problem(m.Problem))
		}
	}
}

// mistakeOf is what is wrong with a text on an image without voxel sizes.
func mistakeOf(text string) *viewer.Mistake {
	_, err := (viewer.FilterStep{Filter: "stencil"}).With("text", text).Formula(lazy.Meta{Shape: lazy.Shape{1, 4, 1, 4, 4}, Chunk: lazy.Shape{1, 4, 1, 4, 4}, DType: lazy.U8})
	return viewer.MistakeIn(err)
}

func TestALongLineIsCutAroundTheMistake(t *testing.T) {
	for _, c := range []struct {
		line   string
		column int
		want   string
		at     int
	}{
		{"x + y", 5, "x + y", 5},
		{"x +", 4, "x +", 4},
		{"", 1, "", 1},
		{"abcdefghijklmnop", 1, "abcdefghi…", 1},
		{"abcdefghijklmnop", 17, "…hijklmnop", 11},
		{"abcdefghijklmnop", 10, "…efghijkl…", 7},
		{"中文中文中文中文中文中文", 6, "中文中文中文中文中…", 6},
		{"x", 99, "x", 2},
	} {
		got, at := cutAround(c.line, c.column, 10)
		if got != c.want || at != c.at {
			t.Errorf("%q about %d is %q with the mark at %d, want %q at %d", c.line, c.column, got, at, c.want, c.at)
		}
	}
}

func TestASliderStepsByRoundNumbers(t *testing.T) {
	p := func(def string, least, most float64) viewer.Param {
		return viewer.Param{Name: "k", Default: def, Min: least, Max: most}
	}
	for _, c := range []struct {
		param viewer.Param
		step  float64
		value float64
		want  string
	}{
		{p("0.5", 0, 1), 0.01, 0.30000000000000004, "0.3"},
		{p("1", 0, 2), 0.01, 1.5, "1.5"},
		{p("3", 0, 10), 1, 7, "7"},
		{p("100", 1, 2000), 10, 350, "350"},
		{p("0.001", 0, 0.002), 1e-5, 0.00151, "0.00151"},
		{p("-1", -2, 0), 0.01, -0.001, "0"},
	} {
		if step := stepOf(c.param); math.Abs(step-c.step) > 1e-12 {
			t.Errorf("%v..%v steps by %v, want %v", c.param.Min, c.param.Max, step, c.step)
		}
		if got := rounded(c.value, c.step); got != c.want {
			t.Errorf("%v by %v is written %q, want %q", c.value, c.step, got, c.want)
		}
	}
}

func TestAFormulaInOneLineHasNoCommentsAndNoDeclarations(t *testing.T) {
	if got := inOneLine("# what it is\n@param k = 1 0..2\nm = x[0,1] # beside\n\nk * m"); got != "m = x[0,1] k * m" {
		t.Errorf("%q", got)
	}
}

func TestWhatComputesIsNamedAndChosen(t *testing.T) {
	s := withVolume(t)
	s.SetDevice(Graphics, "Example 4090", "It is fast.")
	if s.status.device.name != "Example 4090" || !strings.HasPrefix(s.status.device.tip.text(), "It is fast.\n") {
		t.Errorf("it is named %q", s.status.device.name)
	}
	items := s.deviceMenu().Items
	if len(items) != 3 || items[0].Checked || items[1].Checked || !items[2].Checked {
		t.Error("the check is not on the graphics card alone")
	}
	items[1].Action()
	if len(s.asked) != 1 || s.asked[0] != "device cpu" {
		t.Errorf("asked for %v", s.asked)
	}
	s.status.device.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if s.win.Canvas().Overlays().Top() == nil {
		t.Error("Space does not offer the others")
	}
}
