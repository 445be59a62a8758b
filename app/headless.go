//go:build headless

package main

import (
	"os"

	"lamella/app/cli"
)

// runWindow says that there is none in this build.
func runWindow(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	return cli.NoWindow(args, os.Stderr)
}
