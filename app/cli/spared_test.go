package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// What is read is not written over, whatever flag names it.
func TestFilesThatAreReadAreSpared(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "export", "sample:random?shape=6x20x30", "--out", "a.tif")
	must(t, "export", "sample:blobs?shape=3x5x5", "--out", "psf.tif")
	put(t, "set.companion.ome", companion)
	put(t, "chain.tif", "gaussian") // of an ending that can be written
	must(t, "export", "sample:random?shape=1x20x30", "--out", "c.tif")
	lucy := "richardson-lucy psf=psf.tif iterations=1"
	for what, c := range map[string]struct {
		words []string
		want  string
	}{
		"a PSF that a plane is written over":             {[]string{"slice", "a.tif", "--filter", lucy, "--out", "psf.tif", "--overwrite"}, "--out: export: writing psf.tif: a filter reads it"},
		"a PSF that an export is written over":           {[]string{"export", "a.tif", "--filter", lucy, "--out", "./psf.tif", "--overwrite"}, "--out: export: writing psf.tif: a filter reads it"},
		"a PSF that the stats are written over":          {[]string{"slice", "a.tif", "--filter", lucy, "--out", "b.npy", "--stats", "psf.tif", "--overwrite"}, "--stats: export: writing psf.tif: a filter reads it"},
		"a member of a set that a plane is written over": {[]string{"slice", "set.companion.ome", "--out", "c.tif", "--overwrite"}, "--out: export: writing c.tif: it is a part of the source"},
		"a member of a set that an export goes to":       {[]string{"export", "set.companion.ome", "--out", "./c.tif", "--overwrite"}, "--out: export: writing c.tif: it is a part of the source"},
		"a chain that its result is written over":        {[]string{"export", "a.tif", "--filter", "@chain.tif", "--out", "chain.tif", "--overwrite"}, "--out: export: writing chain.tif: the filters stand in it"},
		"a source that is named as a profile":            {[]string{"info", "a.tif", "--profile", "a.tif"}, "--profile: writing a.tif: a file of this name exists already"},
	} {
		before := map[string]string{}
		for _, name := range []string{"a.tif", "c.tif", "psf.tif", "chain.tif"} {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			before[name] = string(b)
		}
		if got := lamella(c.words...); got.code != couldNot || !strings.Contains(got.stderr, c.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d: %s", what, got.code, got.stderr)
		}
		for name, was := range before {
			if b, err := os.ReadFile(name); err != nil || string(b) != was {
				t.Errorf("%s: %s is another: %v", what, name, err)
			}
		}
	}
}

func TestWordsThatCannotBeMeantEndWithTwo(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "export", "sample:random?shape=6x20x30", "--out", "a.tif")
	for what, c := range map[string]struct {
		words []string
		want  string
	}{
		"a source without a name":          {[]string{"info", ""}, "the name of the source is empty"},
		"raw voxels without a type":        {[]string{"info", "a.tif", "--raw", "shape=5x5"}, "--raw: shape= and dtype= are both needed"},
		"raw voxels without a shape":       {[]string{"info", "a.tif", "--raw", "dtype=uint8"}, "--raw: shape= and dtype= are both needed"},
		"raw voxels of an unknown type":    {[]string{"info", "a.tif", "--raw", "shape=5x5,dtype=foo"}, `voxels of type "foo"`},
		"raw voxels before the file":       {[]string{"info", "a.tif", "--raw", "shape=5x5,dtype=uint8,offset=-1"}, `offset "-1"`},
		"an index that is no whole number": {[]string{"slice", "a.tif", "--out", "b.npy", "--at", "1e3"}, "--at 1e3: not a number that goes here"},
		"an image of a file of one":        {[]string{"slice", "a.tif", "--out", "b.npy", "--image", "nope"}, "--image nope: a.tif has no such image; lamella info lists 1"},
	} {
		if got := lamella(c.words...); got.code != wrongWords || !strings.Contains(got.stderr, c.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d: %s", what, got.code, got.stderr)
		}
	}
}

// A disturber disturbs once, when the first word is said.
type disturber struct {
	bytes.Buffer
	disturb func()
}

func (d *disturber) Write(p []byte) (int, error) {
	if d.Len() == 0 {
		d.disturb()
	}
	return d.Buffer.Write(p)
}

func TestASourceThatChangesWhileItIsReadIsTold(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "export", "sample:random?shape=6x20x30", "--out", "a.tif")
	for _, c := range []struct {
		disturb func()
		want    string
	}{
		{func() {}, ""},
		{func() {
			at := time.Now().Add(time.Hour)
			if err := os.Chtimes("a.tif", at, at); err != nil {
				t.Error(err)
			}
		}, "lamella: warning: a.tif has changed while it was being read: what was written may hold voxels of before and of after\n"},
	} {
		said := &disturber{disturb: c.disturb}
		code := Run(context.Background(), []string{"export", "a.tif", "--filter", "threshold method=otsu", "--out", "b.tif", "--overwrite"}, nil, new(bytes.Buffer), said)
		if _, told, _ := strings.Cut(said.String(), "chunks read)\n"); code != done || told != c.want {
			t.Errorf("exit %d: %q", code, said.String())
		}
	}
}

// companion is the XML of a set of two planes, each in a file of its own.
const companion = `<?xml version="1.0" encoding="UTF-8"?>
<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint16"
 SizeX="30" SizeY="20" SizeZ="2" SizeC="1" SizeT="1"><Channel ID="Channel:0:0" SamplesPerPixel="1"/>
<TiffData FirstZ="0" IFD="0" PlaneCount="1"><UUID FileName="a.tif">urn:uuid:00000000-0000-0000-0000-000000000001</UUID></TiffData>
<TiffData FirstZ="1" IFD="0" PlaneCount="1"><UUID FileName="c.tif">urn:uuid:00000000-0000-0000-0000-000000000002</UUID></TiffData>
</Pixels></Image></OME>`
