package metaimage_test

import (
	"context"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestTheLinesOfTheHeaderAreTold(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/origin.mha", loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	loadertest.Said(t, set.Images[0], "zyx", "ElementType=MET_USHORT", "ElementSpacing=0.5 0.25 2", "Offset=1 -2 3", "ElementDataFile=LOCAL")
	loadertest.Reopened(t, registry, "testdata/4d.mha", "ztyx", "czyx")
}
