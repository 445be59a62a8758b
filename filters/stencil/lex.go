package stencil

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A SyntaxError says where a stencil's text is wrong. Column counts characters from 1.
type SyntaxError struct {
	Line, Column int
	Problem      string
}

func (e *SyntaxError) Error() string {
	if e.Line > 1 {
		return fmt.Sprintf("stencil: line %d, column %d: %s", e.Line, e.Column, e.Problem)
	}
	return fmt.Sprintf("stencil: column %d: %s", e.Column, e.Problem)
}

// A token is one word of a text. Its kind is "name", "number", "end", "line" (a new line or ;), or the
// sign itself.
type token struct {
	kind, text   string
	line, column int
}

func (t token) fault(format string, args ...any) error {
	return &SyntaxError{t.line, t.column, fmt.Sprintf(format, args...)}
}

// String is the token as messages show it.
func (t token) String() string {
	switch t.kind {
	case "end":
		return "the end"
	case "line":
		return "the end of the line"
	}
	return fmt.Sprintf("%q", t.text)
}

// signs are matched longest first.
var signs = []string{"**", "//", "<=", ">=", "==", "!=", "..", "+", "-", "*", "/", "%", "<", ">", "=", "(", ")", "[", "]", ",", "@"}

// lex cuts a text into tokens. # begins a comment that ends with its line. Within brackets a new line is
// a blank.
func lex(text string) ([]token, error) {
	var tokens []token
	line, column, counted, depth := 1, 1, 0, 0
	for at := 0; at < len(text); {
		column += utf8.RuneCountInString(text[counted:at])
		counted = at
		here := token{line: line, column: column}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == '\n' || r == ';':
			if depth == 0 {
				here.kind = "line"
				tokens = append(tokens, here)
			}
			at++
			if r == '\n' {
				line, column, counted = line+1, 1, at
			}
		case unicode.IsSpace(r):
			at += size
		case r == '#':
			n := strings.IndexByte(text[at:], '\n')
			if n < 0 {
				n = len(text) - at
			}
			at += n
		case r == '_' || unicode.IsLetter(r):
			n := strings.IndexFunc(text[at:], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if n < 0 {
				n = len(text) - at
			}
			here.kind, here.text = "name", text[at:at+n]
			tokens, at = append(tokens, here), at+n
		case r >= '0' && r <= '9' || r == '.' && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9':
			here.kind, here.text = "number", number(text[at:])
			tokens, at = append(tokens, here), at+len(here.text)
		default:
			for _, s := range signs {
				if strings.HasPrefix(text[at:], s) {
					here.kind, here.text = s, s
					break
				}
			}
			switch here.kind {
			case "":
				return nil, here.fault("%q has no meaning here", r)
			case "(", "[":
				depth++
			case ")", "]":
				depth = max(0, depth-1)
			}
			tokens, at = append(tokens, here), at+len(here.text)
		}
	}
	return append(tokens, token{kind: "end", line: line, column: column + utf8.RuneCountInString(text[counted:])}), nil
}

// number is the longest number that a text begins with: digits, a fraction, an exponent. Two points are
// a range and belong to no number.
func number(text string) string {
	n := 0
	digits := func() {
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
	}
	digits()
	if n < len(text) && text[n] == '.' && !strings.HasPrefix(text[n:], "..") {
		n++
		digits()
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		mark := n
		n++
		if n < len(text) && (text[n] == '+' || text[n] == '-') {
			n++
		}
		if from := n; true {
			if digits(); n == from {
				n = mark
			}
		}
	}
	return text[:n]
}
