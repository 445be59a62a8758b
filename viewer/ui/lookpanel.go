package ui

import (
	"math"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// lookPanel is the part of the left panel that says how planes are looked at: how thick, how channels are blended, and
// against what.
type lookPanel struct {
	box     *fyne.Container
	how     *choice
	half    *field
	thick   *caption
	blend   *choice
	opacity *field
	mixing  *fyne.Container
	hiLo    *check
	compare *choice
	apart   paragraph // how a difference is shown
	against fyne.CanvasObject
	labels  *choice // that lie over the picture
	cover   *field  // their opacity
	edges   *check
	over    *fyne.Container
	layable []int
	state   viewer.State
}

func newLookPanel(of *tips, act, drag func(viewer.Action), settle func()) *lookPanel {
	p := &lookPanel{}
	hows := []string{Say("slab.plane")}
	for _, how := range viewer.Projections {
		hows = append(hows, Say("slab."+how))
	}
	p.how = newChoice(of, hows, Say("slab.how.tip"), func(name string) {
		s := viewer.Slab{Half: max(1, p.state.Slab.Half)}
		for _, how := range viewer.Projections {
			if name == Say("slab."+how) {
				s.How = how
			}
		}
		act(viewer.SetSlab(s))
	})
	p.half = newField(of, Say("slab.half.tip"), 60, func(text string) {
		if n, err := strconv.Atoi(text); err == nil {
			act(viewer.Thicken(n - p.state.Slab.Half))
		}
		p.fill()
	})
	p.thick = small("")
	p.blend = newChoice(of, []string{Say("blend.add"), Say("blend.max")}, Say("blend.tip"), func(name string) {
		b := viewer.Add
		if name == Say("blend.max") {
			b = viewer.Max
		}
		act(viewer.SetBlend(b))
	})
	p.opacity = newField(of, Say("blend.opacity.tip"), 60, func(text string) {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			act(viewer.SetOpacity(p.state.Active(), v/100))
		}
		p.fill()
	})
	p.mixing = container.New(halves(8), labelled(Say("blend.title"), p.blend), labelled(Say("blend.opacity"), p.opacity))
	p.hiLo = newCheck(of, Say("hilo.title"), Say("hilo.tip"), func(on bool) { act(viewer.ShowHiLo(on)) })
	var ways []string
	for _, c := range viewer.Comparisons {
		ways = append(ways, comparison(c, false))
	}
	p.compare = newChoice(of, ways, Say("compare.tip"), func(name string) {
		for _, c := range viewer.Comparisons {
			if name == comparison(c, len(p.state.Aside) > 0) {
				act(viewer.SetComparison(c))
			}
		}
	})
	p.apart = newParagraph("", theme.ColorNamePlaceHolder, sizeCaption)
	p.apart.Hide()
	p.against = stacked(2, small(Say("compare.title")), p.compare, p.apart.Container)
	p.labels = newChoice(of, []string{Say("labels.none")}, Say("labels.tip"), func(string) {
		img := -1
		if i := p.labels.SelectedIndex(); i > 0 && i <= len(p.layable) {
			img = p.layable[i-1]
		}
		act(viewer.LayOver(img))
	})
	p.cover = newField(of, Say("labels.opacity.tip"), 60, func(text string) {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			act(viewer.SetOverlayOpacity(v / 100))
		}
		p.fill()
	})
	p.edges = newCheck(of, Say("labels.edges"), Say("labels.edges.tip"), func(on bool) { act(viewer.OutlineOverlay(on)) })
	p.over = stacked(4, container.New(halves(8), labelled(Say("labels.title"), p.labels), labelled(Say("blend.opacity"), p.cover)), p.edges)
	p.box = stacked(8, heading(Say("look.title")),
		stacked(2, container.New(halves(8), labelled(Say("slab.title"), p.how), labelled(Say("slab.half"), p.half)), p.thick),
		p.mixing, p.hiLo, p.over, p.against)
	return p
}

// comparison is the name of a way to compare, with filters that are set aside or with the stored voxels.
func comparison(c viewer.Comparison, aside bool) string {
	if c == viewer.Original && aside {
		return Say("compare.aside")
	}
	return Say([...]string{"compare.result", "compare.curtain", "compare.original", "compare.difference"}[c])
}

// update shows a state.
func (p *lookPanel) update(sc *viewer.Scene, s viewer.State) {
	p.state = s
	p.layable = sc.Layable()
	p.labels.Options = []string{Say("labels.none")}
	for _, i := range p.layable {
		p.labels.Options = append(p.labels.Options, imageName(sc.Set, i))
	}
	p.fill()
	note := ""
	if s.Slab.Thick() {
		note = Say("slab.planes", "N", group(2*s.Slab.Half+1))
		if um, ok := sc.Thickness(s); ok {
			note += ", " + viewer.Length(um)
		}
	}
	p.thick.set(note)
	show := func(o fyne.CanvasObject, on bool) bool {
		if on == o.Visible() {
			return false
		}
		if on {
			o.Show()
		} else {
			o.Hide()
		}
		return true
	}
	changed := show(p.mixing, len(s.Channels) > 1)
	changed = show(p.thick, note != "") || changed
	changed = show(p.over, len(p.layable) > 0) || changed
	changed = show(p.against, sc.Comparable(s)) || changed
	changed = show(p.apart.Container, s.Compare == viewer.Difference) || changed
	if s.Differing() == 1 {
		changed = p.apart.set(Say("compare.difference.one")) || changed
	} else {
		changed = p.apart.set(Say("compare.difference.several")) || changed
	}
	if changed {
		p.box.Refresh()
	}
}

// fill shows the values.
func (p *lookPanel) fill() {
	s := p.state
	how := Say("slab.plane")
	if s.Slab.Thick() {
		how = Say("slab." + s.Slab.How)
	}
	p.how.set(how)
	p.half.set(strconv.Itoa(s.Slab.Half))
	p.blend.set([...]string{Say("blend.add"), Say("blend.max")}[min(s.Blend, viewer.Max)])
	if i := s.Active(); i < len(s.Channels) {
		p.opacity.set(number(100 * (1 - s.Channels[i].Faded)))
	}
	p.hiLo.set(s.HiLo)
	p.labels.set(p.labels.Options[0])
	if i := slices.Index(p.layable, s.Overlay.Image); s.Overlay.On && i >= 0 {
		p.labels.set(p.labels.Options[i+1])
	}
	if s.Overlay.Opacity > 0 {
		p.cover.set(number(math.Round(100 * s.Overlay.Opacity)))
	}
	p.edges.set(s.Overlay.Edges)
	aside := len(s.Aside) > 0
	for i, c := range viewer.Comparisons {
		p.compare.Options[i] = comparison(c, aside)
	}
	p.compare.set(comparison(s.Compare, aside))
}
