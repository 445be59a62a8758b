package ui

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"fyne.io/fyne/v2/lang"

	"lamella/assets"
)

// known holds the keys that have a text.
var known map[string]string

// Both could only fail by a text of our own that cannot be read, which the tests see before anybody.
func init() {
	text, err := assets.Translations.ReadFile("translations/base.en.json")
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err == nil {
		err = lang.AddTranslationsFS(assets.Translations, "translations")
	}
	if err != nil {
		panic(err)
	}
}

// Say is the text of a key in the user's language. Pairs fill the places {{.Name}} of the text.
func Say(key string, pairs ...string) string {
	if text, ok := spoken[key]; ok {
		return filled(text, pairs)
	}
	if len(pairs) == 0 {
		return lang.X(key, key)
	}
	with := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		with[pairs[i]] = pairs[i+1]
	}
	return lang.X(key, key, with)
}

// count is the text of a key for a number of things: the one for a single thing where the language has
// one.
func count(key string, n int, pairs ...string) string {
	if _, ok := known[key+".one"]; ok && n == 1 {
		key += ".one"
	}
	return Say(key, pairs...)
}

// sayOr is the text of a key in the user's language, or another text, in English, where that has none. What the catalogue says of
// filters is in English there alone.
func sayOr(key, other string) string {
	if text, ok := spoken[key]; ok {
		return text
	}
	if spoken != nil || !translated()[key] { // the toolkit complains of a text that no language has
		return other
	}
	return lang.X(key, other)
}

// translated are the keys that have a text in some language.
var translated = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	for _, name := range Languages() {
		text, err := assets.Translations.ReadFile("translations/base." + name + ".json")
		var texts map[string]string
		if err == nil && json.Unmarshal(text, &texts) == nil { // init has read them all
			for key := range texts {
				keys[key] = true
			}
		}
	}
	return keys
})

// group writes a number with a comma between each three digits.
func group(n int) string {
	s := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Bytes writes an amount of memory in the unit that suits it.
func Bytes(n int64) string { return bytes(n) }

// bytes writes an amount of memory in the unit that suits it.
func bytes(n int64) string {
	const step = 1024
	v, unit := float64(n), "B"
	for _, u := range [...]string{"kB", "MB", "GB", "TB"} {
		if v < step {
			break
		}
		v, unit = v/step, u
	}
	digits := 0
	if v < 10 && unit != "B" {
		digits = 1
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', digits, 64), ".0") + " " + unit
}

// duration writes seconds as a person reads a wait.
func duration(s float64) string {
	switch {
	case s < 0.0995:
		return strconv.FormatFloat(s*1e3, 'g', 2, 64) + " ms"
	case s < 1:
		return strconv.FormatFloat(s*1e3, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(s, 'f', 1, 64) + " s"
}

// number writes a contrast limit or the like with the digits that matter.
func number(v float64) string {
	if v == float64(int64(v)) && v > -1e9 && v < 1e9 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
