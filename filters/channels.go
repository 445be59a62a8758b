package filters

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// channelMath makes channels of channels. Its text holds one expression for each channel of the result, in the
// notation of stencil, with commas between them; c1, c2, ... are the channels of the image, counted from 1.
//
//	channels "c1 - 0.2*c2"                   one channel: what is in the first alone
//	channels "c1 - 0.2*c2, c2 - 0.05*c1"     two channels, unmixed
//	channels "c2, c1, (c1 + c2) // 2"        changes places, and adds a mean
var channelMath = Spec{
	Name: "channels", Title: "Channel arithmetic",
	Doc:       `Makes each channel of the result by a formula of the image's channels, such as "c1 - 0.2*c2, c2": c1 is the first one.`,
	Reference: "numpy arithmetic on the channels",
	Params: []Param{
		{Name: "text", Kind: Text, Leads: true, Default: "c1",
			Doc: "the formulas, with commas between them, one for each channel of the result: c1, c2, ... are the channels, c1[dy,dx] and c1[dz,dy,dx] their neighbours; + - * / // % **, comparisons, where min max abs norm sqrt exp log pow"},
		borderParam, dtypeParam,
	},
	build: buildChannels,
}

// maxChannels bounds how many channels a text makes.
const maxChannels = 64

var channelName = regexp.MustCompile(`\bc([0-9]+)\b`)

func buildChannels(a lazy.Array, v values) (lazy.Array, error) {
	formulas := formulasOf(v.text["text"])
	if len(formulas) > maxChannels {
		return lazy.Array{}, fmt.Errorf("%d formulas, more than %d", len(formulas), maxChannels)
	}
	edge, whole := v.border(), true
	var kernels []*stencil.Kernel
	var inputs [][]lazy.Array
	for n, text := range formulas {
		names, in, err := channelsIn(a, text, edge)
		if err == nil {
			var k *stencil.Kernel
			if k, err = stencil.ParseOf("channels", text, names, nil); err == nil {
				kernels, inputs, whole = append(kernels, k), append(inputs, in[:k.Inputs()]), whole && k.Whole()
			}
		}
		if err != nil && len(formulas) > 1 {
			err = fmt.Errorf("formula %d: %w", n+1, err)
		}
		if err != nil {
			return lazy.Array{}, err
		}
	}
	out := a.Meta().DType
	if !whole {
		out = derivativeType(out)
	}
	var made []lazy.Array
	for n, k := range kernels {
		one, err := lazy.Apply(stencil.Op{Kernel: k, Edge: edge, Out: v.dtype(out)}, inputs[n]...)
		if err != nil {
			return lazy.Array{}, err
		}
		made = append(made, one)
	}
	return lazy.Concat(lazy.C, made...)
}

// channelsIn is the channels that a formula names, and their names.
func channelsIn(a lazy.Array, text string, edge lazy.Border) (names []string, in []lazy.Array, err error) {
	for _, m := range channelName.FindAllStringSubmatch(text, -1) {
		if slices.Contains(names, m[0]) {
			continue
		}
		n, err := strconv.Atoi(m[1])
		if most := a.Meta().Shape[lazy.C]; err != nil || n < 1 || n > most {
			return nil, nil, fmt.Errorf("%s: the channels are c1 to c%d", m[0], most)
		}
		one, err := lazy.Take(a, lazy.C, n-1)
		if err == nil {
			one, err = holding(one, edge)
		}
		if err != nil {
			return nil, nil, err
		}
		names, in = append(names, m[0]), append(in, one)
	}
	if names == nil {
		return nil, nil, errors.New("a formula names a channel, such as c1")
	}
	return names, in, nil
}

// formulasOf cuts a text at the commas that are not within brackets.
func formulasOf(text string) []string {
	var parts []string
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case r == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}
