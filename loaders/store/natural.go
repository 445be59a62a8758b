package store

import "strings"

// NaturalLess orders names as people count: runs of digits compare as numbers, the rest byte by
// byte, so "img_2" comes before "img_10" and "s (2)" before "s (11)". Names that differ only in
// leading zeros are ordered as text, so the order is total.
func NaturalLess(a, b string) bool { return NaturalCompare(a, b) < 0 }

// NaturalCompare is NaturalLess in the form that package slices wants: below 0 when a comes first.
func NaturalCompare(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if digit(x[0]) && digit(y[0]) {
			var m, n string
			m, x = cutNumber(x)
			n, y = cutNumber(y)
			if len(m) != len(n) {
				return len(m) - len(n)
			}
			if c := strings.Compare(m, n); c != 0 {
				return c
			}
			continue
		}
		if x[0] != y[0] {
			return int(x[0]) - int(y[0])
		}
		x, y = x[1:], y[1:]
	}
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(a, b)
}

// cutNumber takes a run of digits off the front of s and gives it without leading zeros, so that
// numbers of any length compare by length first.
func cutNumber(s string) (number, rest string) {
	end := 0
	for end < len(s) && digit(s[end]) {
		end++
	}
	return strings.TrimLeft(s[:end], "0"), s[end:]
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
