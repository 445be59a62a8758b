package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"lamella/app/export"
)

// Version is the version of the program, the same in the window and in files it writes.
const Version = export.Version

func newVersion(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which version this is",
		Long:    "Prints the version, the revision it was built from where that is known, and what built it.",
		Example: "  lamella version",
		Args:    noWords,
		RunE: func(*cobra.Command, []string) error {
			revision := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, set := range info.Settings {
					if set.Key == "vcs.revision" {
						revision = " " + set.Value[:min(12, len(set.Value))]
					}
				}
			}
			_, err := fmt.Fprintf(s.stdout, "lamella %s%s, %s %s/%s\n", Version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

func noWords(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%q: this verb takes no words", args[0])
	}
	return nil
}
