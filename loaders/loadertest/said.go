package loadertest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// Said holds what an image says of itself: the order of its axes, and entries among its metadata, each "name=value".
func Said(t *testing.T, image lazy.Image, axes string, want ...string) {
	t.Helper()
	if image.Order.Axes != axes {
		t.Errorf("%s: axes %q, want %q", image.Name, image.Order.Axes, axes)
	}
	var got []string
	for _, e := range image.Metadata {
		got = append(got, e.Name+"="+e.Value)
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s: %q is not said; %q is", image.Name, w, got)
		}
	}
}

// Reopened opens a file with the axes that it states, which has to change nothing, and with each of other orders, which
// have to be stated then.
func Reopened(t *testing.T, r loaders.Registry, path string, other ...string) {
	t.Helper()
	open := func(axes string) lazy.Image {
		set, err := r.Open(context.Background(), path, loaders.Options{Axes: axes})
		if err != nil {
			t.Fatalf("%s as %q: %v", path, axes, err)
		}
		t.Cleanup(func() { set.Close() })
		return set.Images[0]
	}
	first := open("")
	for _, axes := range append(other, first.Order.Axes) {
		again := open(axes)
		if again.Order.Axes != axes {
			t.Errorf("%s as %q says that it is %q", path, axes, again.Order.Axes)
		}
		a, b := first.Levels[0].Array.Meta().Shape, again.Levels[0].Array.Meta().Shape
		if axes == first.Order.Axes && a != b || a.Voxels() != b.Voxels() {
			t.Errorf("%s as %q: %s", path, axes, fmt.Sprint(b, " instead of ", a))
		}
	}
}
