package nifti_test

import (
	"context"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestHeadersAreToldByTheNamesOfTheFormat(t *testing.T) {
	for _, c := range []struct {
		file, axes string
		want       []string
	}{
		{"4d_ms.nii.gz", "tzyx", []string{"dim=4, 4, 3, 2, 5, 1, 1, 1", "pixdim=1, 1, 2, 3, 250, 1, 1, 1", "srow_y=0, 0.25, 0, 0", "magic=n+1", "xyzt_units=19"}},
		{"f8_be_n2.nii", "zyx", []string{"sizeof_hdr=540", "magic=n+2", "dim=3, 5, 4, 3, 1, 1, 1, 1", "vox_offset=544", "srow_z=0, 0, 1.5, 0"}},
		{"analyze.hdr", "zyx", []string{"pixdim=1, 0.5, 0.25, 1.5, 1, 1, 1, 1", "bitpix=16"}},
	} {
		set, err := registry.Open(context.Background(), "testdata/"+c.file, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		loadertest.Said(t, set.Images[0], c.axes, c.want...)
		set.Close()
	}
	loadertest.Reopened(t, registry, "testdata/4d_ms.nii.gz", "ztyx", "czyx")
	path := edited(t, "f4_le_n1.nii", 148, []byte("cells, 20°C\x00")...)
	set, err := registry.Open(context.Background(), path, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	loadertest.Said(t, set.Images[0], "zyx", "descrip=cells, 20°C")
}
