package nrrd_test

import (
	"context"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestFieldsKeysAndCommentsAreTold(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/odd.nrrd", loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	loadertest.Said(t, set.Images[0], "zyx", "comment=a comment", "TYPE=UShort", "key=a value: with colons", `sample units="counts"`)
	loadertest.Reopened(t, registry, "testdata/4d_time.nrrd", "ztyx", "czyx")
}
