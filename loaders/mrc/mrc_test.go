package mrc_test

import (
	"testing"

	"lamella/loaders/loadertest"
)

func TestFilesOfMrcfileHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"be_i2.mrc", "be_f2.mrc", "volumes.mrc", "packed.mrc.gz", "packed.mrc.bz2", "halves.mrc", "halves.mrc.gz", "colours.mrc", "no_map.mrc"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}
