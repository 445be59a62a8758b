package viewer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lamella/filters"
)

// A KeptChain is a chain that a person has given a name, to be used on other images.
type KeptChain struct {
	Name string
	Text string // as the command line's --filter takes it
}

// KeptChains are in the order of their names, whatever their case. It is a value: changes make another list.
type KeptChains []KeptChain

// With is the list with a chain under a name, in place of the one that has it. A chain without filters that take part, a
// name of blanks and one that is longer than a menu are refused.
func (k KeptChains) With(name string, chain filters.Chain) (KeptChains, error) {
	name, text := strings.Join(strings.Fields(name), " "), chain.String()
	switch n := len([]rune(name)); {
	case n == 0 || n > longestName:
		return k, fmt.Errorf("viewer: keeping filters: expected a name of 1 to %d letters", longestName)
	case text == "":
		return k, errors.New("viewer: keeping filters: there are none that take part")
	}
	kept := append(k.Without(name), KeptChain{name, text})
	slices.SortFunc(kept, func(a, b KeptChain) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return kept, nil
}

// longestName is how many letters a menu has room for.
const longestName = 60

// Without is the list without a name.
func (k KeptChains) Without(name string) KeptChains {
	return slices.DeleteFunc(slices.Clone(k), func(c KeptChain) bool { return c.Name == name })
}

// Use is the Action that puts the chain of a name in place of the one on view.
func (k KeptChains) Use(name string) (Action, error) {
	i := slices.IndexFunc(k, func(c KeptChain) bool { return c.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("viewer: no filters are kept as %q", name)
	}
	chain, err := filters.Parse(k[i].Text)
	if err != nil {
		return nil, fmt.Errorf("viewer: the filters kept as %q: %w", name, err)
	}
	return SetChain(chain), nil
}
