package n5

import (
	"maps"
	"path"
	"slices"

	"lamella/lazy"
	"lamella/loaders"
)

// said is the attributes of a group, and of its finest level below that level's name; of an array that belongs to no
// group its own alone. Attributes have no order of their own: they stand by name.
func said(n node, levels []node) []lazy.Entry {
	var e loaders.Entries
	for _, name := range slices.Sorted(maps.Keys(n.attributes)) {
		e.AddJSON(name, n.attributes[name])
	}
	if first := levels[0]; first.path != n.path {
		for _, name := range slices.Sorted(maps.Keys(first.attributes)) {
			e.AddJSON(path.Base(first.path)+"."+name, first.attributes[name])
		}
	}
	return e.List()
}
