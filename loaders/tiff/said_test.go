package tiff

import (
	"strings"
	"testing"
)

func TestDescriptionsAreKeptByTheirOwnNames(t *testing.T) {
	for _, c := range []struct{ name, description, want string }{
		{"ImageJ's lines", "ImageJ=1.54f\nslices=3\nunit=micron\n", "ImageJ=1.54f|slices=3|unit=micron"},
		{"attributes of XML by their path", `<?xml version="1.0"?><OME xmlns="a"><Image ID="0"><Pixels SizeX="4"/><Description>cells &amp; more</Description></Image></OME>`,
			"Image.ID=0|Image.Pixels.SizeX=4|Image.Description=cells & more"},
		{"planes are left out", `<OME><Image Name="a"><Plane DeltaT="1"/><Plane><X A="1"/></Plane><Pixels B="2"/></Image></OME>`, "Image.Name=a|Image.Pixels.B=2"},
		{"JSON", `{"shape": [2, 3]}`, "shape=2, 3"},
		{"plain words", "my stack", "ImageDescription=my stack"},
		{"XML that breaks off", `<OME><Image Name="a"></Image><Image Name="b`, "Image.Name=a"},
	} {
		var f file
		f.say(front{descriptions: []string{c.description}})
		var got []string
		for _, e := range f.said.List() {
			got = append(got, e.Name+"="+e.Value)
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
	}
}

func TestDeepXMLIsNoWork(t *testing.T) {
	var f file
	f.say(front{descriptions: []string{strings.Repeat(`<a b="c">`, 1<<17) + "</a>"}})
	if n := len(f.said.List()); n > 2001 {
		t.Errorf("%d entries", n)
	}
}
