package mrc_test

import (
	"context"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestTheHeaderAndItsLabelsAreTold(t *testing.T) {
	label := map[int]uint32{27: 0x31494546, 57: 0x656d6173, 58: 0x006b696c} // "FEI1", "FEI1", "samelik"
	for _, c := range []struct {
		path string
		want []string
	}{
		{"testdata/be_i2.mrc", []string{"NX, NY, NZ=5, 4, 3", "CELLA=12.5, 12, 12", "DMIN=-32181", "MACHST=11 11 00 00"}},
		{edited(t, "extended.mrc", label), []string{"NSYMBT=1280", "EXTTYP=FEI1 (Thermo Fisher, version 1)", "LABEL[0]=samelik"}},
	} {
		set, err := registry.Open(context.Background(), c.path, loaders.Options{})
		if err != nil {
			t.Fatal(err)
		}
		loadertest.Said(t, set.Images[0], "zyx", c.want...)
		set.Close()
	}
	loadertest.Reopened(t, registry, "testdata/i2.mrc", "tyx", "cyx")
	loadertest.Reopened(t, registry, "testdata/colours.mrc", "tyx")
}
