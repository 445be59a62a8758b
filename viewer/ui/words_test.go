package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"lamella/viewer"
)

// prefixes are the first parts of keys.
var prefixes = []string{"menu.", "channels.", "contrast.", "lut.", "color.", "chain.", "cost.", "status.", "axis.", "start.", "notice.", "dialog.", "sheet.", "about.", "app.", "save.", "sample.", "stencil.", "notation.", "problem.", "key.", "keys.", "palette.", "tool.", "shape.", "results.", "figure.", "movie.", "jobs.", "join.", "prefs.", "objects.", "labels.", "aside.", "compare.", "display."}

func TestEveryTextThatIsSaidIsThere(t *testing.T) {
	said := 0
	for _, pattern := range []string{"*.go", "../../app/window*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING {
					return true
				}
				key, _ := strconv.Unquote(l.Value)
				for _, p := range prefixes {
					if strings.HasPrefix(key, p) && !strings.HasSuffix(key, ".") && !strings.ContainsAny(key, " /") {
						said++
						if _, ok := known[key]; !ok {
							t.Errorf("%s says %s, which has no text", name, key)
						}
					}
				}
				return true
			})
		}
	}
	if said < 100 {
		t.Errorf("only %d texts were found in the sources", said)
	}
	for _, l := range []Look{System, Dark, Light} {
		if _, ok := known["menu.look."+string(l)]; !ok {
			t.Errorf("the look %s has no text", l)
		}
	}
	for _, d := range Devices {
		if _, ok := known["menu.device."+string(d)]; !ok {
			t.Errorf("the device %s has no text", d)
		}
	}
	for _, g := range viewer.Groups() {
		if _, ok := known["group."+g.Name]; !ok {
			t.Errorf("the group %s has no text", g.Name)
		}
	}
	for _, s := range viewer.Presets() {
		if _, ok := known["preset."+s.Name]; !ok {
			t.Errorf("the stencil %s has no text", s.Name)
		}
	}
}

func TestEnglishTextsOfFiltersAreThoseOfTheCatalogue(t *testing.T) {
	english(t)
	for _, f := range viewer.Catalogue() {
		if text, ok := known["filter."+f.Name]; ok && text != f.Title {
			t.Errorf("%s is called %q in the catalogue and %q in the window", f.Name, f.Title, text)
		}
		if text := filterDoc(f); text != f.Doc {
			t.Errorf("%s is described by %q in the catalogue and %q in the window", f.Name, f.Doc, text)
		}
		for _, p := range f.Params {
			if text := paramDoc(f, p); text != p.Doc {
				t.Errorf("%s of %s is explained by %q in the catalogue and %q in the window", p.Name, f.Name, p.Doc, text)
			}
		}
	}
}

// What the catalogue says in English, other languages say of every filter and parameter, and of nothing else.
func TestEveryFilterIsExplainedInChinese(t *testing.T) {
	if err := SetLanguage("zh_Hans"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = SetLanguage("") })
	named := map[string]bool{"param." + viewer.ChannelsParam().Name + ".doc": true}
	for _, f := range viewer.Catalogue() {
		if text := filterDoc(f); text == f.Doc {
			t.Errorf("%s has no filter.%s.doc", f.Name, f.Name)
		}
		named["filter."+f.Name+".doc"] = true
		for _, p := range f.Params {
			if text := paramDoc(f, p); text == p.Doc {
				t.Errorf("%s of %s has no param.%s.doc", p.Name, f.Name, p.Name)
			}
			named["filter."+f.Name+"."+p.Name], named["param."+p.Name+".doc"] = true, true
			shown := map[string]string{} // an option is found by what stands in its list
			for _, v := range viewer.Choices(p) {
				name := optionName(v)
				if other, ok := shown[name]; ok {
					t.Errorf("%s of %s is %q for %s and for %s", p.Name, f.Name, name, v, other)
				}
				shown[name], named["option."+v] = v, true
				if plain := strings.Trim(v, "abcdefghijklmnopqrstuvwxyz"); name == v && plain == "" && len(v) > 2 {
					t.Errorf("%s of %s has no option.%s", p.Name, f.Name, v)
				}
			}
		}
	}
	for key := range spoken {
		if _, ok := known[key]; !ok && !named[key] && !strings.HasPrefix(key, remarkKey) && !strings.HasPrefix(key, "codec.") {
			t.Errorf("%s explains nothing that there is", key)
		}
	}
}

