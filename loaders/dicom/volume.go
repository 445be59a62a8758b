package dicom

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
)

// A volume is slices in the order of T, Z and C.
type volume struct {
	slices   []slice
	t, z, c  int
	step     float64 // along Z in millimetres, 0 if it is not known
	seconds  float64 // along T, 0 if it is not known
	channels []lazy.Channel
	said     []string
}

// stack arranges single frames of a series: by their places along the normal, and where several share
// each place as time points, or as channels when their echo times differ. Frames without places are
// in order of their instance numbers, and those without numbers in that of their names, in which they
// come.
func stack(all []slice) volume {
	v := volume{slices: all, t: 1, z: len(all), c: 1}
	o := all[0].object
	v.step = between(o, all[0].frame)
	if slices.ContainsFunc(all, func(s slice) bool { return !s.placed }) {
		slices.SortStableFunc(all, func(a, b slice) int { return cmp.Compare(a.instance, b.instance) })
		if len(all) > 1 {
			by := "instance number"
			if all[0].instance == all[len(all)-1].instance {
				by = "name"
			}
			v.said = append(v.said, "not all slices state their position; they stand in order of their "+by)
		}
		return v
	}
	normal := all[0].normal()
	at := func(s slice) float64 { return dot(normal, s.position) }
	slices.SortStableFunc(all, func(a, b slice) int {
		if d := at(a) - at(b); math.Abs(d) >= samePlace {
			return cmp.Compare(d, 0)
		}
		return slices.Compare(a.order[:], b.order[:])
	})
	var places []float64
	var counts []int
	for _, s := range all {
		if n := len(places); n > 0 && at(s)-places[n-1] < samePlace {
			counts[n-1]++
			continue
		}
		places, counts = append(places, at(s)), append(counts, 1)
	}
	if d, said := steps(places); d > 0 {
		v.step, v.said = d, said
	}
	each := counts[0]
	if slices.ContainsFunc(counts, func(n int) bool { return n != each }) {
		v.said = append(v.said, fmt.Sprintf("slices that lie at the same place as another: %d; all are shown one after the other", len(all)-len(places)))
		return v
	}
	if each > 1 {
		v.share(all, len(places), each)
	}
	return v
}

// share makes time points or channels of slices of which several lie at each place.
func (v *volume) share(all []slice, places, each int) {
	echoes := map[float64]bool{}
	for _, s := range all[:each] {
		echoes[s.echo] = true
	}
	v.z = places
	if len(echoes) == each {
		v.c = each
		for i := range places {
			slices.SortStableFunc(all[i*each:(i+1)*each], func(a, b slice) int { return cmp.Compare(a.echo, b.echo) })
		}
		for _, s := range all[:each] {
			v.channels = append(v.channels, lazy.Channel{Name: fmt.Sprintf("TE %g ms", s.echo)})
		}
		v.said = append(v.said, fmt.Sprintf("%d slices lie at each place; they are taken as channels by their echo time", each))
		return
	}
	v.t = each
	turned := make([]slice, 0, len(all))
	for t := range each {
		for z := range places {
			turned = append(turned, all[z*each+t])
		}
	}
	v.slices = turned
	v.said = append(v.said, fmt.Sprintf("%d slices lie at each place; they are taken as time points", each))
}
