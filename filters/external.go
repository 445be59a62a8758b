package filters

import (
	"errors"
	"math"
	"time"

	"lamella/lazy"
)

// external hands blocks to a program of the user's own and takes its answers. A chain only describes it; who runs
// programs, and which may be run, is for the program around this package to say (RunPrograms).
var external = Spec{
	Name: "external", Title: "External program", Outside: true,
	Doc:       "A program of your own, in any language, that takes blocks of voxels on standard input and answers on standard output; docs/EXTERNAL.md shows how.",
	Reference: "dask.array.map_overlap",
	Params: []Param{
		{Name: "command", Kind: Text, Leads: true, Doc: `the program and its words, such as "python3 denoise.py"; no shell reads them, and 'words in single quotes' keep their blanks`},
		{Name: "halo", Kind: Integer, Default: "0", PerAxis: true, Unit: "voxels", Max: 1000, Doc: "how far the program looks beyond a voxel; so much is added around each block, and cut from the answer"},
		{Name: "limit", Kind: Number, Default: "60", Min: 0.001, Max: math.MaxInt32, Doc: "seconds that a block may take"},
		borderParam,
		{Name: "dtype", Kind: Type, Default: "float32", Doc: "type of the voxels that the program answers"},
	},
	build: buildExternal,
}

// A Program is what a step of the filter external asks to be run.
type Program struct {
	Command string
	Halo    lazy.Halo // 0 along axes that the image does not have
	Edge    lazy.Border
	Out     lazy.DType
	Limit   time.Duration // for a block
	Scale   [lazy.Rank]float64
	Unit    [lazy.Rank]string
}

// programs makes the ops of the filter external. Without it none is run.
var programs func(Program) (lazy.Op, error)

// RunPrograms says who makes the ops of the filter external. It is called once, before any chain is applied. The op
// is not run before there are voxels to compute; an error says why the program is not to be run at all, such as
// that nobody was asked.
func RunPrograms(by func(Program) (lazy.Op, error)) { programs = by }

func buildExternal(a lazy.Array, v values) (lazy.Array, error) {
	if v.text["command"] == "" {
		return lazy.Array{}, errors.New(`no program is named: external "python3 denoise.py" halo=2`)
	}
	if programs == nil {
		return lazy.Array{}, errors.New("programs are not run here")
	}
	m := a.Meta()
	p := Program{
		Command: v.text["command"], Edge: v.border(), Out: v.dtype(lazy.F32),
		Limit: time.Duration(v.number("limit") * float64(time.Second)), Scale: m.Scale, Unit: m.Unit,
	}
	halo, err := v.perAxis("halo")
	if err != nil {
		return lazy.Array{}, err
	}
	for _, ax := range live(m) {
		p.Halo.Before[ax], p.Halo.After[ax] = int(halo[ax]), int(halo[ax])
	}
	if a, err = holding(a, p.Edge); err != nil {
		return lazy.Array{}, err
	}
	op, err := programs(p)
	if err != nil {
		return lazy.Array{}, err
	}
	return lazy.Apply(op, a)
}

// Programs are the commands that a chain would run, switched on or not.
func (c Chain) Programs() []string {
	var all []string
	for _, s := range c {
		if s.Filter == external.Name {
			all = append(all, s.Arg("command"))
		}
	}
	return all
}

// leading is the parameter whose value may stand in quotes after the name of the filter; "" if there is none.
func (s Spec) leading() string {
	for _, p := range s.Params {
		if p.Leads {
			return p.Name
		}
	}
	return ""
}
