package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// omeSet writes the set of the case: ten files of one plane each, plane z filled with 10 (z + 1), with
// one description of all. The file of plane gone is left out.
func omeSet(t *testing.T, gone int) {
	t.Helper()
	var planes strings.Builder
	for z := range 10 {
		fmt.Fprintf(&planes, `<TiffData IFD="0" FirstZ="%d" PlaneCount="1"><UUID FileName="p%d.ome.tif">urn:uuid:0-%d</UUID></TiffData>`, z, z, z)
	}
	for z := range 10 {
		if z == gone {
			continue
		}
		text := fmt.Sprintf(`<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="urn:uuid:0-%d"><Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="8" SizeZ="10" SizeC="1" SizeT="1"><Channel ID="Channel:0:0" SamplesPerPixel="1"/>%s</Pixels></Image></OME>`, z, planes.String())
		put(t, fmt.Sprintf("p%d.ome.tif", z), string(plainTIFF(text, bytes.Repeat([]byte{byte(10 * (z + 1))}, 64))))
	}
}

// nanometres is a stack of two pages of 2 x 2 pixels whose description is given, with 2/33 pixels a unit.
func nanometres(text string) []byte {
	text += strings.Repeat("\x00", 1+(len(text)+1)%2)
	le := func(n, v int) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}[:n] }
	const entries, pixels, size = 11, 8, 8
	ratio := pixels + size
	described := ratio + 8
	out := append([]byte("II*\x00"), le(4, described+len(text))...)
	out = append(append(append(out, 1, 2, 3, 4, 5, 6, 7, 8), le(4, 2)...), le(4, 33)...)
	out = append(out, text...)
	for page := range 2 {
		out = append(out, le(2, entries)...)
		for _, e := range [][4]int{
			{256, 4, 1, 2}, {257, 4, 1, 2}, {258, 3, 1, 8}, {259, 3, 1, 1}, {262, 3, 1, 1}, {270, 2, len(text), described},
			{273, 4, 1, pixels + 4*page}, {278, 4, 1, 2}, {279, 4, 1, 4}, {282, 5, 1, ratio}, {283, 5, 1, ratio},
		} {
			out = append(append(append(append(out, le(2, e[0])...), le(2, e[1])...), le(4, e[2])...), le(4, e[3])...)
		}
		next := (len(out) + 4) * (1 - page)
		out = append(out, le(4, next)...)
	}
	return out
}

// plainTIFF is one page of 8 x 8 pixels of uint8.
func plainTIFF(text string, pixels []byte) []byte {
	text += "\x00"
	text += strings.Repeat("\x00", len(text)%2)
	const entries = 10
	at := 8 + 2 + 12*entries + 4
	le := func(n, v int) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}[:n] }
	out := append([]byte("II*\x00"), le(4, 8)...)
	out = append(out, le(2, entries)...)
	for _, e := range [][4]int{
		{256, 3, 1, 8}, {257, 3, 1, 8}, {258, 3, 1, 8}, {259, 3, 1, 1}, {262, 3, 1, 1}, {270, 2, len(text), at},
		{273, 4, 1, at + len(text)}, {277, 3, 1, 1}, {278, 3, 1, 8}, {279, 4, 1, len(pixels)},
	} {
		out = append(append(append(append(out, le(2, e[0])...), le(2, e[1])...), le(4, e[2])...), le(4, e[3])...)
	}
	return append(append(append(out, le(4, 0)...), text...), pixels...)
}

