package loaders

import (
	"encoding/json"
	"strings"
)

// recipeMark begins the line that holds a recipe in a text that is meant for people.
const recipeMark = "lamella: "

// RecipeLine is a recipe as one line of text, for formats whose metadata are text; "" for an empty one. FindRecipe
// reads it.
func RecipeLine(r Recipe) string {
	if r == (Recipe{}) {
		return ""
	}
	text, err := json.Marshal(map[string]string{"source": r.Source, "chain": r.Chain, "version": r.Version})
	if err != nil {
		return "" // strings always have a form
	}
	return recipeMark + string(text)
}

// FindRecipe finds the line that RecipeLine made in a text; without one the recipe is empty.
func FindRecipe(text string) Recipe {
	for line := range strings.Lines(text) {
		found, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), recipeMark)
		var r struct{ Source, Chain, Version string }
		if ok && json.Unmarshal([]byte(found), &r) == nil {
			return Recipe(r)
		}
	}
	return Recipe{}
}
