package viewer

import (
	"math"

	"lamella/filters"
)

// The filter catalogue as the window needs it, so that widgets know one package alone.
type (
	// A Filter is one row of the catalogue.
	Filter = filters.Spec
	// A Param is one parameter of a filter.
	Param = filters.Param
	// A FilterStep is one filter of a chain with the parameters that differ from its defaults.
	FilterStep = filters.Step
	// A Chain is a list of filters.
	Chain = filters.Chain
	// A Formula is what a stencil's text amounts to.
	Formula = filters.Formula
	// A Mistake is where the text of a stencil is wrong, counted from 1, and what was expected there.
	Mistake = filters.SyntaxError
)

// The forms that a stencil can have.
const (
	WeightedSum   = filters.WeightedSum
	OfWeightedSum = filters.OfWeightedSum
	Nonlinear     = filters.Nonlinear
)

// Catalogue lists every filter, in the order of the menu.
func Catalogue() []Filter { return filters.Catalogue() }

// ParseChain reads a chain in its text form.
func ParseChain(text string) (Chain, error) { return filters.Parse(text) }

// LookupFilter finds a filter by its name in chains.
func LookupFilter(name string) (Filter, bool) { return filters.Lookup(name) }

// Choices are the values that a parameter can have, in the order of a menu; nil when it is a number
// or a text.
func Choices(p Param) []string {
	switch {
	case len(p.Choices) > 0:
		return p.Choices
	case p.Kind == filters.Border:
		return []string{"reflect", "mirror", "nearest", "wrap", "constant:0", "blank"}
	case p.Kind == filters.Type:
		return []string{"", "uint8", "int8", "uint16", "int16", "float32", "float64"}
	}
	return nil
}

// ActsOn are the channels that a step acts on, as indices; nil for all.
func ActsOn(s FilterStep) []int { return s.Channels() }

// ChannelsParam is the parameter that says which channels a step acts on.
func ChannelsParam() Param { return filters.ChannelsParam() }

// Selects reports whether a filter can act on some channels alone.
func Selects(f Filter) bool { return f.Selects() }

// IsLength reports whether a parameter is a length, in voxels or with a unit.
func IsLength(p Param) bool { return p.Kind == filters.Length }

// IsFile reports whether a parameter names a file.
func IsFile(p Param) bool { return p.Kind == filters.File }

// IsRange reports whether a parameter is a number between two bounds, which a slider is for.
func IsRange(p Param) bool {
	return p.Kind == filters.Number && p.Min > -math.MaxFloat64 && p.Max < math.MaxFloat64 && p.Min < p.Max
}

// IsSpecial reports whether a parameter is one that every filter has, or that only a few need.
func IsSpecial(p Param) bool { return p.Kind == filters.Border || p.Kind == filters.Type || p.Rare }
