package filters

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// userStencil is a stencil of the user's own, in the notation of stencil.Parse. One that holds integer
// operations alone keeps the type of the image, clamped; any other gives float32, or float64 for images of
// 64 bits. A stencil that looks along y and x alone is applied to every plane.
var userStencil = Spec{
	Name: "stencil", Title: "Stencil",
	Doc:       `A formula of your own for each voxel, such as "(x[0,-1] + x[0,0] + x[0,1]) // 3".`,
	Reference: "numba.stencil",
	Params: []Param{
		{Name: "text", Kind: Text, Leads: true, Default: "(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9",
			Doc: "the formula: x[dy,dx] or x[dz,dy,dx] is a neighbour; + - * / // % **, comparisons, where min max abs norm sqrt exp log pow; \"@param k = 0.5 0..1\" declares a parameter"},
		borderParam, dtypeParam,
	},
	build: buildStencil,
}

// steps are the distances between voxels in micrometres as a stencil's text names them; 0 where they are not known.
func steps(m lazy.Meta) map[string]float64 {
	um := m.Calibrated().Scale
	return map[string]float64{"dz": um[lazy.Z], "dy": um[lazy.Y], "dx": um[lazy.X]}
}

func buildStencil(a lazy.Array, v values) (lazy.Array, error) {
	m := a.Meta()
	numbers := steps(m)
	for _, p := range declared(v.text["text"]) {
		n, err := strconv.ParseFloat(v.text[p.Name], 64)
		if err != nil {
			return lazy.Array{}, fmt.Errorf("%s=%s: expected a number", p.Name, v.text[p.Name])
		}
		numbers[p.Name] = n
	}
	kernel, err := stencil.Parse("stencil", v.text["text"], numbers)
	if err != nil {
		return lazy.Array{}, bare{err}
	}
	out := m.DType
	if !kernel.Whole() {
		out = derivativeType(m.DType)
	}
	edge := v.border()
	if a, err = holding(a, edge); err != nil {
		return lazy.Array{}, err
	}
	return lazy.Apply(stencil.Op{Kernel: kernel, Edge: edge, Out: v.dtype(out)}, a)
}

// declared lists the parameters that a stencil's text declares; none if the text is wrong, which building
// the filter tells.
func declared(text string) []Param {
	found, err := stencil.Params(text)
	if err != nil {
		return nil
	}
	var params []Param
	for _, p := range found {
		params = append(params, Param{
			Name: p.Name, Kind: Number, Default: strconv.FormatFloat(p.Default, 'g', -1, 64),
			Min: max(p.Min, -math.MaxFloat64), Max: min(p.Max, math.MaxFloat64), Doc: "declared by the stencil",
		})
	}
	return params
}

// bare is an error of package stencil without the package's name, which the filter's, the same, stands before.
type bare struct{ error }

func (e bare) Error() string { return strings.TrimPrefix(e.error.Error(), "stencil: ") }
func (e bare) Unwrap() error { return e.error }
