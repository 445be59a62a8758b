//go:build !headless

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
)

// A leftOut says that some of several sources could not be opened, and why the first of them.
type leftOut struct {
	sources []string
	error
}

func (l leftOut) Unwrap() error { return l.error }

func (l leftOut) Error() string {
	if n := len(l.sources) - 1; n > 0 {
		return fmt.Sprintf("%v; nor can %d of the other files be opened", l.error, n)
	}
	return l.error.Error()
}

// of is those of the sources that were opened.
func (l leftOut) of(sources []string) []string {
	return slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return slices.Contains(l.sources, s) })
}

// openSeveral opens several sources and joins them: "stack" is one stack, "channels" one image whose channels they are,
// "apart" and "beside" images of their own in one dataset, "labels" these with those that are named like labels behind the
// others; "" is a stack if they make one, else images of their own, and a note why. An error beside images says what keeps
// some out.
func openSeveral(ctx context.Context, sources []string, options loaders.Options, join string) (lazy.Dataset, error) {
	var err error
	var left leftOut
	if join == "labels" {
		sources = slices.Clone(sources)
		slices.SortStableFunc(sources, func(a, b string) int { return cmp.Compare(likeLabels(a), likeLabels(b)) })
	}
	all := lazy.Dataset{Source: strings.Join(sources, ", "), Format: "several"}
	if join == "" || join == "stack" {
		set, unlike := formats.OpenMany(ctx, sources, options)
		if unlike == nil || ctx.Err() != nil || join == "stack" {
			return set, unlike
		}
		var why interface{ Why() string }
		if errors.As(unlike, &why) {
			all.Warnings = append(all.Warnings, why.Why()+". Each is an image of its own.")
		} else {
			all.Warnings = append(all.Warnings, unlike.Error())
		}
	}
	var close []func() error
	all.Close = func() error {
		var errs []error
		for _, c := range close {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}
	for _, s := range sources {
		one, failed := formats.Open(ctx, s, options)
		if failed != nil {
			if left.sources = append(left.sources, s); left.error == nil {
				left.error = failed
			}
			err = left
			continue
		}
		for _, img := range one.Images {
			img.Name = strings.TrimSpace(filepath.Base(s) + " " + img.Name)
			all.Images = append(all.Images, img)
		}
		all.Warnings = append(all.Warnings, one.Warnings...)
		all.Files = append(all.Files, one.Files...)
		if one.Close != nil {
			close = append(close, one.Close)
		}
	}
	if join == "channels" && len(all.Images) > 0 && err == nil {
		var img lazy.Image
		if img, err = asChannels(all.Images); err != nil {
			return all, fmt.Errorf("opening as channels: %w: open them side by side, or apart", err)
		}
		all.Images = []lazy.Image{img}
	}
	return all, err
}

// likeLabels is 1 for the name of a file that tells of labels, else 0.
func likeLabels(source string) int {
	name := strings.ToLower(filepath.Base(source))
	for _, word := range []string{"label", "mask", "seg", "cellpose", "stardist"} {
		if strings.Contains(name, word) {
			return 1
		}
	}
	return 0
}

// asChannels is one image whose channels are those of several, one after the other, at the levels that all have. They must
// be of one shape and type. Channels without a name are called as their image.
func asChannels(images []lazy.Image) (lazy.Image, error) {
	out := images[0]
	levels := len(out.Levels)
	for _, img := range images {
		levels = min(levels, len(img.Levels))
		its, first := img.Levels[0].Array.Meta(), out.Levels[0].Array.Meta()
		first.Shape[lazy.C] = its.Shape[lazy.C]
		if its.Shape != first.Shape || its.DType != first.DType {
			return out, fmt.Errorf("%s has %v of %v and %s %v of %v, which are no channels of one image", out.Name, first.Shape, first.DType, img.Name, its.Shape, its.DType)
		}
	}
	out.Levels, out.Channels, out.RGB, out.Order = nil, nil, false, lazy.Order{}
	for l := range levels {
		var parts []lazy.Array
		for _, img := range images {
			parts = append(parts, img.Levels[l].Array)
		}
		a, err := lazy.Concat(lazy.C, parts...)
		if err != nil && l > 0 { // coarser levels that do not go together
			break
		}
		if err != nil {
			return out, err
		}
		out.Levels = append(out.Levels, lazy.Level{Array: a, Path: images[0].Levels[l].Path, Codec: images[0].Levels[l].Codec})
	}
	for _, img := range images {
		n := img.Levels[0].Array.Meta().Shape[lazy.C]
		for c := range n {
			var ch lazy.Channel
			if c < len(img.Channels) {
				ch = img.Channels[c]
			}
			if ch.Name == "" {
				if ch.Name = strings.TrimSuffix(img.Name, filepath.Ext(img.Name)); n > 1 {
					ch.Name = fmt.Sprintf("%s %d", ch.Name, c+1)
				}
			}
			out.Channels = append(out.Channels, ch)
		}
	}
	out.Name = fmt.Sprintf("%s +%d", images[0].Name, len(images)-1)
	return out, nil
}
