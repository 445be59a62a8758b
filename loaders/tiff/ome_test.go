package tiff

import (
	"fmt"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// omeSetOf is the BR-001 set: ten files of one plane each, plane z filled with 10*(z+1), and the XML in
// each of them. gone is the plane whose file is not there; unlisted leaves out its entry as well.
func omeSetOf(gone int, unlisted bool) files {
	xml := `<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="set">` +
		`<Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="8" SizeZ="10" SizeC="1" SizeT="1" PhysicalSizeZ="2" PhysicalSizeX="250" PhysicalSizeXUnit="nm">`
	for z := range 10 {
		if z != gone || !unlisted {
			xml += fmt.Sprintf(`<TiffData FirstZ="%d" IFD="0" PlaneCount="1"><UUID FileName="p%d.ome.tif">urn:uuid:%d</UUID></TiffData>`, z, z, z)
		}
	}
	xml += `</Pixels></Image></OME>`
	f := files{}
	for z := range 10 {
		if z != gone {
			f[fmt.Sprintf("p%d.ome.tif", z)] = built(sheet{width: 8, height: 8, value: byte(10 * (z + 1)), tags: []tag{asciiTag(tagDescription, xml)}})
		}
	}
	return f
}

func TestBR001AMissingPlaneReadsZeroAndIsNamed(t *testing.T) {
	for _, unlisted := range []bool{false, true} {
		set := omeSetOf(5, unlisted)
		for key := range set {
			d, err := set.open(t, key)
			if err != nil {
				t.Fatal(err)
			}
			a := d.Images[0].Levels[0].Array
			if s := a.Meta().Shape; s != (lazy.Shape{1, 10, 1, 8, 8}) || len(d.Images) != 1 {
				t.Fatalf("from %s: shape %v", key, s)
			}
			for z := range 10 {
				want := float64(10 * (z + 1))
				if z == 5 {
					want = 0
				}
				if got := mustVoxel(t, a, lazy.Index{0, z, 0, 7, 7}); got != want {
					t.Errorf("from %s: plane %d reads %v", key, z, got)
				}
			}
			w := strings.Join(d.Warnings, "; ")
			if !strings.Contains(w, "z=5") || !unlisted && !strings.Contains(w, "p5.ome.tif") {
				t.Errorf("from %s: the warnings %q do not name it", key, w)
			}
			if m := a.Meta(); m.Scale != [lazy.Rank]float64{0, 2, 0, 0, 0.25} {
				t.Errorf("voxel size %v", m.Scale)
			}
		}
	}
}

// ome is one file with as many pages as given and this XML inside OME.
func ome(pages int, inside string) []byte {
	sheets := make([]sheet, pages)
	for i := range sheets {
		sheets[i] = sheet{width: 4, height: 3, value: byte(i)}
	}
	sheets[0].tags = []tag{asciiTag(tagDescription, `<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">`+inside+`</OME>`)}
	return built(sheets...)
}

func pixels(order string, z, c, t int, inside string) string {
	return fmt.Sprintf(`<Image ID="Image:0"><Pixels ID="P" DimensionOrder="%s" Type="uint8" SizeX="4" SizeY="3" SizeZ="%d" SizeC="%d" SizeT="%d">%s</Pixels></Image>`, order, z, c, t, inside)
}

func TestDimensionOrderAndTiffDataPlaceThePages(t *testing.T) {
	for name, c := range map[string]struct {
		xml  string
		at   lazy.Index
		page float64
	}{
		"z fastest":                        {pixels("XYZCT", 3, 2, 2, `<TiffData/>`), lazy.Index{1, 2, 0}, 8},
		"c fastest":                        {pixels("XYCZT", 3, 2, 2, `<TiffData/>`), lazy.Index{1, 2, 0}, 10},
		"t fastest":                        {pixels("XYTZC", 3, 2, 2, `<TiffData/>`), lazy.Index{1, 2, 0}, 5},
		"no TiffData at all":               {pixels("XYCZT", 3, 2, 2, ``), lazy.Index{1, 2, 0}, 10},
		"counted from a later directory":   {pixels("XYZCT", 3, 1, 1, `<TiffData IFD="4" PlaneCount="3"/>`), lazy.Index{0, 2, 0}, 6},
		"one by one, backwards":            {pixels("XYZCT", 2, 1, 1, `<TiffData IFD="7" FirstZ="1"/><TiffData IFD="8" FirstZ="0"/>`), lazy.Index{0, 1, 0}, 7},
		"NumPlanes of the old schema":      {pixels("XYZCT", 2, 1, 1, `<TiffData IFD="3" NumPlanes="2"/>`), lazy.Index{0, 1, 0}, 4},
		"an entry outside, and a good one": {pixels("XYZCT", 2, 1, 1, `<TiffData FirstZ="9"/><TiffData IFD="1" PlaneCount="2"/>`), lazy.Index{0, 1, 0}, 2},
	} {
		a := mustOpen(t, ome(12, c.xml)).Images[0].Levels[0].Array
		if got := mustVoxel(t, a, c.at); got != c.page {
			t.Errorf("%s: %v is page %v, not %v", name, c.at, got, c.page)
		}
	}
}

func TestOMETellsNamesColoursSizesAndPlace(t *testing.T) {
	xml := `<Image ID="Image:0" Name="cell &amp; co"><Pixels ID="P" DimensionOrder="XYZCT" Type="uint8" SizeX="4" SizeY="3" SizeZ="1" SizeC="2" SizeT="1"` +
		` PhysicalSizeX="0.5" PhysicalSizeY="500" PhysicalSizeYUnit="nm" PhysicalSizeZ="1" PhysicalSizeZUnit="reference frame" TimeIncrement="250" TimeIncrementUnit="ms">` +
		`<Channel ID="C0" Name="DAPI" Color="65535"/><Channel ID="C1" Color="-16776961"/>` +
		`<TiffData/><Plane TheZ="0" TheC="0" TheT="0" PositionX="3" PositionXUnit="mm" PositionY="9"/></Pixels></Image>`
	image := mustOpen(t, ome(2, xml)).Images[0]
	m := image.Levels[0].Array.Meta()
	if image.Name != "cell & co" || m.Scale != [lazy.Rank]float64{0.25, 0, 0, 0.5, 0.5} || m.Origin != [lazy.Rank]float64{0, 0, 0, 0, 3000} {
		t.Errorf("%q: voxel size %v at %v", image.Name, m.Scale, m.Origin)
	}
	if c := image.Channels; len(c) != 2 || c[0].Name != "DAPI" || c[0].Color != "#0000ff" || c[1].Color != "#ff0000" {
		t.Errorf("channels %v", c)
	}
}

func TestOMEThatIsOfNoUseLeavesThePages(t *testing.T) {
	deep := strings.Repeat("<a>", 100000) + strings.Repeat("</a>", 100000)
	for name, inside := range map[string]string{
		"4e18 planes":            pixels("XYZCT", 2000000000, 1, 2000000000, `<TiffData/>`),
		"another size":           strings.Replace(pixels("XYZCT", 2, 1, 1, ``), `SizeX="4"`, `SizeX="5"`, 1),
		"no order":               pixels("XYZZT", 2, 1, 1, ``),
		"an endless nest":        deep,
		"a broken tag":           `<Image><Pixels`,
		"no image":               ``,
		"metadata elsewhere":     `<BinaryOnly MetadataFile="b.ome.tif" UUID="urn:uuid:1"/>`,
		"metadata outside":       `<BinaryOnly MetadataFile="../../etc/passwd" UUID="urn:uuid:1"/>`,
		"metadata of itself":     `<BinaryOnly MetadataFile="a.tif" UUID="urn:uuid:1"/>`,
		"minus one plane":        pixels("XYZCT", -1, 1, 1, `<TiffData/>`),
		"7 samples of a channel": pixels("XYZCT", 1, 1, 1, `<Channel SamplesPerPixel="7"/>`),
	} {
		set := mustOpen(t, ome(2, inside))
		if a := set.Images[0].Levels[0].Array; a.Meta().Shape != (lazy.Shape{1, 2, 1, 3, 4}) || mustVoxel(t, a, lazy.Index{0, 1}) != 1 {
			t.Errorf("%s: %v", name, a.Meta().Shape)
		}
		if name != "no image" && name != "an endless nest" && len(set.Warnings) == 0 {
			t.Errorf("%s: not a word", name)
		}
	}
}

func TestOMEXMLThatIsCutShortIsSaid(t *testing.T) {
	whole := `<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">` + pixels("XYCZT", 2, 2, 1, `<TiffData/>`) + `</OME>`
	for name, text := range map[string]string{
		"in its last tag":         whole[:len(whole)-2],
		"in the middle":           whole[:len(whole)/2],
		"behind the declaration":  `<?xml version="1.0" encoding="UTF-8"?><!-- made by hand -->` + whole[:len(whole)-9],
		"behind a mark of orders": "\ufeff\n" + whole[:len(whole)-3],
	} {
		sheets := []sheet{{width: 4, height: 3}, {width: 4, height: 3, value: 1}, {width: 4, height: 3}, {width: 4, height: 3}}
		sheets[0].tags = []tag{asciiTag(tagDescription, text)}
		set := mustOpen(t, built(sheets...))
		if a := set.Images[0].Levels[0].Array; a.Meta().Shape != (lazy.Shape{1, 4, 1, 3, 4}) || mustVoxel(t, a, lazy.Index{0, 1}) != 1 {
			t.Errorf("%s: %v", name, a.Meta().Shape)
		}
		if len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "the pages are shown as they come") {
			t.Errorf("%s: %q", name, set.Warnings)
		}
	}
}

