package export

import (
	"fmt"

	"lamella/filters"
	"lamella/lazy"
	"lamella/loaders"
)

// Version is the version of the program, which files say they were made by.
const Version = "0.1.0"

// Of is the job of writing all of a level of an image with a chain applied: a is the level after the chain.
func Of(source string, image lazy.Image, level int, chain filters.Chain, a lazy.Array) Job {
	filtered := len(chain) > 0
	return Job{
		Array: a, Region: a.Meta().Shape.Whole(), Place: PlaceOf(image, level),
		Channels: channels(image, a, filtered), RGB: image.RGB && !filtered, Name: image.Name,
		Recipe: loaders.Recipe{Source: source, Chain: chain.Canonical().String(), Version: Version},
	}
}

// channels are those of the result: filters may change what limits of contrast fit, and how many there are.
func channels(image lazy.Image, a lazy.Array, filtered bool) []lazy.Channel {
	if len(image.Channels) != a.Meta().Shape[lazy.C] {
		return nil
	}
	out := append([]lazy.Channel(nil), image.Channels...)
	if filtered {
		for i := range out {
			out[i].Limits, out[i].LUT = nil, nil
		}
	}
	return out
}

// PlaceOf says in words which array of its source a level of an image is.
func PlaceOf(image lazy.Image, level int) string {
	switch {
	case image.Path != "":
		return fmt.Sprintf("level %d of image %s", level, image.Path)
	case image.Name != "":
		return fmt.Sprintf("level %d of image %q", level, image.Name)
	}
	return fmt.Sprintf("level %d", level)
}
