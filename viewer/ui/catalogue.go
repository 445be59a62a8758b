package ui

import (
	"strings"

	"lamella/viewer"
)

// AddFilter opens the catalogue of filters to search in: by name, by purpose, by what a filter does, and by its names in
// chains and in the libraries whose numbers it gives.
func (v *View) AddFilter() {
	if v.session == nil {
		return
	}
	var all []command
	add := func(f viewer.Filter, path string) {
		all = append(all, command{title: filterTitle(f), path: path, about: filterDoc(f), terms: filterTerms(f), do: func() { v.act(viewer.AddFilter(f.Name)) }})
	}
	for _, g := range viewer.Groups() {
		for _, f := range g.Filters {
			add(f, Say("group."+g.Name))
		}
	}
	for _, f := range viewer.Catalogue() {
		if viewer.IsWritten(f) {
			add(f, "")
		}
	}
	v.choose(all, Say("chain.search"), false)
}

// filterTerms are the words by which a filter is looked for that stand nowhere in the list.
func filterTerms(f viewer.Filter) string {
	terms := []string{f.Name, f.Title, f.Doc, strings.NewReplacer(".", " ", "_", " ").Replace(f.Reference), f.Reference}
	for _, p := range f.Params {
		if !viewer.IsSpecial(p) {
			terms = append(terms, p.Doc, strings.Join(p.Choices, " "))
		}
	}
	return strings.Join(terms, " ")
}
