package mgh_test

import (
	"context"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestTheHeaderAndTheFooterAreTold(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/frames.mgh", loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	loadertest.Said(t, set.Images[0], "tzyx", "width=4", "nframes=5", "spacing=0.5, 0.25, 1.5", "c_ras=1, 0.375, 1.5", "TR=2500")
	loadertest.Reopened(t, registry, "testdata/frames.mgh", "czyx")
}
