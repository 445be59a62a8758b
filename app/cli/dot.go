package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"lamella/lazy"
)

// writeDOT writes a plan as a graph in the language of Graphviz: one box for each chunk to read, one
// ellipse for each piece to compute, and an arrow from each piece to those that need it.
func writeDOT(to io.Writer, p lazy.Plan) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "digraph plan {\n\trankdir=LR\n\tlabel=\"%d tasks, %d chunks to read\"\n", p.Cost.Tasks, p.Cost.Chunks)
	for i, t := range p.Tasks {
		name, shape := "read", "box"
		if t.Node.Source == nil {
			name, shape = t.Node.Op.Name(), "ellipse"
		}
		fmt.Fprintf(w, "\tt%d [shape=%s, label=%q]\n", i, shape, name+"\n"+place(t.Key.Tile, t.Node.Meta.Shape))
		for _, part := range t.Parts {
			fmt.Fprintf(w, "\tt%d -> t%d\n", part.Task, i)
		}
	}
	fmt.Fprintln(w, "}")
	return w.Flush()
}

// place names the axes of a tile on which the array is longer than one voxel.
func place(r lazy.Region, s lazy.Shape) string {
	var parts []string
	for a := range lazy.Axis(lazy.Rank) {
		switch {
		case s[a] == 1:
		case r.Len(a) == 1:
			parts = append(parts, fmt.Sprintf("%v=%d", a, r.Min[a]))
		default:
			parts = append(parts, fmt.Sprintf("%v=%d:%d", a, r.Min[a], r.Max[a]))
		}
	}
	return strings.Join(parts, " ")
}
