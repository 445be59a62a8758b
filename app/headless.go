//go:build headless

package main

import (
	"os"

	"lamella/app/cli"
)

// runWindow says that there is none in this build.
func runWindow(args []string) int { return cli.NoWindow(args, os.Stderr) }
