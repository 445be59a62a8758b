package ui

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// match says how well a title answers what is searched for; 0 is not at all. Every word that was written must be
// found: at the beginning of a word of the title best, within one next, and at last as letters in their order.
func match(query, title string) int {
	title = strings.ToLower(title)
	score := 1
	for _, word := range strings.Fields(strings.ToLower(query)) {
		at := strings.Index(title, word)
		switch {
		case at == 0:
			score += 40 + len(word)
		case at > 0 && startsWord(title, at):
			score += 30 + len(word)
		case at > 0:
			score += 20 + len(word)
		case len([]rune(word)) > 1 && inOrder(word, title):
			score += 1
		default:
			return 0
		}
	}
	return score
}

// mentions says how well a sentence answers: all words must begin words of it.
func mentions(query, text string) int {
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(query)) {
		if at := strings.Index(text, word); at < 0 || at > 0 && !startsWord(text, at) {
			return 0
		}
	}
	return 1
}

// startsWord reports whether a word begins at a byte of a text.
func startsWord(text string, at int) bool {
	before := []rune(text[:at])
	last := before[len(before)-1]
	return !unicode.IsLetter(last) && !unicode.IsDigit(last)
}

// inOrder reports whether the letters of a word stand in a text in their order, each at the beginning of a word or
// beside the one before: "ftw" and "fitw" are "Fit to window".
func inOrder(word, text string) bool {
	letters := []rune(word)
	beside := false
	was := ' '
	for _, r := range text {
		if beside = len(letters) > 0 && r == letters[0] && (beside || !unicode.IsLetter(was)); beside {
			letters = letters[1:]
		}
		was = r
	}
	return len(letters) == 0
}

// letters is more than what any command scores that has only the letters of what is searched for, and less than one that has
// its words.
const letters = 40

// found are the commands that answer what is searched for, the best first and else in their order. What cannot be
// done now is left out.
func found(all []command, query string) []command {
	type scored struct {
		command
		score int
	}
	var hits []scored
	for _, c := range all {
		if c.off {
			continue
		}
		score := max(4*match(query, c.title), 3*match(query, c.plain))
		if score == 0 {
			score = 2 * match(query, c.path+" "+c.title)
		}
		if m := mentions(query, c.title+" "+c.terms); score < letters && m > 0 { // a word says more than letters that fit
			score = letters
		}
		if score == 0 {
			score = mentions(query, c.path+" "+c.title+" "+c.about+" "+c.terms)
		}
		if score > 0 {
			hits = append(hits, scored{c, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]command, len(hits))
	for i, h := range hits {
		out[i] = h.command
	}
	return out
}
