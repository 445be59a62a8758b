package ui

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A remark is a form in which a loader tells what it found, with the verbs of package fmt where names and numbers stand.
type remark struct {
	key      string // of its text in other languages than English, which is the form itself
	form     *regexp.Regexp
	sureness int // how many letters of a text the form itself has
}

// remarkKey is how the keys of remarks begin: what follows is the form.
const remarkKey = "remark: "

var verb = regexp.MustCompile(`%(?:\.\d)?[a-z]`)

func remarkOf(form string) remark {
	r := remark{key: remarkKey + form}
	var b strings.Builder
	at := 0
	for _, place := range verb.FindAllStringIndex(form, -1) {
		what := "(.*?)"
		if strings.HasSuffix(form[place[0]:place[1]], "d") {
			what = `(-?\d+)`
		}
		b.WriteString(regexp.QuoteMeta(form[at:place[0]]) + what)
		at = place[1]
	}
	b.WriteString(regexp.QuoteMeta(form[at:]))
	r.form = regexp.MustCompile("^" + b.String() + "$")
	for _, c := range verb.ReplaceAllString(form, "") {
		if unicode.IsLetter(c) {
			r.sureness++
		}
	}
	return r
}

// remarks are the forms of remarkForms and causeForms, the surest before those that suit almost any text.
var remarks = sync.OnceValue(func() []remark {
	var all []remark
	for _, form := range slices.Concat(remarkForms, causeForms) {
		all = append(all, remarkOf(form))
	}
	slices.SortStableFunc(all, func(a, b remark) int { return b.sureness - a.sureness })
	return all
})

// Remark is what a loader says of a file, an English sentence, in the language of the window. A form that is not known, or has no
// text in that language, stays as it is; so do names and the reasons of errors within one.
func Remark(text string) string {
	bare := text
	if !strings.HasSuffix(text, "..") { // which is a list that goes on
		bare = strings.TrimSuffix(text, ".")
	}
	for _, r := range remarks() {
		found := r.form.FindStringSubmatch(bare)
		if found == nil {
			continue
		}
		pairs := []string{"", ""} // a text without places is one with places too
		known := r.sureness > 0
		for i, what := range found[1:] {
			said := Remark(what)
			known = known || said != what
			pairs = append(pairs, string(rune('A'+i)), said)
		}
		if said := Say(r.key, pairs...); known && said != r.key {
			return said
		}
	}
	return text
}

// Remarks are several, each in a line.
func Remarks(texts []string) string {
	said := make([]string, len(texts))
	for i, t := range texts {
		said[i] = Remark(t)
	}
	return strings.Join(said, "\n")
}
