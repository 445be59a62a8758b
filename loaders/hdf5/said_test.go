package hdf5_test

import (
	"testing"

	"lamella/lazy"
	"lamella/loaders/loadertest"
)

func TestAttributesAreTold(t *testing.T) {
	named := func(set lazy.Dataset, name string) lazy.Image {
		for _, image := range set.Images {
			if image.Name == name {
				return image
			}
		}
		t.Fatalf("%s is no image of %s", name, set.Source)
		return lazy.Image{}
	}
	plain := open(t, "testdata/new.h5")
	loadertest.Said(t, named(plain, "axistags"), "tczyx", "element_size_um=3, 2, 1.5")
	loadertest.Said(t, named(plain, "labels"), "tyx", "DIMENSION_LABELS=time, y, x", "note 3=text text text")
	loadertest.Said(t, named(plain, "colour"), "yxc", "INTERLACE_MODE=INTERLACE_PIXEL")
	loadertest.Said(t, open(t, "testdata/imaris.ims").Images[0], "", "Image.Unit=mm", "Channel 1.Name=dye 1", "TimeInfo.TimePoint1=2020-02-29 23:59:58.000")
	loadertest.Said(t, named(open(t, "testdata/bdv.xml"), "right"), "", "ViewSetup.id=3", "ViewSetup.voxelSize.size=200 250.0 1000",
		"ViewRegistration[0].affine[0]=1 0 0 300 0 1 0 50 0 0 1 0")
}
