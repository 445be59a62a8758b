package dicom_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestElementsAreToldByTagAndName(t *testing.T) {
	for _, c := range []struct {
		name, axes string
		want       []string
	}{
		{"plain.dcm", "zyx", []string{"(0028,0004) Photometric Interpretation=MONOCHROME2", "(0028,0010) Rows=6", "(0028,0008) Number of Frames=3"}},
		{"implicit.dcm", "zyx", []string{"(0002,0010) Transfer Syntax UID=1.2.840.10008.1.2 (implicit VR little endian)", "(0028,0102) High Bit=15"}},
		{"big.dcm", "zyx", []string{"(0028,0011) Columns=8"}},
		{"deflated.dcm", "zyx", []string{"(0028,0011) Columns=8"}},
		{"palette.dcm", "yx", []string{"(0028,0004) Photometric Interpretation=PALETTE COLOR"}},
		{"sorted", "zyx", []string{"(0020,0032) Image Position (Patient)=10.0\\20.0\\30.0", "(0018,0050) Slice Thickness=9.0"}},
		{"echoes", "zcyx", nil},
		{"enhanced.dcm", "tzyx", []string{
			"(0020,9222) Dimension Index Sequence[2].(0020,9165) Dimension Index Pointer=(0020,9128)",
			"(5200,9230) Per-frame Functional Groups Sequence[1].(0020,9111) Frame Content Sequence[0].(0020,9157) Dimension Index Values=1, 1, 2"}},
	} {
		loadertest.Said(t, open(t, c.name, loaders.Options{}).Images[0], c.axes, c.want...)
	}
	loadertest.Reopened(t, registry, "testdata/enhanced.dcm", "ztyx", "ctyx")
}

// element is one in explicit VR little endian with a length of two bytes.
func element(group, number uint16, vr, text string) []byte {
	if len(text)%2 == 1 {
		text += " "
	}
	head := []byte{byte(group), byte(group >> 8), byte(number), byte(number >> 8), vr[0], vr[1], byte(len(text)), byte(len(text) >> 8)}
	return append(head, text...)
}

func TestNamesOfPatientsAreThoseOfTheFile(t *testing.T) {
	plain, err := os.ReadFile("testdata/plain.dcm")
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(plain, []byte{8, 0, 0x16, 0, 'U', 'I'}) // the elements behind the meta information
	for _, c := range []struct{ set, name, want string }{
		{"", "Doe^Jane", "Doe^Jane"},
		{"ISO_IR 192", "Müller^Jörg", "Müller^Jörg"},
		{"ISO_IR 100", "M\xfcller^J\xf6rg", "Müller^Jörg"},
		{"ISO_IR 144", "\xbb\xee\xda", "Люк"},
		{`\ISO 2022 IR 87`, "Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B", "Yamada^Tarou=山田^太郎"},
	} {
		var p []byte
		p = append(p, plain[:at]...)
		if c.set != "" {
			p = append(p, element(8, 5, "CS", c.set)...)
		}
		p = append(p, plain[at:]...)
		pixels := bytes.Index(p, []byte{0x28, 0, 2, 0, 'U', 'S'})
		p = append(p[:pixels:pixels], append(element(0x10, 0x10, "PN", c.name), p[pixels:]...)...)
		path := filepath.Join(t.TempDir(), "a.dcm")
		if err := os.WriteFile(path, p, 0o666); err != nil {
			t.Fatal(err)
		}
		set, err := registry.Open(t.Context(), path, loaders.Options{})
		if err != nil {
			t.Fatalf("%q: %v", c.set, err)
		}
		loadertest.Said(t, set.Images[0], "zyx", "(0010,0010) Patient's Name="+c.want)
		set.Close()
	}
}
