//go:build headless

package main

import (
	"fmt"
	"os"
)

// runWindow says that there is none in this build.
func runWindow([]string) int {
	fmt.Fprintln(os.Stderr, "lamella: this build has no window; lamella --help lists the verbs, such as lamella slice SOURCE --out plane.png")
	return 1
}