func TestBR001AMissingPlaneIsSaidOnceAndOthersAreRight(t *testing.T) {
	t.Chdir(t.TempDir())
	omeSet(t, 5)
	for _, source := range []string{"p0.ome.tif", "p9.ome.tif"} {
		for _, words := range []string{"export %s --out - --roi y=0:1,x=0:1", "export %s --out - --roi y=0:1,x=0:1 --quiet"} {
			got := lamella(strings.Fields(fmt.Sprintf(words, source))...)
			n := len(got.stdout)
			if want := []byte{10, 20, 30, 40, 50, 0, 70, 80, 90, 100}; got.code != done || n < 10 || !bytes.Equal([]byte(got.stdout[n-10:]), want) {
				t.Errorf("%s: exit %d, planes %v", source, got.code, []byte(got.stdout[max(0, n-10):]))
			}
			quiet := strings.HasSuffix(words, "--quiet")
			said := strings.Contains(got.stderr, "z=5") && strings.Count(got.stderr, "p5.ome.tif") == 1
			for line := range strings.Lines(got.stderr) {
				said = said && strings.HasPrefix(line, "lamella: warning: ")
			}
			if quiet && got.stderr != "" || !quiet && !said {
				t.Errorf("%s: said %q", words, got.stderr)
			}
		}
	}
	if got := lamella("slice", "p0.ome.tif", "--at", "5", "--out", "five.npy"); got.code != done || !strings.Contains(got.stderr, "warning") {
		t.Errorf("slice: exit %d, said %q", got.code, got.stderr)
	}
}

func TestAtMostFiveWarningsAreTold(t *testing.T) {
	t.Chdir(t.TempDir())
	in := &input{}
	in.set.Source = "s.tif"
	for i := range 8 {
		in.set.Warnings = append(in.set.Warnings, fmt.Sprintf("plane %d\nis missing.", i), "plane 0 is missing.")
	}
	var b bytes.Buffer
	in.warn(&b, false)
	want := "lamella: warning: plane 0 is missing.\nlamella: warning: plane 1 is missing.\nlamella: warning: plane 2 is missing.\nlamella: warning: plane 3 is missing.\nlamella: warning: plane 4 is missing.\nlamella: warning: and 3 more; see lamella info s.tif\n"
	if b.String() != want {
		t.Errorf("said %q", b.String())
	}
	b.Reset()
	if in.warn(&b, true); b.Len() > 0 {
		t.Errorf("quiet, but said %q", b.String())
	}
}

func TestABuildWithoutAWindowSaysWhatAWordIs(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.tif", "")
	for word, want := range map[string]struct {
		code int
		hint string
	}{"frobnicate": {wrongWords, "neither a verb nor a file"}, "a.tif": {couldNot, "no window"}, "sample:cells": {couldNot, "no window"}, "p*.tif": {couldNot, "no window"}} {
		var b bytes.Buffer
		if code := NoWindow([]string{word}, &b); code != want.code || !strings.Contains(b.String(), want.hint) {
			t.Errorf("%s: exit %d, said %q", word, code, b.String())
		}
	}
	var b bytes.Buffer
	if code := NoWindow(nil, &b); code != couldNot || !strings.Contains(b.String(), "no window") {
		t.Errorf("no words: exit %d, said %q", code, b.String())
	}
}

func TestBR004InfoStatesTheOriginOfEachLevel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p.zarr")
	put(t, filepath.Join(dir, ".zgroup"), `{"zarr_format":2}`)
	put(t, filepath.Join(dir, ".zattrs"), `{"multiscales":[{"version":"0.4","axes":[{"name":"y","type":"space","unit":"micrometer"},{"name":"x","type":"space","unit":"micrometer"}],
		"datasets":[{"path":"0","coordinateTransformations":[{"type":"scale","scale":[0.5,0.5]}]},
		{"path":"1","coordinateTransformations":[{"type":"scale","scale":[1,1]},{"type":"translation","translation":[0.25,0.25]}]}]}]}`)
	for name, n := range map[string]string{"0": "8", "1": "4"} {
		put(t, filepath.Join(dir, name, ".zarray"), `{"zarr_format":2,"shape":[`+n+`,`+n+`],"chunks":[4,4],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}`)
	}
	var about description
	if err := json.Unmarshal([]byte(must(t, "info", dir, "--json")), &about); err != nil {
		t.Fatal(err)
	}
	var origins []float64
	for _, l := range about.Images[0].Levels {
		if l.Origin.Z != nil {
			t.Errorf("level %s: an origin along z, which the file does not state", l.Path)
		}
		origins = append(origins, *l.Origin.Y, *l.Origin.X)
	}
	if !slices.Equal(origins, []float64{0, 0, 0.25, 0.25}) {
		t.Errorf("origins %v", origins)
	}
}