func TestFilesOfASetStayInTheFolder(t *testing.T) {
	xml := pixels("XYZCT", 2, 1, 1, `<TiffData FirstZ="0"><UUID FileName="sub/a.tif">u:0</UUID></TiffData><TiffData FirstZ="1"><UUID FileName="../b.tif">u:1</UUID></TiffData>`)
	set := files{"sub/a.tif": ome(1, xml), "b.tif": built(sheet{width: 4, height: 3, value: 9})}
	d, err := set.open(t, "sub/a.tif")
	if err != nil {
		t.Fatal(err)
	}
	_ = d
	inner := files{"a.tif": ome(1, strings.ReplaceAll(xml, "sub/", ""))}
	if d, err = inner.open(t, "a.tif"); err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(d.Warnings, ";"); !strings.Contains(w, "../b.tif") {
		t.Errorf("warnings %q", w)
	}
}

func TestACompanionFileOpensItsSet(t *testing.T) {
	xml := `<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">` + pixels("XYZCT", 2, 1, 1,
		`<TiffData FirstZ="0" IFD="0" PlaneCount="1"><UUID FileName="z0.tif">u:0</UUID></TiffData><TiffData FirstZ="1" IFD="0" PlaneCount="1"><UUID FileName="z1.tif">u:1</UUID></TiffData>`) + `</OME>`
	set := files{"s.companion.ome": []byte(xml),
		"z0.tif": built(sheet{width: 4, height: 3, value: 5, tags: []tag{asciiTag(tagDescription, `<OME><BinaryOnly MetadataFile="s.companion.ome" UUID="u:0"/></OME>`)}}),
		"z1.tif": built(sheet{width: 4, height: 3, value: 6})}
	for _, key := range []string{"s.companion.ome", "z0.tif"} {
		d, err := set.open(t, key)
		if err != nil {
			t.Fatal(err)
		}
		a := d.Images[0].Levels[0].Array
		if mustVoxel(t, a, lazy.Index{0, 0}) != 5 || mustVoxel(t, a, lazy.Index{0, 1}) != 6 || len(d.Warnings) > 0 {
			t.Errorf("%s: warnings %q", key, d.Warnings)
		}
	}
	in := loaders.Input{Path: "x", Store: store.Memory{"x": []byte("<?xml?><svg/>")}, Key: "x", Head: []byte("<?xml?><svg/>")}
	if (Driver{}).Sniff(ctx, in) {
		t.Error("some XML was taken for a companion file")
	}
}

