// Command lamella looks at 3-D to 5-D microscopy volumes and computes only what is on view.
//
//	lamella [--device DEVICE] [SOURCE ...]     opens the window
//	lamella VERB ...                           works without a display; lamella --help lists the verbs
//
// Built with the tag headless it is the verbs alone, with no toolkit in it.
package main

import (
	"os"
	"slices"
	"strings"

	"lamella/app/cli"
)

func main() {
	args := os.Args[1:]
	if wantsVerb(args) {
		os.Exit(cli.Main(args, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(runWindow(args))
}

// wantsVerb reports whether the words are for the command line: the first is a verb, or a flag that
// is no file. A file that is called like a verb is opened as ./info, or behind --. The window has the flag
// --device itself; before a verb the command line says where it belongs.
func wantsVerb(args []string) bool {
	if len(args) > 0 && (args[0] == "--device" || strings.HasPrefix(args[0], "--device=")) {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(cli.Verbs(), a) })
	}
	if len(args) == 0 || args[0] == "--" {
		return false
	}
	if strings.HasPrefix(args[0], "-") {
		_, err := os.Lstat(args[0])
		return err != nil
	}
	return slices.Contains(cli.Verbs(), args[0])
}
