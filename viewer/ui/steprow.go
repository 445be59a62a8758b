package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A stepRow is one filter of the chain: its switch and name, its parameters, how far it reaches in
// voxels, and what is wrong with it if anything is. The parameters that every filter has unfold.
type stepRow struct {
	box     *fyne.Container
	filter  viewer.Filter
	on      *check
	grip    *dragGrip
	params  []paramRow
	stencil *stencilBox // of a formula of the user's own, else nil
	trial   *trialBox   // of a deconvolution, else nil
	special *fyne.Container
	unfold  *button
	which   *button // the channels that it acts on, where there are several
	whichOn fyne.CanvasObject
	reach   *caption
	wrong   paragraph
	grown   func()
}

// rowIndent is how far what belongs to a row stands from its left edge.
const rowIndent = 24

// A paramRow is one parameter's editor.
type paramRow struct {
	param viewer.Param
	field *field  // a number or a text; nil for a choice
	pick  *choice // a choice
	files *button // beside the field of a file: chooses one
}

// stepActs is what a row asks for.
type stepActs struct {
	turn   func(on bool)
	move   func(by int)
	drag   func(y float32) // the row is dragged, and the pointer is there
	drop   func()
	remove func()
	set    func(name, value string)
	which  func(of fyne.CanvasObject)   // opens the choice of channels
	choose func(take func(path string)) // a file
	grown  func()                       // the row has become taller or less so

	stencil stencilActs
	trial   trialActs
}

func newStepRow(of *tips, f viewer.Filter, do stepActs) *stepRow {
	r := &stepRow{filter: f, grown: do.grown}
	r.on = newCheck(of, filterTitle(f), filterDoc(f), do.turn)
	r.grip = newDragGrip(of, Say("chain.grip.tip"))
	r.grip.move, r.grip.dragged, r.grip.dropped = do.move, do.drag, do.drop
	remove := newIcon(of, theme.CancelIcon(), Say("chain.remove.tip"), do.remove)
	main, special := stacked(4), stacked(4)
	for _, p := range f.Params {
		if viewer.IsWritten(f) && p.Name == "text" {
			r.stencil = newStencilBox(of, do.stencil)
			continue
		}
		row := newParamRow(of, f, p, do)
		r.params = append(r.params, row)
		name := newCaption(paramName(f, p), theme.ColorNamePlaceHolder, sizeCaption)
		line := container.NewBorder(nil, nil, fixed(64, name), nil, row.control())
		if viewer.IsFile(p) { // long, as are formulas
			line = stacked(2, name, row.control())
		}
		if viewer.IsSpecial(p) {
			special.Add(line)
		} else {
			main.Add(line)
		}
	}
	r.special = special
	r.special.Hide()
	r.unfold = newIcon(of, theme.MenuDropDownIcon(), Say("chain.more.tip"), func() {
		r.special.Hidden = !r.special.Hidden
		if r.special.Hidden {
			r.unfold.SetIcon(theme.MenuDropDownIcon())
		} else {
			r.unfold.SetIcon(theme.MenuDropUpIcon())
		}
		do.grown()
	})
	r.reach = small("")
	r.wrong = newParagraph("", theme.ColorNameError, sizeCaption)
	r.wrong.Hide()
	r.which = newButton(of, "", theme.MenuDropDownIcon(), Say("chain.which.tip"), nil)
	r.which.Alignment, r.which.IconPlacement = widget.ButtonAlignLeading, widget.ButtonIconTrailingText
	r.which.OnTapped = func() { do.which(r.which) }
	r.whichOn = container.NewBorder(nil, nil, fixed(64, newCaption(Say("chain.which"), theme.ColorNamePlaceHolder, sizeCaption)), nil, r.which)
	r.whichOn.Hide()
	body := stacked(4, main, r.whichOn, special, container.NewBorder(nil, nil, nil, r.unfold, r.reach))
	r.box = stacked(2,
		container.NewBorder(nil, nil, nil, container.NewHBox(r.grip, remove), r.on),
		around(nil, nil, fixed(rowIndent, newTinted(colorPanel)), nil, stacked(4, body, r.wrong.Container)),
	)
	if viewer.CanWatch(viewer.FilterStep{Filter: f.Name}) {
		r.trial = newTrialBox(of, do.trial)
		body.Objects = slices.Concat([]fyne.CanvasObject{r.trial.head}, body.Objects, []fyne.CanvasObject{r.trial.body})
	}
	if r.stencil != nil {
		r.box.Objects = slices.Insert(r.box.Objects, 1, fyne.CanvasObject(padded(0, 4, r.stencil.box)))
	}
	return r
}

