package cli

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"lamella/filters"
)

func newFilters(s *session) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "filters [NAME]",
		Short: "List the filters, or explain one",
		Long: `Lists the filters that --filter takes, from the same table as the window's menu. With a name it
explains that filter and its parameters.

A chain is filters joined by |, each with its parameters: 'gaussian sigma=0.4um | sobel axis=z'.
A bare length is in voxels, um and nm are in the world; 1,2,2 is one value for each of z, y, x.

A number that a filter takes from the voxels, as in 'threshold method=otsu', is found once, before anything
is planned: from all of an image of up to 4 million voxels, else from as many of five planes spread
evenly along z and time, or of sixteen tiles of each, after the filters before it in the chain. What was
found is told, and stands in the chain that the file carries: 'threshold method=otsu value=812'.`,
		Example: `  lamella filters
  lamella filters gaussian
  lamella filters --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one name, not %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all := filters.Catalogue()
			if len(args) == 1 {
				one, ok := filters.Lookup(args[0])
				if !ok {
					return usagef("%q is not a filter; lamella filters lists them", args[0])
				}
				all = []filters.Spec{one}
			}
			switch {
			case asJSON:
				return writeJSON(s.stdout, catalogue(all))
			case len(args) == 1:
				return explain(s.stdout, all[0])
			}
			for _, f := range all {
				if _, err := fmt.Fprintf(s.stdout, "%s\n    %s\n", usageOf(f), firstSentence(f.Doc)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// usageOf is a filter with its parameters at their defaults: "gaussian sigma=1 truncate=4".
func usageOf(f filters.Spec) string {
	words := []string{f.Name}
	for _, p := range f.Params {
		if p.Default != "" {
			words = append(words, p.Name+"="+p.Default)
		}
	}
	return strings.Join(words, " ")
}

func firstSentence(doc string) string {
	if i := strings.Index(doc, ". "); i >= 0 {
		return doc[:i+1]
	}
	return doc
}

func explain(w io.Writer, f filters.Spec) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n\n%s\n", usageOf(f), f.Doc)
	for _, p := range f.Params {
		fmt.Fprintf(t, "\n%s=%s\t%s%s", p.Name, p.Default, p.Doc, choices(p))
	}
	if p := filters.ChannelsParam(); f.Selects() {
		fmt.Fprintf(t, "\n%s=%s\t%s", p.Name, p.Default, p.Doc)
	}
	if len(f.Params) > 0 || f.Selects() {
		fmt.Fprintln(t)
	}
	if f.Reference != "" {
		fmt.Fprintf(t, "\n%s\n", f.Reference)
	}
	return t.Flush()
}

// choices is what a parameter may be: some words, or a range.
func choices(p filters.Param) string {
	switch {
	case len(p.Choices) > 0:
		return " (" + strings.Join(p.Choices, ", ") + ")"
	case finite(p.Min) != nil && finite(p.Max) != nil && p.Min < p.Max && p.Max < 1<<20:
		return fmt.Sprintf(" (%g to %g)", p.Min, p.Max)
	}
	return ""
}

type filterDescription struct {
	Name      string             `json:"name"`
	Title     string             `json:"title"`
	Doc       string             `json:"doc"`
	Params    []paramDescription `json:"params"`
	Reference string             `json:"reference"`
}

type paramDescription struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Default string   `json:"default"`
	Kind    string   `json:"kind"`
	Unit    string   `json:"unit"`
	Min     *float64 `json:"min"` // nil where there is no limit
	Max     *float64 `json:"max"`
	Choices []string `json:"choices"`
	PerAxis bool     `json:"per_axis"`
}

func catalogue(specs []filters.Spec) []filterDescription {
	out := []filterDescription{}
	for _, f := range specs {
		d := filterDescription{f.Name, f.Title, f.Doc, []paramDescription{}, f.Reference}
		for _, p := range f.Params {
			about := paramDescription{p.Name, p.Doc, p.Default, kindNames[p.Kind], p.Unit, nil, nil, append([]string{}, p.Choices...), p.PerAxis}
			if p.Min != 0 || p.Max != 0 {
				about.Min = finite(p.Min)
				about.Max = finite(p.Max)
			}
			d.Params = append(d.Params, about)
		}
		out = append(out, d)
	}
	return out
}

var kindNames = map[filters.Kind]string{
	filters.Number: "number", filters.Integer: "integer", filters.Length: "length",
	filters.Choice: "choice", filters.Border: "border", filters.Type: "type",
	filters.Text: "text", filters.File: "file", filters.Channels: "channels", filters.Level: "choice or number",
}

// finite is v, or nil if JSON has no word for it.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.Abs(v) >= math.MaxFloat64 {
		return nil
	}
	return &v
}
