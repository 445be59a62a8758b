package ui

import (
	"testing"

	"lamella/lazy"
)

func TestFieldsOfAPlateAreToldByTheirPlaces(t *testing.T) {
	set := &lazy.Dataset{Images: []lazy.Image{{Name: "plate", Path: "A/1/0"}, {Name: "plate", Path: "B/2/0"}, {Name: "mask", Path: "C/3/0"}, {Name: "", Path: "x"}}}
	for i, want := range []string{"A/1/0  plate", "B/2/0  plate", "mask"} {
		if got := imageName(set, i); got != want {
			t.Errorf("image %d is called %q, want %q", i, got, want)
		}
	}
}