func newParamRow(of *tips, f viewer.Filter, p viewer.Param, do stepActs) paramRow {
	row, set := paramRow{param: p}, do.set
	hint := paramDoc(f, p)
	if options := viewer.Choices(p); options != nil {
		var shown []string
		for _, v := range options {
			shown = append(shown, optionName(v))
		}
		row.pick = newChoice(of, shown, hint, nil)
		row.pick.OnChanged = func(string) {
			if i := row.pick.SelectedIndex(); i >= 0 {
				set(p.Name, unlessDefault(p, options[i]))
			}
		}
		return row
	}
	if viewer.IsLength(p) {
		hint += "\n" + Say("chain.length.tip")
	}
	row.field = newField(of, hint, 60, func(v string) { set(p.Name, unlessDefault(p, strings.TrimSpace(v))) })
	if viewer.IsFile(p) {
		row.field.Scroll = fyne.ScrollHorizontalOnly
		row.files = newIcon(of, theme.FolderOpenIcon(), Say("param.file.tip"), func() {
			do.choose(func(path string) { set(p.Name, path) })
		})
	}
	return row
}

// unlessDefault is a value, or nothing where it is what the filter does anyway.
func unlessDefault(p viewer.Param, v string) string {
	if v == p.Default {
		return ""
	}
	return v
}

func (r paramRow) control() fyne.CanvasObject {
	if r.pick != nil {
		return r.pick
	}
	if r.files != nil {
		return container.NewBorder(nil, nil, nil, r.files, r.field)
	}
	return r.field
}

// update shows a step and what the scene says about it; d and mistake are of its text if it has one.
func (r *stepRow) update(s viewer.FilterStep, say viewer.Row, d viewer.Draft, mistake *viewer.Mistake, channels []viewer.Channel) {
	r.on.set(!s.Off)
	if hide := len(channels) < 2 || !viewer.Selects(r.filter); hide == r.whichOn.Visible() {
		r.whichOn.(*fyne.Container).Hidden = hide
		r.grown()
	}
	r.which.setText(namesOf(channels, viewer.ActsOn(s)))
	for _, p := range r.params {
		v := s.Arg(p.param.Name)
		if p.pick != nil {
			p.pick.set(optionName(v))
		} else {
			p.field.set(v)
		}
	}
	reach := ""
	if say.Effective != "" {
		reach = "= " + strings.Replace(strings.ReplaceAll(say.Effective, " x ", " × "), "voxels", Say("chain.voxels"), 1)
	}
	if r.stencil != nil {
		r.stencil.update(s, say, d, mistake)
		if !d.Open {
			reach = inShort(say.Formula)
		}
	}
	r.reach.set(reach)
	wrong := ""
	if say.Err != nil && mistake == nil {
		wrong = (&viewer.Fault{Filter: s.Filter, Err: say.Err}).Reason()
	}
	if r.wrong.set(wrong) {
		r.wrong.Hidden = wrong == ""
		r.grown()
	}
}

// namesOf are the names of some channels; nil is all.
func namesOf(channels []viewer.Channel, which []int) string {
	if which == nil {
		return Say("chain.which.all")
	}
	var names []string
	for _, c := range which {
		if c < len(channels) {
			names = append(names, channels[c].Name)
		}
	}
	return strings.Join(names, ", ")
}

// optionName is a value that a parameter can have as it stands in a list: what chains write, or words for it that a language has.
func optionName(v string) string {
	if v == "" {
		return Say("option.usual")
	}
	return sayOr("option."+v, v)
}

// The catalogue is in English; a language may have words of its own for it.
func filterTitle(f viewer.Filter) string { return sayOr("filter."+f.Name, f.Title) }
func filterDoc(f viewer.Filter) string   { return sayOr("filter."+f.Name+".doc", f.Doc) }
func paramName(f viewer.Filter, p viewer.Param) string {
	return sayOr("param."+p.Name, p.Name)
}
func paramDoc(f viewer.Filter, p viewer.Param) string {
	return sayOr("filter."+f.Name+"."+p.Name, sayOr("param."+p.Name+".doc", p.Doc))
}
