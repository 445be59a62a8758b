package filters

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Parse reads a chain: filters separated by |, each a name followed by name=value pairs. Texts with
// blanks go in double quotes, in which \" is a quote and \\ a backslash. An empty text is an empty chain.
//
//	gaussian sigma=0.4um | sobel dims=2 border=nearest
//
// Errors name the step and say what was expected. Whether a step suits an image is for Apply to say.
func Parse(text string) (Chain, error) {
	words, err := split(text)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, nil
	}
	var c Chain
	step := []word{}
	for _, w := range append(words, word{text: "|"}) {
		if w.quoted || w.text != "|" {
			step = append(step, w)
			continue
		}
		s, err := parseStep(step)
		if err != nil {
			return nil, fmt.Errorf("%w (step %d of %q)", err, len(c)+1, text)
		}
		c = append(c, s)
		step = step[:0]
	}
	return c, nil
}

func parseStep(words []word) (Step, error) {
	if len(words) == 0 {
		return Step{}, fmt.Errorf("filters: expected the name of a filter")
	}
	spec, ok := Lookup(words[0].text)
	if !ok {
		return Step{}, unknown(words[0].text)
	}
	s := spec.Step()
	rest := words[1:]
	if lead := spec.leading(); lead != "" && len(rest) > 0 && rest[0].leads {
		s.Args = append(s.Args, Arg{lead, rest[0].text})
		rest = rest[1:]
	}
	params := s.Params()
	for _, w := range rest {
		name, value, ok := strings.Cut(w.text, "=")
		if !ok {
			return Step{}, fmt.Errorf("filters: %s: expected name=value, found %q", spec.Name, w.text)
		}
		at := slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
		if at < 0 {
			return Step{}, fmt.Errorf("filters: %s has no parameter %q: it has %s", spec.Name, name, names(params))
		}
		if err := params[at].check(value); err != nil {
			return Step{}, fmt.Errorf("filters: %s: %w", spec.Name, err)
		}
		for _, a := range s.Args {
			if a.Name == name {
				return Step{}, fmt.Errorf("filters: %s: %s is given twice", spec.Name, name)
			}
		}
		s.Args = append(s.Args, Arg{name, value})
	}
	return s, nil
}

// String is the chain as Parse reads it, without the steps that are off.
func (c Chain) String() string {
	var steps []string
	for _, s := range c {
		if !s.Off {
			steps = append(steps, s.String())
		}
	}
	return strings.Join(steps, " | ")
}

// String is the step as Parse reads it.
func (s Step) String() string {
	text := s.Filter
	spec, _ := Lookup(s.Filter)
	for _, a := range s.Args {
		if a.Name == spec.leading() {
			text = s.Filter + " " + inQuotes(a.Value) + text[len(s.Filter):]
			continue
		}
		text += " " + a.Name + "=" + quote(a.Value)
	}
	return text
}

func quote(v string) string {
	if v != "" && !strings.ContainsFunc(v, func(r rune) bool { return unicode.IsSpace(r) || r == '|' || r == '"' || r == '\\' }) {
		return v
	}
	return inQuotes(v)
}

func inQuotes(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
}

type word struct {
	text   string
	quoted bool // holds a quoted part, so that "|" is a text and not the end of a step
	leads  bool // begins with one
}

// split cuts a text at blanks and bars outside of quotes.
func split(text string) ([]word, error) {
	var words []word
	var w strings.Builder
	open, quoted, leads, inside := false, false, false, false
	end := func() {
		if open {
			words = append(words, word{w.String(), quoted, leads})
		}
		w.Reset()
		open, quoted, leads = false, false, false
	}
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case inside && r == '\\' && i+1 < len(runes) && (runes[i+1] == '"' || runes[i+1] == '\\'):
			i++
			w.WriteRune(runes[i])
		case r == '"':
			inside = !inside
			leads = leads || !open
			open, quoted = true, true
		case inside:
			w.WriteRune(r)
		case r == '|':
			end()
			words = append(words, word{text: "|"})
		case unicode.IsSpace(r):
			end()
		default:
			open = true
			w.WriteRune(r)
		}
	}
	if inside {
		return nil, fmt.Errorf("filters: the chain %q ends within a quoted text", text)
	}
	end()
	return words, nil
}
