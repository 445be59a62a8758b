package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"lamella/app/extern"
	"lamella/filters"
	"lamella/lazy"
)

// maxChain bounds the file that --filter @FILE reads, in bytes.
const maxChain = 1 << 20

// maxSteps is the most filters of a chain: more are a mistake, and planning them would take long.
const maxSteps = 100

// parseChain reads the text of --filter; "@FILE" names a file that holds it. The programs that a text names may be
// run, since it was typed here; those that a file names only if the words say so.
func parseChain(ctx context.Context, text string, runPrograms bool) (filters.Chain, error) {
	typed := true
	if name, ok := strings.CutPrefix(text, "@"); ok {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("--filter %s: %w", text, err)
		}
		if !info.Mode().IsRegular() || info.Size() > maxChain {
			return nil, fmt.Errorf("--filter %s: not a file of at most %d bytes", text, maxChain)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("--filter %s: %w", text, err)
		}
		text, typed = string(b), runPrograms
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	chain, err := filters.Parse(text)
	if err != nil {
		return nil, usage{err}
	}
	if len(chain) > maxSteps {
		return nil, usagef("--filter: %d filters, more than %d", len(chain), maxSteps)
	}
	if programs, ok := ctx.Value(programsOf{}).(*extern.Programs); ok && typed {
		for _, command := range chain.Programs() {
			programs.Allow(command)
		}
	}
	return chain, nil
}

// programsOf is the key of the programs of a run in its context.
type programsOf struct{}

// newPrograms is what runs the programs that chains name. What they write to standard error is told.
func newPrograms(stderr io.Writer) *extern.Programs {
	var line sync.Mutex // several programs may say something at once
	programs := extern.New(extern.Options{Said: func(command, text string) {
		line.Lock()
		defer line.Unlock()
		fmt.Fprintf(stderr, "lamella: %s: %s\n", command, text)
	}})
	filters.RunPrograms(func(p filters.Program) (lazy.Op, error) {
		op, err := programs.Op(extern.Program(p))
		if errors.Is(err, extern.ErrNotAllowed) {
			err = fmt.Errorf("%w; a chain from a file runs programs with --run-programs", err)
		}
		return op, err
	})
	return programs
}
