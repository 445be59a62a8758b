package filters

import (
	"fmt"
	"strings"

	"lamella/lazy"
)

// A Spec is one row of the catalogue.
type Spec struct {
	Name      string // in chains: "gaussian"
	Title     string // in menus: "Gaussian"
	Doc       string // one sentence
	Reference string // the function whose numbers it gives
	Params    []Param
	Moves     bool // the voxels of the result stand elsewhere than those of the image
	Outside   bool // computed by a program of the user's own, so that nothing is known of its numbers

	build   func(a lazy.Array, v values) (lazy.Array, error)
	coarser func(v values, coarse lazy.Meta) []Arg // parameters that are others on a coarser level; nil for most
	asks    func(v values) statistic               // what it takes from the voxels, if the parameters say so; nil for most
}

// Kind says how the value of a parameter is written.
type Kind uint8

// The kinds of parameters.
const (
	Number   Kind = iota // "4"
	Integer              // "3"
	Length               // "1.5", "0.4um", "400nm"
	Choice               // one of Choices
	Border               // "reflect", "constant:3"
	Type                 // "float32"; empty keeps the filter's own rule
	Text                 // a text of its own, written in quotes after the filter's name
	File                 // the name of a file, which Chain.Open opens
	Level                // one of Choices, or a number
	Channels             // channels counted from 1, such as "1,3"; empty for all
)

// A Param is one parameter of a filter.
type Param struct {
	Name     string
	Doc      string
	Default  string
	Unit     string // "voxels", or "" for plain numbers
	Kind     Kind
	PerAxis  bool // one value, or one an axis: z,y,x
	Min, Max float64
	Choices  []string
	Counts   bool // voxels, of which there are no halves, unless it is given in µm
	Rare     bool // for the few who need it
	Leads    bool // may stand in quotes after the name of the filter
}

// Every filter that looks beyond its voxel has a border, and every filter a result type.
var (
	borderParam = Param{Name: "border", Kind: Border, Default: "reflect",
		Doc: "what stands beyond the edge of the image: reflect, mirror, nearest, wrap, constant:V, or blank for 0 wherever the filter would look outside"}
	dtypeParam = Param{Name: "dtype", Kind: Type, Doc: "type of the result, such as float32; empty keeps the filter's own rule"}
)

var catalogue = []Spec{
	mean, gaussian, median, minimum, maximum, percentile, unsharp, outliers,
	sobel, prewitt, scharr, gaussianDerivative, gradientMagnitude, laplace, log, dog,
	variance, deviation, localContrast, clahe,
	erosion, dilation, opening, closing, whiteTophat, blackTophat,
	subtractBackground,
	threshold, rescale, clip, gamma, invert, bleach, convert, channelMath,
	richardsonLucy, landweberSpec, wiener, tikhonovMiller, blur,
	project,
	crop, flip, rotate, bin, resample,
	userStencil,
	external,
}

// Catalogue lists every filter, in the order of the menu.
func Catalogue() []Spec { return append([]Spec(nil), catalogue...) }

// Lookup finds a filter by name.
func Lookup(name string) (Spec, bool) {
	for _, s := range catalogue {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}

// Param finds a parameter by name.
func (s Spec) Param(name string) (Param, bool) {
	for _, p := range s.Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// Step is the filter with its defaults, as it is added to a chain.
func (s Spec) Step() Step { return Step{Filter: s.Name} }

func unknown(name string) error {
	var names []string
	for _, s := range catalogue {
		names = append(names, s.Name)
	}
	return fmt.Errorf("filters: there is no filter %q: the filters are %s", name, strings.Join(names, ", "))
}
