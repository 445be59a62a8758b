package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// notation is how stencils are written: examples, each with the key of what it means. An empty key begins
// the part that the example names.
var notation = [...][2]string{
	{"notation.neighbours", ""},
	{"x", "notation.x"}, {"x[0,1]", "notation.x2"}, {"x[1,0,0]", "notation.x3"},
	{"notation.arithmetic", ""},
	{"+  -  *  /  **", "notation.real"}, {"//  %", "notation.floor"}, {"<  <=  >  >=  ==  !=", "notation.compare"},
	{"notation.functions", ""},
	{"where(x > 9, x, 0)", "notation.where"}, {"min(…)  max(…)", "notation.minmax"}, {"norm(a, b, c)", "notation.norm"}, {"abs sqrt exp log pow", "notation.others"},
	{"notation.lines", ""},
	{"m = x[0,1] + x[0,-1]", "notation.name"}, {"m[1,0]", "notation.named"}, {"# …", "notation.comment"}, {"@param k = 0.5 0..1", "notation.param"}, {"dz  dy  dx", "notation.steps"},
	{"notation.numbers", ""},
	{"(x + x[0,1]) // 2", "notation.whole"}, {"(x + x[0,1]) / 2", "notation.quotient"},
}

// Notation shows the sheet on how stencils are written.
func (v *View) Notation() {
	sheet := stacked(4)
	for i, n := range notation {
		if n[1] == "" {
			if i > 0 {
				sheet.Add(gap(1))
			}
			sheet.Add(heading(Say(n[0])))
			continue
		}
		example := newCaption(n[0], theme.ColorNamePrimary, theme.SizeNameText)
		example.mono = true
		sheet.Add(container.NewBorder(nil, nil, fixed(196, example), nil, newCaption(Say(n[1]), theme.ColorNameForeground, theme.SizeNameText)))
	}
	d := v.newSheet(Say("notation.title"), fixed(640, sheet))
	d.Resize(fyne.NewSize(700, 0))
	v.Ask(d)
}
