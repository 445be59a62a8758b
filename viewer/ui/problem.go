package ui

import "regexp"

// problems are the forms that a stencil's mistakes are told in, each with the key of its text in the language of
// the window. What stands for the brackets goes into the places A, B, C and D of that text.
var problems = []struct {
	form *regexp.Regexp
	key  string
}{
	{said(`(.+) has no meaning here`), "problem.sign"},
	{said(`expected param after @`), "problem.param"},
	{said(`expected an operator or the end, found (.+)`), "problem.operator"},
	{said(`the result is given already; a value before it needs a name, as in m = x\[0,1\]`), "problem.result"},
	{said(`expected an expression, such as x\[0,-1\] \+ x\[0,1\]`), "problem.empty"},
	{said(`(.+) has a meaning already`), "problem.taken"},
	{said(`the default (.+) of (.+) is not within (.+)`), "problem.default"},
	{said(`(.+) is not within (.+)`), "problem.range"},
	{said(`(.+) is not a number that can be computed with`), "problem.number"},
	{said(`the expression is nested too deep`), "problem.deep"},
	{said(`comparisons do not chain; write where\(a < b, b < c, 0\)`), "problem.chain"},
	{said(`the stencil is too long`), "problem.long"},
	{said(`dividing by 0`), "problem.zero"},
	{said(`(.+) is not a number`), "problem.power"},
	{said(`expected a value, found (.+)`), "problem.value"},
	{said(`the image does not state its voxel size, so (.+) is not known`), "problem.size"},
	{said(`(.+) is not known: the input is x; values and @param are named before they are used`), "problem.unknown"},
	{said(`only the input can be seen along z, as (.+)`), "problem.along"},
	{said(`expected a whole number of voxels up to (.+), found (.+)`), "problem.far"},
	{said(`expected two offsets, y and x, or three, z, y and x; found (.+)`), "problem.offsets"},
	{said(`(.+) takes (.+) values, not (.+)`), "problem.values"},
	{said(`the stencil never looks at its input, x`), "problem.blind"},
	{said(`expected the name of a parameter, found (.+)`), "problem.name"},
	{said(`expected = and a default, found (.+)`), "problem.equals"},
	{said(`expected a number, found (.+)`), "problem.digits"},
	{said(`expected \.\. within a range such as 0\.\.1, found (.+)`), "problem.dots"},
	{said(`expected a whole number of voxels, found (.+)`), "problem.voxels"},
	{said(`expected an operator or \), found (.+)`), "problem.bracket"},
	{said(`expected \( after (.+), found (.+)`), "problem.call"},
	{said(`expected , or ([\])]), found (.+)`), "problem.comma"},
}

func said(form string) *regexp.Regexp { return regexp.MustCompile("^" + form + "$") }

// ends are the words for what a text ends with, in place of a sign.
var ends = map[string]string{"the end": "problem.end", "the end of the line": "problem.endofline"}

// problem is what is wrong with a stencil in the language of the window; a form that is not known stays as it is.
func problem(text string) string {
	for _, p := range problems {
		found := p.form.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		pairs := []string{"", ""} // a text without places is one with places too
		for i, what := range found[1:] {
			if key, ok := ends[what]; ok {
				what = Say(key)
			}
			pairs = append(pairs, string(rune('A'+i)), what)
		}
		return Say(p.key, pairs...)
	}
	return text
}
