package filters

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"lamella/lazy"
)

// crop keeps a box of the image. What is kept stays where it lies in the world.
var crop = Spec{
	Name: "crop", Title: "Crop", Moves: true,
	Doc:       "Keeps a part of the image: ranges of voxels, the first included and the last not, or of micrometres.",
	Reference: "numpy slicing",
	Params: []Param{
		cropParam("x"), cropParam("y"), cropParam("z"), cropParam("t"), cropParam("c"),
	},
	build: func(a lazy.Array, v values) (lazy.Array, error) {
		r := a.Meta().Shape.Whole()
		for ax := range lazy.Axis(lazy.Rank) {
			from, to, err := stretch(ax.String(), v.text[ax.String()], a.Meta(), ax)
			if err != nil {
				return lazy.Array{}, err
			}
			r = r.With(ax, from, to)
		}
		return lazy.Crop(a, r)
	},
	coarser: coarserCrop,
}

func cropParam(axis string) Param {
	doc := "which part of " + axis + ", as A:B with voxel A included and B not, counted from 0, or as 10um:25um; empty for all of it"
	if axis == "t" || axis == "c" {
		doc = "which part of " + axis + ", as A:B with A included and B not, counted from 0; empty for all of it"
	}
	return Param{Name: axis, Kind: Text, Rare: axis == "t" || axis == "c", Doc: doc}
}

// stretch reads A:B along an axis, either of which may be left out, in voxels or both in micrometres, and cuts it to what
// exists. A position in micrometres is that of a voxel's centre: those from A up to, not including, B are kept.
func stretch(name, text string, m lazy.Meta, ax lazy.Axis) (from, to int, err error) {
	from, to = 0, m.Shape[ax]
	if text == "" {
		return from, to, nil
	}
	a, b, ok := strings.Cut(text, ":")
	expected := fmt.Errorf("%s=%s: expected A:B in voxels, such as 10:20, or in micrometres, such as 1.5um:20um", name, text)
	if !ok {
		return 0, 0, expected
	}
	for _, end := range []struct {
		text string
		to   *int
	}{{a, &from}, {b, &to}} {
		if end.text == "" {
			continue
		}
		if n, err := strconv.Atoi(end.text); err == nil {
			*end.to = n
			continue
		}
		q, err := Param{Name: name, Kind: Length, Min: -math.MaxFloat64, Max: math.MaxFloat64}.number(end.text)
		if err != nil || !q.um || ax <= lazy.T || ax == lazy.C {
			return 0, 0, expected
		}
		if m.Calibrated().Scale[ax] <= 0 {
			return 0, 0, fmt.Errorf("%s=%s: the image does not state its voxel size along %v: give numbers of voxels", name, text, ax)
		}
		*end.to = int(max(-1<<40, min(1<<40, math.Ceil((q.value-m.Origin[ax])/m.Scale[ax]-1e-6))))
	}
	if from, to = max(from, 0), min(to, m.Shape[ax]); from >= to {
		return 0, 0, fmt.Errorf("%s=%s: holds none of the %d voxels, which are 0:%d", name, text, m.Shape[ax], m.Shape[ax])
	}
	return from, to, nil
}

// coarserCrop is a crop in voxels of the finest level as it is meant on a coarser one: the voxels whose centres lie
// within it, or the nearest one.
func coarserCrop(v values, coarse lazy.Meta) (args []Arg) {
	fine := v.meta
	for _, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		name := ax.String()
		from, to, err := stretch(name, v.text[name], fine, ax)
		if err != nil || v.text[name] == "" {
			continue
		}
		scale := float64(fine.Shape[ax]) / float64(coarse.Shape[ax])
		shift := (scale - 1) / 2
		if fine.Scale[ax] > 0 && coarse.Scale[ax] > 0 {
			scale = coarse.Scale[ax] / fine.Scale[ax]
			shift = (coarse.Origin[ax] - fine.Origin[ax]) / fine.Scale[ax]
		}
		first := int(math.Ceil((float64(from) - 0.5 - shift) / scale))
		end := int(math.Ceil((float64(to) - 0.5 - shift) / scale))
		if first = max(0, min(first, coarse.Shape[ax]-1)); end <= first {
			end = first + 1
		}
		args = append(args, Arg{name, fmt.Sprintf("%d:%d", first, end)})
	}
	return args
}
