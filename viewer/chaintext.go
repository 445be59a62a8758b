package viewer

import (
	"errors"
	"fmt"
	"strings"

	"lamella/filters"
)

// PasteChain is the Action that puts a chain in its text form in place of the one on view. A text that is no chain is
// refused with the reason.
func PasteChain(text string) (Action, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("viewer: the clipboard holds no filters, such as: gaussian sigma=0.4um | sobel")
	}
	chain, err := filters.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("viewer: the clipboard holds no filters: %w", err)
	}
	return SetChain(chain), nil
}
