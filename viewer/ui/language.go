package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lamella/assets"
)

// Languages are those that the window speaks, by the names of their files: "en", "zh_Hans".
func Languages() []string {
	files, err := assets.Translations.ReadDir("translations")
	if err != nil {
		return nil
	}
	var all []string
	for _, f := range files {
		all = append(all, strings.TrimSuffix(strings.TrimPrefix(f.Name(), "base."), ".json"))
	}
	slices.Sort(all)
	return all
}

// spoken are the texts of the language that was chosen; nil where the desktop's is followed.
var spoken map[string]string

// SetLanguage has the window speak a language of Languages whatever the desktop speaks; "" follows the desktop. It is
// called before a View is made. What the toolkit says by itself, in its dialogs for files, stays in the desktop's.
func SetLanguage(name string) error {
	spoken = nil
	if name == "" {
		return nil
	}
	text, err := assets.Translations.ReadFile("translations/base." + name + ".json")
	if err != nil {
		return fmt.Errorf("ui: there are no texts in %q: there are %s", name, strings.Join(Languages(), ", "))
	}
	return json.Unmarshal(text, &spoken)
}

// filled is a text with pairs of names and values in their places {{.Name}}.
func filled(text string, pairs []string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, "{{."+pairs[i]+"}}", pairs[i+1])
	}
	return text
}