func TestOneThingIsNotCalledMany(t *testing.T) {
	english(t)
	r := viewer.Report{}
	r.Cost.Device, r.Cost.TasksRun, r.Cost.TasksTotal, r.Cost.ChunksRead, r.Cost.Seconds = "cpu", 1, 1, 1, 0.018
	if got, want := summary(r), "1 of 1 task, 1 chunk read, 18 ms, CPU"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Cost.TasksTotal, r.Cost.ChunksRead = 9, 0
	if got, want := summary(r), "1 of 9 tasks, 0 chunks read, 18 ms, CPU"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	cost := summary(r)
	if r.Busy = true; summary(r) != cost {
		t.Errorf("work that has just begun is said at once: %q", summary(r))
	}
	if r.Slow = true; summary(r) == cost {
		t.Error("slow work is not said")
	}
	if got := voxels(1, 0); got != "1 voxel" {
		t.Errorf("%q", got)
	}
}

func TestNumbersAsPeopleWriteThem(t *testing.T) {
	for got, want := range map[string]string{
		group(0): "0", group(999): "999", group(8192): "8,192", group(1234567): "1,234,567", group(-1234): "-1,234",
		bytes(0): "0 B", bytes(2200000): "2.1 MB", bytes(312 << 20): "312 MB", bytes(2 << 30): "2 GB",
		duration(0.018): "18 ms", duration(0.0007): "0.7 ms", duration(0.5): "500 ms", duration(2.34): "2.3 s",
		number(3900): "3900", number(0.25): "0.25", number(1.0 / 3): "0.33333", number(-1e12): "-1e+12",
		percent(1.3): "130 %", percent(69.4): "6940 %", percent(0.0123): "1.23 %",
		extent(51.2, 51.2): "51.2 × 51.2 µm", extent(33871, 20000): "33.9 × 20 mm", extent(0.5, 0.25): "500 × 250 nm",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLinesBreakAtBlanksAndInChineseAnywhere(t *testing.T) {
	letters := func(s string) float32 { return float32(len([]rune(s))) }
	for _, c := range []struct {
		text string
		want string
	}{
		{"one two three", "one two|three"}, {"one\ntwo", "one|two"}, {"一二三四五六七八九十", "一二三四五六七八|九十"}, {"", ""},
	} {
		if got := strings.Join(wrap(c.text, 8, letters), "|"); got != c.want {
			t.Errorf("%q breaks into %q, want %q", c.text, got, c.want)
		}
	}
}

// A control without a tip is one that its user has to guess.
func TestEveryControlIsExplainedByItsTip(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("gaussian"))
	s.settle()
	found := 0
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if _, ok := o.(fyne.Focusable); ok && o != fyne.CanvasObject(s.pane) {
			found++
			h, ok := o.(desktop.Hoverable)
			if !ok {
				t.Errorf("%T has no tip", o)
				return
			}
			h.MouseIn(&desktop.MouseEvent{})
			if len(s.tips.layer.Objects) < 2 {
				t.Errorf("the tip of %T is empty", o)
			}
			h.MouseOut()
			if len(s.tips.layer.Objects) != 0 {
				t.Errorf("the tip of %T stays", o)
			}
			return
		}
		switch o := o.(type) {
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		case interface{ objects() []fyne.CanvasObject }:
			for _, c := range o.objects() {
				walk(c)
			}
		}
	}
	for _, o := range []fyne.CanvasObject{s.channels.box, s.chain.box, s.axes.box, s.start.box, s.notice.box} {
		walk(o)
	}
	if found < 25 {
		t.Errorf("only %d controls were found", found)
	}
}

func TestAnOptionIsChosenByItsNameInTheLanguage(t *testing.T) {
	if err := SetLanguage("zh_Hans"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = SetLanguage("") })
	f, _ := viewer.LookupFilter("project")
	set := map[string]string{}
	for _, p := range f.Params {
		row := newParamRow(nil, f, p, stepActs{set: func(name, v string) { set[name] = v }})
		if row.pick != nil && p.Name == "how" {
			row.pick.SetSelected("平均值")
		}
	}
	if set["how"] != "mean" {
		t.Errorf("the mean is chosen as %q", set["how"])
	}
}

func TestChineseTextStandsInTheMiddleOfItsBox(t *testing.T) {
	for text, want := range map[string]float32{"Apply": 0, "": 0, "应用": 2, "Sobel 边缘": 0} {
		if got := lift(text, 14); got != want {
			t.Errorf("%q is lifted by %v, want %v", text, got, want)
		}
	}
}
