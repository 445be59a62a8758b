package nifti_test

import (
	"testing"

	"lamella/loaders/loadertest"
)

func TestFilesOfNibabelHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"i2_be_n1.nii", "4d_ms.nii.gz", "rgb.nii", "scaled_i2.nii", "scaled_u1.nii.gz", "5d.nii"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}
