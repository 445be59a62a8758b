// Package quiet keeps the log silent while packages start. The window's toolkit reads the user's locale
// as it is loaded, before main, and logs a complaint about "C", which is a good one; the command line,
// whose standard error is read by scripts, would begin with it.
//
// Go starts packages in the order of their names as soon as what they import has started, so this one,
// which imports no more than it must, comes before the toolkit. Main lets the log speak again.
package quiet

import (
	"io"
	"log"
)

func init() { log.SetOutput(io.Discard) }
