// Package cli is the command line: verbs that open, describe, slice, export and measure without a
// display. It never loads the window's toolkit.
//
//	code := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
//	os.Exit(code)
//
// Every verb keeps the same manners. The exit code is 0 when it is done, 1 when it could not be
// done, and 2 when the words were wrong. What went wrong is one line on standard error that names
// the file. Results go to standard output or to the file that was named, which appears whole or
// not at all. Indices count from 0.
package cli
