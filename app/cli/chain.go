package cli

import (
	"fmt"
	"os"
	"strings"

	"lamella/filters"
)

// maxChain bounds the file that --filter @FILE reads, in bytes.
const maxChain = 1 << 20

// maxSteps is the most filters of a chain: more are a mistake, and planning them would take long.
const maxSteps = 100

// parseChain reads the text of --filter; "@FILE" names a file that holds it.
func parseChain(text string) (filters.Chain, error) {
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
		text = string(b)
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
	return chain, nil
}
