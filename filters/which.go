package filters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
)

// A filter may act on some channels alone:
//
//	gaussian sigma=2 channels=1 | richardson-lucy psf=gfp.tif channels=2,3
//
// The other channels pass as they are, in a type that holds theirs and that of the result: what was uint16 beside a result in
// float32 becomes float32, with the same values. What a filter finds out from the voxels, such as Otsu's threshold, it finds out
// from its channels.

// whichParam says which channels a filter acts on. Every filter has it whose result is channel by channel that of the image.
var whichParam = Param{Name: "channels", Kind: Channels, Rare: true,
	Doc: "the channels, counted from 1, that the filter acts on, such as 1,3; the others pass as they are; empty for all"}

// ChannelsParam is the parameter of every filter with Selects.
func ChannelsParam() Param { return whichParam }

// Selects reports whether the filter may act on some channels alone. One that makes channels of others may not.
func (s Spec) Selects() bool { return s.Name != "" && s.Name != channelMath.Name }

// selecting is parameters with the one that says which channels, unless one of a stencil's own has its name.
func (s Spec) selecting(params []Param) []Param {
	if !s.Selects() || slices.ContainsFunc(params, func(p Param) bool { return p.Name == whichParam.Name }) {
		return params
	}
	return append(slices.Clone(params), whichParam)
}

// checkChannels reports what is wrong with a list of channels, whatever image it is for.
func checkChannels(text string) error {
	_, err := channelList(text)
	return err
}

// channelList reads a list of channels, counted from 1, as indices in order; nil for all.
func channelList(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var all []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || slices.Contains(all, n-1) {
			return nil, fmt.Errorf("channels=%s: expected channels counted from 1, each once, such as 1,3", text)
		}
		all = append(all, n-1)
	}
	slices.Sort(all)
	return all, nil
}

// WriteChannels writes indices of channels as the parameter has them.
func WriteChannels(which []int) string {
	var parts []string
	for _, c := range which {
		parts = append(parts, strconv.Itoa(c+1))
	}
	return strings.Join(parts, ",")
}

// Channels are the channels that the step acts on, as indices in order; nil for all.
func (s Step) Channels() []int {
	if spec, ok := Lookup(s.Filter); !ok || !spec.Selects() {
		return nil
	}
	if p := s.Params(); p[len(p)-1].Kind != Channels { // a stencil's own number has the name
		return nil
	}
	which, _ := channelList(s.Arg(whichParam.Name))
	return which
}

// everywhere is the step on whatever image it is given.
func (s Step) everywhere() Step {
	s.Args = slices.DeleteFunc(slices.Clone(s.Args), func(a Arg) bool { return a.Name == whichParam.Name })
	return s
}

// chosen is the image of the channels that the step acts on.
func (s Step) chosen(a lazy.Array) (lazy.Array, error) {
	which := s.Channels()
	if which == nil {
		return a, nil
	}
	var parts []lazy.Array
	for _, c := range which {
		if most := a.Meta().Shape[lazy.C]; c >= most {
			return lazy.Array{}, fmt.Errorf("filters: %s: channels=%s: the image has %s", s.Filter, WriteChannels(which), counted(most))
		}
		one, err := lazy.Take(a, lazy.C, c)
		if err != nil {
			return lazy.Array{}, err
		}
		parts = append(parts, one)
	}
	return lazy.Concat(lazy.C, parts...)
}

// counted is how many channels an image has, in words.
func counted(channels int) string {
	if channels == 1 {
		return "1 channel"
	}
	return fmt.Sprintf("%d channels", channels)
}

// applySome is the image with the step applied to its channels.
func (s Step) applySome(a lazy.Array, which []int) (lazy.Array, error) {
	if s.Filter == project.Name && s.Arg("axis") == "c" {
		return lazy.Array{}, fmt.Errorf("filters: axis=c works across the channels, so channels=%s does not go with it; range=A:B says which channels, counted from 0", WriteChannels(which))
	}
	some, err := s.chosen(a)
	if err != nil {
		return lazy.Array{}, err
	}
	done, err := s.everywhere().apply(some)
	if err == nil {
		done, err = beside(a, done, which)
	}
	if err != nil {
		return lazy.Array{}, err
	}
	return done, nil
}

// beside is an image with some of its channels in the place of which stand those of another.
func beside(a, done lazy.Array, which []int) (lazy.Array, error) {
	want := a.Meta().Shape
	want[lazy.C] = len(which)
	if got := done.Meta().Shape; got != want {
		return lazy.Array{}, fmt.Errorf("filters: channels=%s: the filter makes an image of another shape, so the other channels do not go with it", WriteChannels(which))
	}
	t := holdsBoth(a.Meta().DType, done.Meta().DType)
	var parts []lazy.Array
	for c := range a.Meta().Shape[lazy.C] {
		from, i := a, c
		if k := slices.Index(which, c); k >= 0 {
			from, i = done, k
		}
		one, err := lazy.Take(from, lazy.C, i)
		if err == nil {
			one, err = cast(one, t)
		}
		if err != nil {
			return lazy.Array{}, err
		}
		parts = append(parts, one)
	}
	return lazy.Concat(lazy.C, parts...)
}

// holdsBoth is the smallest type that holds all values of two; float64 where there is none.
func holdsBoth(a, b lazy.DType) lazy.DType {
	for _, t := range lazy.DTypes() {
		if hasAll(t, a) && hasAll(t, b) {
			return t
		}
	}
	return lazy.F64
}

// hasAll reports whether a type has all values of another. A real number has as many digits as its mantissa.
func hasAll(t, of lazy.DType) bool {
	switch {
	case t == of:
		return true
	case t.Float() && of.Float():
		return t == lazy.F64
	case t.Float():
		return of.Size() < t.Size()
	case of.Float():
		return false
	}
	low, high := t.Range()
	least, most := of.Range()
	return low <= least && high >= most && t.Size() > of.Size()
}
