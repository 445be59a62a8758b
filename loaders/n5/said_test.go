package n5_test

import (
	"context"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestAttributesAreTold(t *testing.T) {
	for _, c := range []struct {
		file string
		want []string
	}{
		{"cosem.n5", []string{"s0.dataType=uint8", "s0.transform.scale=5.24, 4.0, 4.0", "s0.dimensions=8, 6, 4"}},
		{"bdv.xml", []string{"multiScale=true", "resolution=0.2, 0.2, 0.5", "s0.downsamplingFactors=1, 1, 1"}},
	} {
		set, err := registry.Open(context.Background(), "testdata/"+c.file, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		loadertest.Said(t, set.Images[0], "zyx", c.want...)
		set.Close()
	}
	loadertest.Reopened(t, registry, "testdata/cosem.n5", "tyx", "cyx")
}