func FuzzOME(f *testing.F) {
	f.Add(pixels("XYZCT", 3, 2, 1, `<Channel Name="a" Color="-1"/><TiffData IFD="1" PlaneCount="2"/><Plane TheZ="0" TheC="0" TheT="0" PositionX="1" PositionXUnit="mm"/>`))
	f.Add(`<BinaryOnly MetadataFile="b" UUID="u"/>`)
	f.Add("<Image><Pixels SizeT='9999999999999999999'><TiffData FirstT='3'><UUID FileName='\xff'>")
	f.Fuzz(func(t *testing.T, inside string) {
		set, err := files{"a.tif": ome(3, inside)}.open(t, "a.tif")
		if err != nil {
			return
		}
		for _, image := range set.Images {
			a := image.Levels[0].Array
			m := a.Meta()
			if n := len(image.Channels); n != 0 && n != m.Shape[lazy.C] {
				t.Errorf("%d channels for %v", n, m.Shape)
			}
			if m.DType != lazy.U8 || m.Shape[lazy.Y] != 3 || m.Shape[lazy.X] != 4 {
				t.Errorf("pages of 4 x 3 became %v", m.Shape)
			}
			last := lazy.Index{m.Shape[0] - 1, m.Shape[1] - 1, m.Shape[2] - 1, 2, 3}
			if v, err := voxel(a, last); err == nil && v > 2 {
				t.Errorf("a voxel of %v in pages of 0, 1 and 2", v)
			}
		}
	})
}

// BenchmarkParseOME reads the XML of 10,000 planes, each with its place, file and position.
func BenchmarkParseOME(b *testing.B) {
	var s strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&s, `<TiffData FirstC="0" FirstT="0" FirstZ="%d" IFD="%d" PlaneCount="1"><UUID FileName="a.ome.tif">urn:uuid:4978087c-a670-4b12-af53-256c62d8d101</UUID></TiffData>`, i, i)
	}
	for i := range 10000 {
		fmt.Fprintf(&s, `<Plane DeltaT="%d.25" DeltaTUnit="s" ExposureTime="0.05" ExposureTimeUnit="s" PositionX="1.5" PositionXUnit="µm" TheC="0" TheT="0" TheZ="%d"/>`, i, i)
	}
	text := `<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">` + pixels("XYZCT", 10000, 1, 1, s.String()) + `</OME>`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if d, err := parseOME(text); err != nil || len(d.images[0].data) != 10000 {
			b.Fatal(err)
		}
	}
}
