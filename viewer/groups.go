package viewer

import "strings"

// A Group is filters of one purpose, which share a part of the menu.
type Group struct {
	Name    string // the key of its title
	Filters []Filter
}

// groups are the filters by purpose, in the order of the menu. What none of them names is in the last.
var groups = [...][2]string{
	{"smooth", "mean gaussian median percentile minimum maximum remove-outliers"},
	{"edges", "sobel prewitt scharr gaussian-derivative gradient"},
	{"spots", "laplace log dog white-tophat black-tophat subtract-background unsharp"},
	{"texture", "variance local-sd local-contrast clahe"},
	{"deconvolution", "richardson-lucy landweber wiener tikhonov-miller blur"},
	{"morphology", "erosion dilation opening closing"},
	{"geometry", "crop flip rotate bin resample project"},
	{"values", ""},
}

// Groups lists every filter that is chosen by its name, by purpose. Stencils, which are written, are in none.
func Groups() []Group {
	all := make([]Group, len(groups))
	of := map[string]int{}
	for i, g := range groups {
		all[i].Name = g[0]
		for _, name := range strings.Fields(g[1]) {
			of[name] = i
		}
	}
	for _, f := range Catalogue() {
		if IsWritten(f) {
			continue
		}
		i, named := of[f.Name]
		if !named {
			i = len(all) - 1
		}
		all[i].Filters = append(all[i].Filters, f)
	}
	return all
}
